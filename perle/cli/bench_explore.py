# SPDX-License-Identifier: Apache-2.0
"""`perle bench explore`: measurements per minute for each number of workers."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Annotated

import typer

from perle.cli.arith import Json
from perle.cli.io import console
from perle.cli.io.errors import Code, Fault, finite, usage
from perle.cores import registry
from perle.explore.evaluate import Answer, Task, evaluate, task
from perle.flow.places import extra
from perle.flow.tools import ToolError
from perle.measure import runner
from perle.measure.design import NoSuchPartError, parts
from perle.measure.target import UnknownTargetError, chosen
from perle.report.quantities import quantity
from perle.tables import Table

NEEDED = extra("explore")
Work = Callable[[Task], Answer | None]
"""What a worker does for a run."""


@dataclass(frozen=True)
class ExploreRate:
    """The number of runs that a number of workers made in a number of seconds."""

    workers: int
    runs: int
    seconds: float

    @property
    def per_minute(self) -> float:
        """Runs per minute."""
        return 60 * self.runs / self.seconds


def explore(
    core: Annotated[str, typer.Argument(metavar="[CORE]", help="Core to measure.")] = "orup:w64",
    target: Annotated[
        str, typer.Option(metavar="T", help="Device with place and route, which is run.")
    ] = "ecp5_25_8",
    runs: Annotated[
        int, typer.Option(metavar="N", help="Number of runs, each with another seed.", min=1)
    ] = 8,
    jobs: Annotated[
        int, typer.Option(metavar="N", help="Largest number of workers on this machine.", min=1, max=256)
    ] = 4,
    sleep: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="Let every run only sleep for this time, instead of running tools.",
            min=0,
            callback=finite,
            show_default=False,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Measure runs of a sweep per minute with one worker on this machine, with two, with four and so on.

    Nothing is recorded, so that every number of workers does the same runs. Synthesis, which all seeds share,
    is done before.
    """
    tasks = _tasks(core, target, runs)
    rates = []
    with console.steps() as steps:
        work: Work = evaluate if sleep is None else partial(_nap, sleep)
        if sleep is None:
            steps(f"synthesising {core}")
            _synthesised(tasks[0])
        for count in _counts(jobs):
            steps(f"{runs} runs with {count} of {jobs} workers")
            rates.append(ExploreRate(count, runs, _seconds(tasks, work, count)))
    if json:
        rows = [asdict(one) | {"per_minute": one.per_minute} for one in rates]
        console.print_json({"core": core, "target": target, "sleep": sleep, "rates": rows})
        return
    table = Table(("workers", "seconds", "runs per minute", "relative to one worker"), right=(0, 1, 2, 3))
    for one in rates:
        share = one.per_minute / rates[0].per_minute
        table.add(one.workers, f"{one.seconds:.1f}", quantity(one.per_minute), f"{share:.2f}")
    console.output().print(table)


def _tasks(core: str, target: str, runs: int) -> list[Task]:
    try:
        config = registry.resolve_any(core)
        wanted = runner.wanted(config, parts(config)[0], chosen(target), runs)
        wanted[0].prepared()
    except (UnknownTargetError, NoSuchPartError) as error:
        raise usage(str(error)) from None
    if len(wanted) != runs:
        raise usage(f"{target} is not one device with place and route, such as ecp5_25_8")
    return [task(one, runner.TIMEOUT) for one in wanted]


def _counts(most: int) -> list[int]:
    """Return 1, 2, 4 … and `most`."""
    return sorted({most, *(1 << i for i in range(most.bit_length()))})


def _synthesised(one: Task) -> None:
    try:
        one.wanted.target.circuit(runner.job(one.wanted, one.timeout))
    except ToolError as error:
        raise Fault(Code.TOOL, str(error)) from None


def _seconds(tasks: Sequence[Task], work: Work, count: int) -> float:
    """Return the time of all tasks on new workers; a Fault names the first task without a result."""
    try:
        from perle.explore import engine  # noqa: PLC0415 - it needs packages of the extra `explore`
    except ModuleNotFoundError as error:
        raise Fault(Code.TOOL, f"workers need the package {error.name}: {NEEDED}") from None

    def done(_: Task, found: Answer | engine.Lost[Task] | None) -> None:
        if isinstance(found, engine.Lost):
            raise Fault(Code.TOOL, found.why)
        if found is not None and (fault := found.missing or found.measurement.error):
            raise Fault(Code.TOOL, fault)

    with engine.cluster(count) as client:
        engine.run(client, range(count), _ready, lambda *_: None)
        begin = time.monotonic()
        engine.run(client, tasks, work, done)
        return time.monotonic() - begin


def _ready(_: int) -> None:
    """Do nothing: a worker that answers has started."""


def _nap(seconds: float, _: Task) -> None:
    time.sleep(seconds)
