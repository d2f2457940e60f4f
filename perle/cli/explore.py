# SPDX-License-Identifier: Apache-2.0
"""`perle explore`: a space of configurations, measured by many workers, the promising ones to the end."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec.structs import asdict
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from perle.cli.arith import Json
from perle.cli.io import console
from perle.cli.io.errors import Code, Fault, usage
from perle.explore import front
from perle.explore.evaluate import evaluate
from perle.explore.space import FIRST, NEAR, Grid, Infeasible, Screen, Space, SpaceError, read
from perle.explore.stages import Plan, plan
from perle.flow.cache import cache_root, content_hash
from perle.measure import runner
from perle.results import Measurement, Store
from perle.tables import Table

if TYPE_CHECKING:
    from perle.explore.sweep import Outcome

NEEDED = "pip install 'perle[explore]'"
TOML = ".toml"


class Shown:
    """Progress on a terminal's standard error: done, failed, time left; elsewhere a line a stage."""

    def __init__(self, bar: Progress | None) -> None:
        self._bar, self._task, self._failed = bar, TaskID(0), 0

    def begin(self, title: str, total: int) -> None:
        """Begin a stage."""
        self._failed = 0
        if self._bar is None:
            console.note(f"{title}: {total} runs")
        else:
            self._task = self._bar.add_task(title, total=total, last="")

    def step(self, what: str, event: str) -> None:
        """Count a run, and show it if it did not succeed."""
        self._failed += event in ("failed", "lost")
        if self._bar is not None:
            bad = f"{self._failed} failed, " if self._failed else ""
            self._bar.update(self._task, advance=1, last=f"{bad}last: {what}")


@contextmanager
def _progress() -> Iterator[Shown]:
    if not sys.stderr.isatty():
        yield Shown(None)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    last = TextColumn("{task.fields[last]}")
    with Progress(*columns, TimeRemainingColumn(), last, console=console.notes()) as bar:
        yield Shown(bar)


def explore(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="SPACE.toml | CORE …", help="A file, or families and cores: orup scalable:r2_w16_p8_n256."
        ),
    ],
    values: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=V[,V…]",
            help="Values of a parameter; every combination.",
            show_default=False,
        ),
    ] = None,
    target: Annotated[
        str | None, typer.Option(metavar="T[,T…]", help="Where: see perle measure.", show_default=False)
    ] = None,
    part: Annotated[
        str, typer.Option(help="What of the core: as in perle measure.", show_default=False)
    ] = FIRST,
    seeds: Annotated[int, typer.Option(metavar="N", help="Runs of place and route.", min=1, max=100)] = 1,
    screen: Annotated[
        str | None,
        typer.Option(
            metavar="T", help="Synthesise for this target first; go on near the front.", show_default=False
        ),
    ] = None,
    near: Annotated[
        float, typer.Option(metavar="X", help="How near: 0.25 is within a quarter.", min=0)
    ] = NEAR,
    jobs: Annotated[int, typer.Option(metavar="N", help="Workers of this machine.", min=1, max=256)] = 1,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="A running Dask scheduler instead: tcp://… or tls://….",
            show_default=False,
        ),
    ] = None,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", help="Longest time of one tool.", min=1)
    ] = runner.TIMEOUT,
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Events; default: in the cache.", show_default=False)
    ] = None,
    dry: Annotated[bool, typer.Option("--dry", help="Only tell what there is to do.")] = False,
    json: Json = False,
) -> None:
    """Measure a space of configurations, on this machine or on many.

    All combinations of the values given, on all targets. What is recorded already is not run again, so that
    what was interrupted goes on; what cannot be built is told and logged with the reason. With --screen, all
    are synthesised first, and only those near the front of area, latency and time to the next product are
    placed and routed. Results and logs come back from workers that share no file system with this machine.
    """
    space = _space(what, values or [], target, part, seeds, screen, near)
    try:
        todo = plan(space, Store())
    except SpaceError as error:
        raise usage(str(error)) from None
    if dry:
        _tell_plan(todo, json)
        return
    path = log or cache_root() / "explore" / f"{content_hash([], repr(space))}.jsonl"
    outcome = _sweep(todo, jobs, scheduler, timeout, path)
    if json:
        console.print_json(_data(todo, outcome, path))
    else:
        _print(todo, outcome, path)
    if not any(not one.error for one in outcome.found):
        raise Fault(Code.TOOL, "no run succeeded; the log says why")


