# SPDX-License-Identifier: Apache-2.0
"""`perle trust`: campaigns that look for failures, and what they found."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from perle.cli.arith import Json
from perle.cli.io import console
from perle.cli.io.console import Steps
from perle.cli.io.errors import Code, folder, usage
from perle.cores import registry
from perle.flow.places import INSTALLED
from perle.trust import page
from perle.trust.every import PARTS, SOFTWARE, TESTING, named, stale
from perle.trust.parts import Part, Task, Wanted, campaign
from perle.trust.records import FOLDER, Record, Records

NAMES = ", ".join(part.name for part in PARTS)


def trust(
    parts: Annotated[
        list[str] | None, typer.Argument(metavar="[PART]…", help=f"{NAMES}. Default: all.")
    ] = None,
    family: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help=f"Only this family of cores, or this software: {', '.join(SOFTWARE)}."
        ),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(metavar="N", help="Time for each part, divided among its cases.", min=1)
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of random trials.", min=0)] = 1,
    again: Annotated[bool, typer.Option("--again", help="Repeat recorded campaigns too.")] = False,
    records: Annotated[
        Path, typer.Option(metavar="FOLDER", parser=folder, help="Folder of the records.")
    ] = FOLDER,
    summary: Annotated[bool, typer.Option("--summary", help="Only show what is recorded.")] = False,
    make_page: Annotated[bool, typer.Option("--page", help="Only write docs/trust.md.")] = False,
    json: Json = False,
) -> None:
    """Look for failures, and record the results: proofs, mutants, fault injection, fuzzing and more.

    Every campaign is recorded in results/trust with its seed, sources and tools. Campaigns recorded for the
    current sources are not repeated, so an interrupted run continues where it stopped. Failures are
    listed; exit code 1 if there are any.
    """
    store = Records(records)
    if make_page:
        if INSTALLED:
            raise usage("--page needs a checkout")
        page.write(store)
        return
    try:
        chosen = [named(name) for name in parts] if parts else list(PARTS)
    except KeyError as error:
        raise usage(f"no part {error}; the parts are: {NAMES}") from None
    if summary:
        if family is not None:
            raise usage("--summary has all families: leave --family out")
        names = [part.name for part in chosen]
        _tell([one for one in store.load() if one.part in names], json)
        return
    if family is not None:
        own = [part for part in chosen if family in part.software]
        if not own:
            registry.family(family)
        elif parts and own != chosen:
            raise usage(
                f"{family} is software; only these parts examine it: {', '.join(one.name for one in own)}"
            )
        chosen = own or chosen
    if INSTALLED:
        chosen = _without_tests(chosen, asked=bool(parts))
    wanted = Wanted(family, seconds, seed)
    with console.steps() as steps:
        runs = [
            one
            for part in chosen
            for one in campaign(part.tasks(wanted), store, again=again, begun=partial(_begun, steps))
        ]
    _tell(runs, json)


def _without_tests(chosen: list[Part], *, asked: bool) -> list[Part]:
    """Return the parts that an installed package can run; an error if others were asked for."""
    left = [part.name for part in chosen if part.name in TESTING]
    said = f"{', '.join(left)}: needs a checkout: the tests are not installed"
    if left and (asked or len(left) == len(chosen)):
        raise usage(said)
    if left:
        console.note(f"left out: {said}")
    return [part for part in chosen if part.name not in left]


def _begun(steps: Steps, task: Task) -> None:
    steps(f"{task.part}: {task.case}")


def _tell(runs: list[Record], json: bool) -> None:
    """Show records and failures; exit code 1 if there are failures."""
    if json:
        console.print_json({"failures": sum(one.failures for one in runs), "runs": page.summary(runs)})
    else:
        for part in PARTS:
            found = [one for one in runs if one.part == part.name]
            if found:
                console.output().print(page.table(part, found))
        for one in runs:
            for text in one.failed:
                console.output().print(f"failed: {one.case}: {text}", markup=False, soft_wrap=True)
        outdated = [f"{one.part}: {one.case}" for one in runs if stale(one)]
        for text in outdated:
            console.output().print(f"stale: {text}", markup=False, soft_wrap=True)
        if outdated:
            console.output().print(
                f"{len(outdated)} of {len(runs)} runs are of other than the current sources"
            )
    if any(one.failures for one in runs):
        raise typer.Exit(Code.WRONG)
