# SPDX-License-Identifier: Apache-2.0
"""`perle trust`: campaigns that look for failures, and what they found."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from perle.cli.arith import Json
from perle.cli.io import console
from perle.cli.io.console import Steps
from perle.cli.io.errors import Code, folder, usage
from perle.cores import registry
from perle.flow.places import INSTALLED
from perle.trust import page
from perle.trust.enough import lacking
from perle.trust.every import PARTS, SOFTWARE, TESTING, missing, named
from perle.trust.parts import Part, Task, Wanted, campaign
from perle.trust.records import FOLDER, Record, Records

NAMES = ", ".join(part.name for part in PARTS)


def trust(
    parts: Annotated[
        list[str] | None, typer.Argument(metavar="[PART]…", help=f"{NAMES}. Default: all.")
    ] = None,
    family: Annotated[
        str | None,
        typer.Option(metavar="NAME", help=f"Only this family of cores, or one of {', '.join(SOFTWARE)}."),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(metavar="N", help="Time for each part, divided among its cases.", min=1)
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Seed of random trials; records of another one are not used. Default: 1.", min=0
        ),
    ] = None,
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
    current sources are not repeated, so an interrupted run continues where it stopped; one that did less than
    is wanted is. Failures are listed; exit code 1 if there are any. With --summary it is 1 also if a run is
    stale, incomplete or missing.
    """
    store = Records(records)
    if make_page:
        _page(store)
        return
    try:
        chosen = [named(name) for name in parts] if parts else list(PARTS)
    except KeyError as error:
        raise usage(f"no part {error}; the parts are: {NAMES}") from None
    if summary:
        if family is not None:
            raise usage("--summary has all families: leave --family out")
        _summary(chosen, store, json)
        return
    if family is not None:
        own = [part for part in chosen if family in part.software]
        if not own:
            registry.family(family)
        elif parts and own != chosen:
            only = ", ".join(one.name for one in own)
            raise usage(f"{family} is no family of cores; only these parts examine it: {only}")
        chosen = own or chosen
    if INSTALLED:
        chosen = _without_tests(chosen, asked=bool(parts))
    wanted = Wanted(family, seconds, 1 if seed is None else seed)
    with console.steps() as steps:
        begun = partial(_begun, steps)
        runs = [
            one
            for part in chosen
            for one in campaign(part.tasks(wanted), store, again=again, seed=seed, begun=begun, kept=_kept)
        ]
    _tell(runs, json)


def _page(store: Records) -> None:
    """Write docs/trust.md, which has the checkout's own records."""
    if INSTALLED:
        raise usage("--page needs a checkout")
    if store.folder != FOLDER:
        raise usage("--page writes docs/trust.md, of the checkout's own records: leave --records out")
    page.write(store)


def _summary(chosen: list[Part], store: Records, json: bool) -> None:
    """Show the records of parts; exit code 1 unless all campaigns have one, current and complete."""
    names = [part.name for part in chosen]
    found = [one for one in store.load() if one.part in names]
    absent = missing(found, chosen)
    told = _tell(found, json, absent)
    if absent or any(one["stale"] or one["lacking"] for one in told):
        raise typer.Exit(Code.WRONG)


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


def _kept(found: Record, stored: Record) -> None:
    done = ", ".join(lacking(found)) or "less"
    console.note(f"{found.part}: {found.case}: not recorded ({done}): that of {stored.date} did more")


def _tell(runs: list[Record], json: bool, absent: Sequence[tuple[str, str]] = ()) -> list[dict[str, Any]]:
    """Show records, and campaigns without one, and return the JSON; exit code 1 if there are failures."""
    told = page.summary(runs)
    if json:
        failures = sum(one.failures for one in runs)
        lacks = [{"part": part, "case": case} for part, case in absent]
        console.print_json({"failures": failures, "runs": told, "missing": lacks})
    else:
        for part in PARTS:
            found = [one for one in runs if one.part == part.name]
            if found:
                console.output().print(page.table(part, found))
        _list("failed", [f"{one.case}: {text}" for one in runs for text in one.failed])
        short = [one for one in told if one["lacking"]]
        _list("incomplete", [f"{one['part']}: {one['case']}: {', '.join(one['lacking'])}" for one in short])
        _list("never run", [f"{part}: {case}" for part, case in absent])
        outdated = [f"{one['part']}: {one['case']}" for one in told if one["stale"]]
        _list("stale", outdated)
        if outdated:
            console.output().print(
                f"{len(outdated)} of {len(runs)} runs are of other than the current sources"
            )
    if any(one.failures for one in runs):
        raise typer.Exit(Code.WRONG)
    return told


def _list(what: str, lines: list[str]) -> None:
    for line in lines:
        console.output().print(f"{what}: {line}", markup=False, soft_wrap=True)
