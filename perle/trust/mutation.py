# SPDX-License-Identifier: Apache-2.0
"""How many faults of the hardware its own tests see.

Faults of a family's sources, chosen by chance, are built into a copy of the checkout (`perle.trust.mutants`),
and the family's tests run on it for each: the quick ones, at its narrowest configuration and at sizes that
only tests have. With no fault on they have to pass, which also shows that the copy computes what the sources
do. A fault is killed if a test fails, or runs for longer than LONGEST seconds; every other one is named. What
no test can see, as it changes nothing that leaves the core, is told apart in `equivalent.toml`, with the
reason.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from perle.cores.registry import CORES, families
from perle.flow.cache import cache_root, content_hash
from perle.flow.places import CHECKOUT, INSTALLED
from perle.flow.tools import ToolError, run
from perle.trust import mutants
from perle.trust.mutants import Mutant
from perle.trust.parts import Part, Task, Wanted
from perle.trust.records import Record, Run

NAME = "mutation"
MOST = 200
SECONDS = 900.0
LONGEST = 120.0
WANTED = 0.97
"""Share of the faults that has to be killed."""
FIRST, TOTAL = 3.0, 8.0
"""Seconds of the longest test that is run for every fault, and of all of them."""
TESTS = 16
"""How many tests: each may need a simulator of its own."""
EQUIVALENT = Path(__file__).with_name("equivalent.toml")
SHARED = CORES / "prim" / "perle_pkg.sv"
"""The file that every core is compiled after."""
DURATIONS = CHECKOUT / "tests" / "durations.json"
KILLED, SURVIVED, SLOW, CRASHED = "killed", "survived", "killed: too slow", "killed: crashed"
PASSED, FAILED = 0, 1


@dataclass(frozen=True)
class Subject:
    """What is broken: files of one part of the hardware, and the tests that are to see it."""

    name: str
    files: tuple[Path, ...]
    tests: tuple[str, ...]


def subjects(only: str | None = None) -> list[Subject]:
    """Return every family, or one."""
    return [
        Subject(name, tuple(path for path in one.files if _is_own(path, one.folder)), _tests(name))
        for name, one in families().items()
        if only in (None, name)
    ]


def _is_own(path: Path, folder: Path) -> bool:
    return path.parent == folder and not path.stem.endswith("_pkg")


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
    return tuple(found)


def _collected(family: str) -> list[str]:
    """Return the names of all tests of a family's hardware."""
    words = ["-m", "pytest", "--collect-only", "-q", "-m", "not wide", f"perle/cores/{family}/test_rtl.py"]
    listed = run([sys.executable, *words], cwd=CHECKOUT, timeout=LONGEST).stdout
    return [line for line in listed.splitlines() if "::" in line]


class Copy:
    """A copy of the checkout with faults built in, and a cache of its own for what is built of it."""

    def __init__(self, subject: Subject, chosen: dict[int, Mutant]) -> None:
        self.subject = subject
        broken = [one.text for one in chosen.values()]
        key = content_hash([*subject.files, Path(mutants.__file__)], broken, list(subject.tests))
        self.folder = cache_root() / f"mutants-{subject.name}-{key}"
        self.tree, self.cache = self.folder / "tree", self.folder / "cache"
        if not self.tree.is_dir():
            self._make(chosen)

    def _make(self, chosen: dict[int, Mutant]) -> None:
        fresh = self.folder / "fresh"
        shutil.rmtree(fresh, ignore_errors=True)
        listed = run(["git", "-C", CHECKOUT, "ls-files", "-co", "--exclude-standard"]).stdout.splitlines()
        for name in listed:
            source = CHECKOUT / name
            if source.is_file() and not name.startswith("results/measure/"):
                (fresh / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, fresh / name)
        shared = fresh / SHARED.relative_to(CHECKOUT)
        shared.write_text(mutants.PACKAGE + shared.read_text(encoding="utf-8"), encoding="utf-8")
        for path in self.subject.files:
            own = {number: one for number, one in chosen.items() if one.path == path}
            text = mutants.instrumented(path.read_bytes(), own)
            (fresh / path.relative_to(CHECKOUT)).write_bytes(text)
        self.cache.mkdir(mode=0o700, exist_ok=True)
        fresh.rename(self.tree)

    def test(self, number: int, timeout: float | None = LONGEST) -> str:
        """Run the tests with a fault on, or with none (0); returns how that ended."""
        words = ["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *self.subject.tests]
        env = {**os.environ, "PERLE_CACHE": str(self.cache), mutants.VARIABLE: str(number)}
        log = self.folder / f"{number}.log"
        with log.open("wb") as file:
            try:
                done = subprocess.run(
                    [sys.executable, *words],
                    cwd=self.tree,
                    env=env,
                    stdout=file,
                    stderr=file,
                    check=False,
                    timeout=timeout,
                )
            except subprocess.TimeoutExpired:
                return SLOW
        if done.returncode in (PASSED, FAILED):
            return KILLED if done.returncode else SURVIVED
        if done.returncode < 0:
            return CRASHED
        raise ToolError("pytest", f"exit status {done.returncode} with fault {number}", f"see {log}")


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
    if copy.test(0, None) != SURVIVED:
        raise ToolError(
            "pytest", f"{subject.name}: tests fail without a fault", f"see {copy.folder / '0.log'}"
        )
    ready = mine.seconds
    left = [number for number in chosen if str(number) not in known]

    def one(number: int) -> tuple[int, str] | None:
        return (number, copy.test(number)) if mine.seconds < ready + seconds else None

    with ThreadPoolExecutor(max_workers=jobs) as threads:
        for ended in threads.map(one, left):
            if ended is not None:
                known[str(ended[0])] = ended[1]
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
    files = [
        *subject.files,
        CHECKOUT / "perle" / "cores" / subject.name / "test_rtl.py",
        Path(mutants.__file__),
    ]
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
