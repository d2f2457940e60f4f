# SPDX-License-Identifier: Apache-2.0
"""`perle measure`: area, clock and energy of a core, measured with synthesis and place and route."""

from __future__ import annotations

import os
from typing import Annotated

import typer
from msgspec.structs import asdict

from perle.cli.arith import Json
from perle.cli.boards import in_background
from perle.cli.io import console
from perle.cli.io.errors import Code, Fault, usage
from perle.cores import registry
from perle.measure import runner
from perle.measure.design import PARTS, NoSuchPartError, parts
from perle.measure.target import UnknownTargetError, all_chosen, every
from perle.results import Measurement, Store, spread
from perle.tables import Table


def measure(
    cores: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CORE …", help="Family and configuration, such as orup:w1024.", show_default=False
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            metavar="T[,T…]",
            help="Devices and processes; ecp5_8@250: placed for 250 MHz. Without cores and --target: a list.",
            show_default=False,
        ),
    ] = None,
    seeds: Annotated[
        int,
        typer.Option(metavar="N", help="Number of seeds of place and route.", min=1, max=runner.MOST_SEEDS),
    ] = 1,
    first_seed: Annotated[int, typer.Option("--first-seed", metavar="S", help="First seed.", min=1)] = 1,
    part: Annotated[
        str | None,
        typer.Option(
            help=f"Part of the core: {', '.join(PARTS)}. Default: mul or board.", show_default=False
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(metavar="N", help="Number of parallel runs.", min=1, max=64)] = 1,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", help="Time limit of each tool.", min=1)
    ] = runner.TIMEOUT,
    again: Annotated[bool, typer.Option("--again", help="Repeat recorded runs too.")] = False,
    json: Json = False,
) -> None:
    """Measure area, clock and energy of cores.

    Runs synthesis and place and route, or timing analysis, and records every run in results/measure (of an
    installed package in the user's data folder) with tool versions and hashes of the sources. Recorded runs
    are not repeated, so an interrupted campaign continues where it stopped. Without arguments, lists the
    targets.
    """
    if not cores or target is None:
        if cores or target is not None:
            raise usage("a core and --target are both needed: perle measure orup:w256 --target ecp5")
        _list(json)
        return
    runs = _runs(cores, target, part, seeds, first_seed)
    store = Store()
    with console.steps() as steps:
        found = in_background(
            lambda: runner.campaign(
                runs,
                store,
                jobs=min(jobs, len(runs), 4 * (os.cpu_count() or 1)),
                timeout=timeout,
                again=again,
                begun=lambda run: steps(f"{run.text}: {runner.work_folder(run)}"),
            )
        )
    if json:
        console.print_json({"measurements": [asdict(one) for one in found]})
    else:
        _print(found)
    failed = sum(bool(one.error) for one in found)
    if failed:
        if json:
            raise typer.Exit(Code.TOOL)
        raise Fault(Code.TOOL, f"{failed} of {len(found)} runs failed; the table above has the errors")


def _runs(
    cores: list[str], target: str, part: str | None, seeds: int, first_seed: int
) -> list[runner.Wanted]:
    try:
        targets = all_chosen(target.split(","))
        found = []
        for core in cores:
            config = registry.resolve_any(core)
            found += runner.wanted(config, part or parts(config)[0], targets, seeds, first=first_seed)
        for run in found:
            run.prepared()
    except (UnknownTargetError, NoSuchPartError) as error:
        raise usage(str(error)) from None
    return found


def _list(json: bool) -> None:
    if json:
        console.print_json(
            {
                "targets": [
                    {"name": one.name, "title": one.title, "needs": one.needs} for one in every().values()
                ]
            }
        )
        return
    shown = Table(("target", "what", "needs"))
    for one in every().values():
        shown.add(one.name, one.title, ", ".join(one.needs))
    console.output().print(shown)


def _print(found: list[Measurement]) -> None:
    """Print a row per core, target and figure: median, least and most over the seeds."""
    groups: dict[tuple[str, str, str], list[Measurement]] = {}
    for one in found:
        groups.setdefault((one.core, one.part, one.target), []).append(one)
    shown = Table(("core", "part", "target", "figure", "median", "least", "most", "runs"), right=range(4, 8))
    for (core, part, target), runs in groups.items():
        names = dict.fromkeys(name for run in runs for name in run.metrics)
        for name in names:
            over = spread(runs, name)
            assert over is not None
            shown.add(
                core, part, target, name, *map(_number, (over.median, over.least, over.most)), over.count
            )
        for run in runs:
            if run.error:
                shown.add(core, part, target, f"seed {run.seed} failed", run.error, "", "", "")
    console.output().print(shown)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.3g}" if abs(value) < 1 else f"{value:,.2f}"