def _space(
    what: Sequence[str],
    values: Sequence[str],
    target: str | None,
    part: str,
    seeds: int,
    screen: str | None,
    near: float,
) -> Space:
    files = [one for one in what if one.endswith(TOML)]
    if files:
        if len(what) > 1 or values or target or screen:
            raise usage("a file says all of it: no other cores, --set, --target or --screen")
        try:
            return read(Path(files[0]))
        except SpaceError as error:
            raise usage(str(error)) from None
    if target is None:
        raise usage("--target is wanted: perle explore orup --set Width=256,512 --target ecp5_8")
    wanted = dict(map(_values, values))
    names: dict[str, list[str]] = {}
    for core in what:
        family, _, config = core.partition(":")
        names.setdefault(family, []).extend([config] if config else [])
    grids = tuple(Grid(family, wanted, tuple(configs)) for family, configs in names.items())
    return Space(grids, tuple(target.split(",")), part, seeds, Screen(screen, near) if screen else None)


def _values(text: str) -> tuple[str, tuple[int, ...]]:
    name, equals, listed = text.partition("=")
    with suppress(ValueError):
        if equals:
            return name, tuple(int(one, 0) for one in listed.split(","))
    raise usage(f"--set wants NAME=V[,V…] with numbers, not {text!r}")


def _sweep(todo: Plan, jobs: int, scheduler: str | None, timeout: float, path: Path) -> Outcome:
    try:
        from perle.explore import engine  # noqa: PLC0415 - packages of the extra `explore`
        from perle.explore.sweep import Log, Sweep  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise Fault(Code.TOOL, f"sweeps need the package {error.name}: {NEEDED}") from None
    workers = min(jobs, max(1, todo.most), 4 * (os.cpu_count() or 1))
    try:
        with engine.cluster(workers, scheduler) as client, _progress() as shown:
            if not engine.places(client):
                console.note(f"{scheduler} has no workers yet: waiting for them")
            return todo.carry_out(Sweep(client, Store(), Log(path), shown, timeout, evaluate))
    except engine.NoSchedulerError as error:
        raise Fault(Code.TOOL, str(error)) from None


def _tell_plan(todo: Plan, json: bool) -> None:
    if json:
        console.print_json(
            {
                "runs": [one.text for one in (*todo.screened, *todo.runs)],
                "known": todo.known,
                "infeasible": [vars(one) for one in todo.infeasible],
            }
        )
        return
    for one in (*todo.screened, *todo.runs):
        console.output().print(one.text, markup=False)
    _tell_infeasible(todo.infeasible)
    more = " to screen, then those near the front" if todo.screened else ""
    total = len(todo.screened or todo.runs)
    console.output().print(
        f"{total} runs{more}; {todo.known} recorded already; {len(todo.infeasible)} infeasible"
    )


def _tell_infeasible(left: Sequence[Infeasible]) -> None:
    for one in left:
        console.output().print(f"infeasible: {one.what}: {one.reason}", markup=False)


def _data(todo: Plan, outcome: Outcome, path: Path) -> dict[str, object]:
    return {
        "counts": outcome.counts,
        "front": front.worth(todo.last(outcome), 0.0),
        "measurements": [asdict(one) for one in outcome.found],
        "infeasible": [vars(one) for one in todo.infeasible],
        "lost": outcome.lost,
        "log": str(path),
    }


def _print(todo: Plan, outcome: Outcome, path: Path) -> None:
    best = set(front.worth(todo.last(outcome), 0.0))
    costs = front.medians(todo.last(outcome))
    figures = list(dict.fromkeys(name for one in costs.values() for name in one))
    table = Table(("", "core", "target", *figures), right=range(3, 3 + len(figures)))
    for (core, target), one in sorted(costs.items()):
        shown = (f"{one[name]:,.4g}" if name in one else "–" for name in figures)
        table.add("★" if core in best else "", core, target, *shown)
    out = console.output()
    out.print(table)
    for failed in outcome.found:
        if failed.error:
            out.print(f"failed: {_text(failed)}: {failed.error}", markup=False)
    for text, why in outcome.lost.items():
        out.print(f"lost: {text}: {why}", markup=False)
    _tell_infeasible(todo.infeasible)
    said = ", ".join(f"{count} {event}" for event, count in sorted(outcome.counts.items()))
    out.print(f"{said}; ★ on the front; log: {path}", markup=False, soft_wrap=True)


def _text(one: Measurement) -> str:
    return f"{one.core} ({one.part}) on {one.target}, seed {one.seed}"
