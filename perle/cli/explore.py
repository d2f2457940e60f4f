# SPDX-License-Identifier: Apache-2.0
"""`perle explore`: measure a space of configurations with many workers."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Annotated

import typer

from perle.cli.arith import Json
from perle.cli.certificates import Files, TlsCa, TlsCert, TlsKey, used
from perle.cli.explore_progress import progress
from perle.cli.explore_told import data, show, tell_plan
from perle.cli.io import console
from perle.cli.io.errors import Code, Fault, file, usage
from perle.explore.addresses import AddressError
from perle.explore.evaluate import evaluate
from perle.explore.how import SEED, TRIALS, How, Method
from perle.explore.objectives import NAMES, USUAL, chosen
from perle.explore.points import of_space
from perle.explore.search import Search, search
from perle.explore.space import FIRST, NEAR, Grid, Screen, Space, SpaceError, read
from perle.explore.stages import Plan, plan
from perle.flow.cache import cache_root, content_hash
from perle.flow.places import extra
from perle.measure import runner
from perle.results import Store

if TYPE_CHECKING:
    from perle.explore.sweep import Outcome

NEEDED = extra("explore")
TOML = ".toml"
MANY_POINTS, MOST_POINTS = 1_000, 100_000
"""Points of a sweep above which its size is told first, and above which it is refused."""
PATIENCE = 3.0
"""Seconds until a wait for a scheduler is told."""


@dataclass(frozen=True)
class Workers:
    """Workers on this machine, or those of a scheduler with the certificate files for it."""

    jobs: int
    scheduler: str | None
    files: Files


def explore(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="SPACE.toml | CORE …",
            help="A file, or families and cores, such as orup scalable:r2_w16_p8_n256.",
        ),
    ],
    values: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=V[,V…]",
            help="Values of a parameter; repeatable, all combinations are measured.",
            show_default=False,
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            metavar="T[,T…]",
            help="Devices and processes, or ecp5_8@200,ecp5_8@250 for several clocks: see perle measure.",
            show_default=False,
        ),
    ] = None,
    part: Annotated[
        str | None, typer.Option(help="Part of the core to measure: see perle measure.", show_default=False)
    ] = None,
    seeds: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Number of seeds of place and route. Default: 1.",
            min=1,
            max=runner.MOST_SEEDS,
            show_default=False,
        ),
    ] = None,
    screen: Annotated[
        str | None,
        typer.Option(
            metavar="T",
            help="Synthesise for this target first; continue with results near the Pareto front.",
            show_default=False,
        ),
    ] = None,
    near: Annotated[
        float | None,
        typer.Option(
            metavar="X",
            help=f"With --screen: relative distance from the front. Default: {NEAR}.",
            min=0,
            show_default=False,
        ),
    ] = None,
    jobs: Annotated[
        int, typer.Option(metavar="N", help="Number of workers on this machine.", min=1, max=256)
    ] = 1,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Use the workers of a Dask scheduler instead: tcp://… or tls://….",
            show_default=False,
        ),
    ] = None,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", help="Time limit of each tool.", min=1)
    ] = runner.TIMEOUT,
    log: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", parser=file, help="File for the log. Default: in the cache.", show_default=False
        ),
    ] = None,
    dry: Annotated[bool, typer.Option("--dry", help="Only show what would be measured.")] = False,
    method: Annotated[
        Method | None,
        typer.Option(
            "--search",
            metavar="METHOD",
            help="Measure only points that Optuna selects: tpe or nsga2.",
            show_default=False,
        ),
    ] = None,
    trials: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help=f"With --search: number of points, recorded ones included. Default: {TRIALS}.",
            min=1,
            show_default=False,
        ),
    ] = None,
    search_seed: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="With --search: seed of its random choices.", min=0, show_default=False
        ),
    ] = None,
    objectives: Annotated[
        str | None,
        typer.Option(
            metavar="F[,F…]",
            help=f"Figures to compare: {', '.join(NAMES)}. Default: {', '.join(USUAL)}; "
            f"period in place of times for parts that compute no products.",
            show_default=False,
        ),
    ] = None,
    tls_ca: TlsCa = None,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    json: Json = False,
) -> None:
    """Measure a space of configurations, on this machine or on many.

    Measures all combinations of the given values on all targets. Recorded runs are not repeated, so an
    interrupted run continues where it stopped. Configurations that cannot be built are listed and logged with
    the reason. With --screen, all are synthesised first, and only those near the Pareto front of area,
    latency and time to the next product are placed and routed. With --search, for larger spaces, only
    --trials points are measured, each selected from the results so far. Workers need no file system in common
    with this machine: results and logs are sent back.
    """
    space = _space(what, values or [], target, part, seeds, screen, near)
    workers = Workers(jobs, scheduler, used(scheduler, (tls_ca, tls_cert, tls_key)))
    try:
        todo = _todo(space, _how(method, trials, search_seed), chosen(objectives), timeout)
    except SpaceError as error:
        raise usage(str(error)) from None
    if dry:
        tell_plan(todo, json)
        return
    path = log or cache_root() / "explore" / f"{content_hash([], repr(space))}.jsonl"
    outcome = _sweep(todo, workers, timeout, path)
    try:
        if json:
            console.print_json(data(todo, outcome, path))
        else:
            show(todo, outcome, path)
    except SpaceError as error:  # a figure that the target does not have; the records are kept
        raise usage(str(error)) from None
    if all(one.error for one in todo.last(outcome)):
        none = Fault(Code.TOOL, "no run succeeded; the log has the reasons")
        fault = none if outcome.found or outcome.lost else usage("no configuration can be measured")
        raise typer.Exit(fault.code) if json else fault


def _space(
    what: Sequence[str],
    values: Sequence[str],
    target: str | None,
    part: str | None,
    seeds: int | None,
    screen: str | None,
    near: float | None,
) -> Space:
    files = [one for one in what if one.endswith(TOML)]
    if files:
        if len(what) > 1 or values or any(one is not None for one in (target, part, seeds, screen, near)):
            raise usage(
                "a file defines the whole space: no other cores, --set, --target, --part, --seeds or --screen"
            )
        try:
            return read(Path(files[0]))
        except SpaceError as error:
            raise usage(str(error)) from None
    if target is None:
        raise usage("--target is missing: perle explore orup --set Width=256,512 --target ecp5_8")
    if near is not None and screen is None:
        raise usage("--near needs --screen")
    wanted: dict[str, tuple[int, ...]] = {}
    for name, listed in map(_values, values):
        wanted[name] = (*wanted.get(name, ()), *listed)
    names: dict[str, list[str]] = {}
    for core in what:
        family, _, config = core.partition(":")
        names.setdefault(family, []).append(config)
    if mixed := [family for family, configs in names.items() if "" in configs and len(set(configs)) > 1]:
        raise usage(f"{mixed[0]} is named both with and without a configuration: give one of them")
    grids = tuple(Grid(family, wanted, tuple(filter(None, configs))) for family, configs in names.items())
    stage = None if screen is None else Screen(screen, NEAR if near is None else near)
    return Space(grids, tuple(target.split(",")), part or FIRST, seeds or 1, stage)


def _values(text: str) -> tuple[str, tuple[int, ...]]:
    name, equals, listed = text.partition("=")
    with suppress(ValueError):
        if equals:
            return name, tuple(int(one, 0) for one in listed.split(","))
    raise usage(f"--set needs NAME=V[,V…] with numbers, not {text!r}")


def _how(method: Method | None, trials: int | None, seed: int | None) -> How | None:
    if method is None:
        for option, given in (("--trials", trials), ("--search-seed", seed)):
            if given is not None:
                raise usage(f"{option} needs --search")
        return None
    return How(method, trials or TRIALS, SEED if seed is None else seed)


def _todo(space: Space, how: How | None, figures: tuple[str, ...], timeout: float) -> Plan | Search:
    if how is None:
        _check_size(sum(one.size for one in of_space(space)))
        return plan(space, Store(), figures, timeout)
    return search(space, Store(), how, figures, timeout)


def _check_size(points: int) -> None:
    """Refuse a sweep that nobody can wait for, and tell the size of a large one before it is listed."""
    if points > MOST_POINTS:
        raise usage(
            f"the space has {points:,} points; a sweep of all takes {MOST_POINTS:,} at most: give fewer "
            "values, or --search tpe --trials N, which measures N of them"
        )
    if points > MANY_POINTS:
        console.note(f"the space has {points:,} points; listing them takes a while")


@contextmanager
def _told_if_late(text: str) -> Iterator[None]:
    """Tell something if what is done meanwhile takes more than PATIENCE seconds."""
    late = Timer(PATIENCE, console.note, (text,))
    late.start()
    try:
        yield
    finally:
        late.cancel()


def _kept(count: int) -> str:
    kept = f"{count} result{'s are' if count > 1 else ' is'} kept" if count else "no result is there yet"
    return f"{kept}; the same command continues"


def _sweep(todo: Plan | Search, workers: Workers, timeout: float, path: Path) -> Outcome:
    try:
        from perle.explore import engine, tls  # noqa: PLC0415 - packages of the extra `explore`
        from perle.explore.sweep import Log, Sweep  # noqa: PLC0415

        if isinstance(todo, Search):
            import_module("perle.explore.way")  # a missing package is reported before workers are started
    except ModuleNotFoundError as error:
        raise Fault(Code.TOOL, f"perle explore needs the package {error.name}: {NEEDED}") from None
    sweep: Sweep | None = None
    scheduler, count = workers.scheduler, min(workers.jobs, max(1, todo.most), 4 * (os.cpu_count() or 1))
    try:
        files = None if scheduler is None else tls.security(scheduler, tls.Tls(*workers.files))
        with ExitStack() as opened:
            # workers on this machine have no such limit, and start in a moment
            said = f"waiting for {scheduler}, {engine.WAIT:g} s at most"
            with nullcontext() if scheduler is None else _told_if_late(said):
                client = opened.enter_context(engine.cluster(count, scheduler, files))
            shown = opened.enter_context(progress())
            if not engine.places(client):
                console.note(f"{scheduler} has no workers yet; waiting for some")
            sweep = Sweep(client, Store(), Log(path), shown, timeout, evaluate)
            return todo.carry_out(sweep)
    except KeyboardInterrupt:
        if sweep is not None:
            console.note(_kept(sweep.kept))
        raise
    except (SpaceError, AddressError, tls.InsecureError) as error:
        raise usage(str(error)) from None
    except engine.NoSchedulerError as error:
        raise Fault(Code.TOOL, str(error)) from None
