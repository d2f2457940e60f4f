# SPDX-License-Identifier: Apache-2.0
"""How many faults of the hardware its own tests see.

Faults of a family's sources, chosen by chance, are built into a copy of the checkout (`perle.trust.mutants`),
and the family's tests run on it for each: the quick ones, at its narrowest configuration and at sizes that
only tests have. With no fault on they have to pass, which also shows that the copy computes what the sources
do. A fault is killed if a test fails, or runs for far longer than without one; every other one is named. What
no test can see, as it changes nothing that leaves the core, is told apart in `equivalent.toml`, with the
reason.
"""

from __future__ import annotations

import json
import os
import sys
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from threading import Lock

from perle.cores.registry import Family, families
from perle.flow.places import CHECKOUT, INSTALLED
from perle.flow.tools import ToolError, run
from perle.trust import mutants
from perle.trust.mutants import Mutant
from perle.trust.mutation_copy import (
    CRASHED,
    SLOW,
    STATES,
    SURVIVED,
    Copy,
    Server,
    Subject,
    bench_files,
    made_of,
)
from perle.trust.parts import Part, Task, Wanted
from perle.trust.records import Record, Run
from perle.trust.watched import shapes

NAME = "mutation"
MOST = 200
SECONDS = 900.0
LISTING, BUILDING = 120.0, 3600.0
LEAST, SLOWER = 20.0, 6.0
"""A fault is too slow after so many times what the tests take without one, and so many seconds at least."""
WANTED = 0.97
"""Share of the faults that has to be killed."""
FIRST, TOTAL = 2.0, 4.0
"""Seconds of the longest test that is run for every fault, and of all of them."""
TESTS = 8
"""How many of the family's tests: each may need a simulator of its own."""
EQUIVALENT = Path(__file__).with_name("equivalent.toml")
DURATIONS = CHECKOUT / "tests" / "durations.json"


def subjects(only: str | None = None) -> list[Subject]:
    """Return every family, or one."""
    return [
        Subject(name, own_files(one), _tests(name))
        for name, one in families().items()
        if only in (None, name)
    ]


def own_files(family: Family) -> tuple[Path, ...]:
    """Return a family's files that are broken: those in its folder, without packages."""
    return tuple(
        path for path in family.files if path.parent == family.folder and not path.stem.endswith("_pkg")
    )


def _tests(family: str) -> tuple[str, ...]:
    """Return a family's quick tests: of its narrowest configuration first, then of none of the named ones."""
    one = families()[family]
    narrowest = min(one.configs, key=lambda name: one.config(name).width)
    seconds = json.loads(DURATIONS.read_text(encoding="utf-8"))["seconds"]
    found: list[str] = []
    budget = TOTAL
    for test in sorted(
        _collected(family), key=lambda test: (f"[{narrowest}" not in test, seconds.get(test, 0))
    ):
        words = test.partition("[")[2].rstrip("]").split("-")
        took = seconds.get(test, 0)
        if (
            len(found) < TESTS
            and took <= min(FIRST, budget)
            and not set(words) & (set(one.configs) - {narrowest})
        ):
            found.append(test)
            budget -= took
    names = ("test_a_reset_leads_to_one_state", "test_it_works_from_any_state")
    states = [f"{STATES}::{test}[{family}-{shape.name}]" for test in names for shape in shapes(family)]
    return (*states, *found)


def _collected(family: str) -> list[str]:
    """Return the names of all tests of a family's hardware."""
    files = [path.relative_to(CHECKOUT).as_posix() for path in bench_files(family)]
    words = ["-m", "pytest", "--collect-only", "-q", "-m", "not wide", *files]
    listed = run([sys.executable, *words], cwd=CHECKOUT, timeout=LISTING).stdout
    return [line for line in listed.splitlines() if "::" in line]


def equivalents() -> dict[str, str]:
    """Return the reasons why faults cannot be seen, by their texts without the number of the line."""
    if not EQUIVALENT.exists():
        return {}
    return {
        one["fault"]: one["why"] for one in tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["mutant"]
    }


def without_line(text: str) -> str:
    """Return a fault's text without the number of its line, which moves with every change above it."""
    name, _, rest = text.split(":", 2)
    return f"{name}:{rest}"


def campaign(
    subject: Subject, before: Record | None, seed: int, seconds: float, jobs: int, most: int = MOST
) -> Record:
    """Try faults of a seed, up to so many, in about so many seconds, on so many cores.

    Goes on after those that `before` tells of, if it had the same seed.
    """
    every = [one for path in subject.files for one in mutants.places(path)]
    Random(f"{seed} {subject.name}").shuffle(every)  # noqa: S311 - a failure must come again
    chosen = dict(enumerate(every[:most], 1))
    mine = Run(NAME, subject.name, seed, places=len(every), tests=list(subject.tests))
    known: dict[str, str] = {}
    spent = 0.0
    if before is not None and before.seed == seed and before.settings.get("places") == len(every):
        known, spent = dict(before.settings.get("outcomes", {})), before.seconds
    copy = Copy(subject, chosen)
    servers = [copy.serve() for _ in range(jobs)]
    if servers[0].test(0, BUILDING) != SURVIVED:  # builds all simulators
        raise ToolError(
            "pytest", f"{subject.name}: tests fail without a fault", f"see {copy.folder / '0.log'}"
        )
    ready = mine.seconds
    servers[0].test(0, BUILDING)
    longest = max(LEAST, SLOWER * (mine.seconds - ready))
    ready = mine.seconds
    left = iter([number for number in chosen if str(number) not in known])
    taking = Lock()

    def work(server: Server) -> None:
        while mine.seconds < ready + seconds:
            with taking:
                number = next(left, None)
            if number is None:
                break
            known[str(number)] = server.test(number, longest)
        server.close()

    with ThreadPoolExecutor(max_workers=jobs) as threads:
        list(threads.map(work, servers))
    mine.settings["outcomes"] = known
    return record(mine, subject, chosen, known, spent)


def record(
    mine: Run, subject: Subject, chosen: dict[int, Mutant], known: dict[str, str], spent: float
) -> Record:
    """Return the record of faults by how each ended."""
    reasons = equivalents()
    alive = [chosen[int(number)] for number, how in sorted(known.items()) if how == SURVIVED]
    same = [one.text for one in alive if without_line(one.text) in reasons]
    survivors = [one.text for one in alive if one.text not in same]
    killed, counted = len(known) - len(alive), len(known) - len(same)
    mine.settings |= {"survivors": survivors, "equivalent": same}
    if killed < WANTED * counted:
        mine.fail(f"{killed} of {counted} faults seen, {WANTED:.0%} wanted")
    counts = {
        "tried": len(known),
        "killed": killed,
        "slow or crashed": sum(how in (SLOW, CRASHED) for how in known.values()),
        "equivalent": len(same),
        "survivors": len(survivors),
        "places": mine.settings["places"],
    }
    files = [*subject.files, *made_of(subject.name)]
    return mine.end(counts, files, ("verilator", "g++", "pytest"), spent)


def tasks(wanted: Wanted) -> Iterator[Task]:
    """Yield a campaign a family; the time is shared out evenly."""
    if INSTALLED:
        raise ToolError("mutation", "needs a checkout: the tests are not installed")
    chosen = subjects(wanted.family)
    seconds = (wanted.seconds or SECONDS) / len(chosen)
    jobs = len(os.sched_getaffinity(0))
    for one in chosen:
        yield Task(NAME, one.name, partial(_task, one, wanted.seed, seconds, jobs), again=True)


def _task(subject: Subject, seed: int, seconds: float, jobs: int, before: Record | None) -> Record:
    return campaign(subject, before, seed, seconds, jobs)


def row(one: Record) -> tuple[str, ...]:
    """Return the figures of a record."""
    counts = {name: int(value) for name, value in one.counts.items()}
    able = counts["tried"] - counts["equivalent"]
    share = f"{counts['killed'] / able:.1%}" if able else "–"
    names = ("places", "tried", "killed", "equivalent", "survivors")
    return (*(f"{counts[name]:,}" for name in names), share)


def remarks(one: Record) -> Sequence[str]:
    """Name the survivors."""
    return [f"not seen: `{text}`" for text in one.settings["survivors"]]


MUTATION = Part(
    NAME,
    "Broken hardware",
    f"How many of the faults that chance puts into a family's sources its quick tests see; {WANTED:.0%} are "
    "wanted. One at a time, an operator, a constant, a condition or a negation is exchanged or an assignment "
    "left out; what is evaluated at elaboration is not broken.",
    tasks,
    ("places", "tried", "seen", "equivalent", "not seen", "seen, share"),
    row,
    remarks,
)
