# SPDX-License-Identifier: Apache-2.0
"""Mutation campaigns: how many faults in hardware, host library and Python their own tests detect.

Randomly chosen faults are inserted into a copy of the sources (`perle.trust.mutants`, `mutants_text`,
`mutants_python`), and the tests run on it for each fault. For a family these are its tests from random
states, and the quickest tests of its narrowest configuration and of sizes that only tests use; for the host
library its own; for Python those of the same folder. If they detect nothing, more tests follow. Without a
fault all must pass, which also shows that the copy behaves like the sources. A fault is killed if a test
fails, or takes much longer than without it; all others are listed. Equivalent faults, which no test can
detect because they change nothing outside the part, are listed separately in `equivalent.toml` and
`equivalent_software.toml`, with the reason.
"""

from __future__ import annotations

import hashlib
import os
import time
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Event, Lock
from typing import Any

from perle.cores.registry import families
from perle.flow.places import INSTALLED
from perle.flow.tools import ToolError
from perle.trust import mutants, mutants_python, mutants_text, mutation_host
from perle.trust.mutants import Mutant
from perle.trust.mutation_copy import (
    CRASHED,
    HARDWARE,
    HOST_LIBRARY,
    KILLED,
    PYTHON,
    SLOW,
    SURVIVED,
    Copy,
    Server,
    Subject,
    made_of,
)
from perle.trust.mutation_host import PYTEST, HostCopy, HostServer
from perle.trust.mutation_subjects import OTHERS, own_files, subjects
from perle.trust.parts import Ended, Part, Task, Wanted
from perle.trust.records import Record, Run, host_files

NAME = "mutation"
SECONDS = 9000.0
"""Time for all subjects: enough for all faults on two cores."""
BUILDING = 3600.0
LEAST, SLOWER = 20.0, {HARDWARE: 6.0, HOST_LIBRARY: 3.0, PYTHON: 6.0}
"""Time limit of a mutant's tests: SLOWER times their duration without a fault, at least LEAST seconds."""
WANTED = 0.97
"""Required share of mutants that are killed, equivalent ones excluded."""
REFUSED = "refused"
"""Outcome of a mutant that does not compile; it is not counted."""
PLACES = {
    HARDWARE: mutants.places,
    HOST_LIBRARY: mutants_text.places,
    PYTHON: mutants_python.places,
}
WAITING = 2
"""Programs of the host library's tests for each job: they mostly wait for boards that do not answer."""
DRAW = "by the hash of its name"
"""How faults are drawn; records that drew otherwise are not continued."""
EQUIVALENT = tuple(Path(__file__).with_name(f"equivalent{of}.toml") for of in ("", "_software"))


def equivalents() -> dict[str, str]:
    """Return the reasons why faults are equivalent, by their names (`named`)."""
    return {
        f"{one['fault']}{f' #{which}' if which else ''}": one["why"]
        for path in filter(Path.exists, EQUIVALENT)
        for one in tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]
        for which in one.get("which", [0])
    }


def without_line(text: str) -> str:
    """Return a fault's text without its line number, which changes with every edit above it."""
    name, _, rest = text.split(":", 2)
    return f"{name}:{rest}"


def named(every: Iterable[Mutant]) -> dict[Mutant, str]:
    """Return the name of each fault: its text without the line number, and its number among equal texts."""
    alike: dict[str, list[Mutant]] = {}
    for one in sorted(every, key=lambda one: (one.path, one.begin, one.end)):
        alike.setdefault(without_line(one.text), []).append(one)
    return {
        one: f"{text} #{which}" if len(found) > 1 else text
        for text, found in alike.items()
        for which, one in enumerate(found, 1)
    }


def drawn(names: Mapping[Mutant, str], seed: int) -> list[Mutant]:
    """Return the faults in the order in which a seed draws them.

    It is that of a hash of each fault's name: a change of the sources leaves the draw of all other faults as
    it was.
    """
    return sorted(names, key=lambda one: hashlib.sha256(f"{seed} {names[one]}".encode()).digest())


def campaign(subject: Subject, before: Record | None, seed: int, seconds: float, jobs: int) -> Record:
    """Try the faults chosen by a seed, for about that many seconds, with that many jobs.

    Continues after the faults of the record `before`, if it has the same seed.
    """
    every = [one for path in subject.files for one in PLACES[subject.kind](path)]
    names, reasons = named(every), equivalents()
    chosen = dict(enumerate(drawn(names, seed)[: subject.most], 1))
    explained = {number for number, one in chosen.items() if names[one] in reasons}
    mine = Run(
        NAME,
        subject.name,
        seed,
        places=len(every),
        draw=DRAW,
        tests=list(subject.tests),
        more=list(subject.more),
        beside=list(subject.beside),
    )
    known: dict[str, str] = {}
    spent = 0.0
    same = {"places": len(every), "draw": DRAW}.items()
    if before is not None and before.seed == seed and same <= before.settings.items():
        known, spent = dict(before.settings.get("outcomes", {})), before.seconds
    copy = HostCopy(subject, chosen) if subject.kind == HOST_LIBRARY else Copy(subject, chosen)
    if isinstance(copy, HostCopy):
        known |= dict.fromkeys(map(str, copy.refused), REFUSED)
    mine.settings["outcomes"] = known
    try:
        _try_all(copy, chosen, explained, known, seconds, jobs)
    except KeyboardInterrupt:
        raise Ended(record(mine, subject, chosen, explained, known, spent)) from None
    return record(mine, subject, chosen, explained, known, spent)


def _try_all(
    copy: Copy | HostCopy,
    chosen: dict[int, Mutant],
    explained: set[int],
    known: dict[str, str],
    seconds: float,
    jobs: int,
) -> None:
    """Run a subject's tests for the faults not detected or tried yet; add the outcomes to `known`."""
    subject = copy.subject

    def alive() -> list[int]:
        return [number for number in chosen if known.get(str(number)) == SURVIVED and number not in explained]

    left = [number for number in chosen if str(number) not in known] + alive()
    before_this = _Before(copy, left) if isinstance(copy, HostCopy) else None
    _try(copy, subject.tests, left, known, seconds, jobs, before_this)
    if before_this is not None:
        before_this.close()
    for tests in (subject.more, subject.beside):  # the longest last
        if tests and (left := alive()):
            _try(copy, tests, left, known, seconds, jobs)


def _try(
    copy: Copy | HostCopy,
    tests: tuple[str, ...],
    numbers: list[int],
    known: dict[str, str],
    seconds: float,
    jobs: int,
    first: _Before | None = None,
) -> None:
    """Run tests for each of these faults, for that many seconds; add the outcomes to `known`.

    At the end the tests must pass again without a fault: if they do not, a full disk or a lost file may have
    ended the others, and these outcomes are dropped.
    """
    programs = isinstance(copy, HostCopy) and tests != copy.subject.beside
    jobs *= WAITING if programs else 1
    servers = [
        HostServer(copy, tests) if isinstance(copy, HostCopy) and programs else Server(copy, tests)
        for _ in range(jobs)
    ]
    if servers[0].test(0, BUILDING) != SURVIVED:  # builds all simulators
        raise ToolError(
            "pytest", f"{copy.subject.name}: tests fail without a fault", f"see {copy.folder / '0.log'}"
        )
    begin = time.monotonic()
    servers[0].test(0, BUILDING)
    longest = max(LEAST, SLOWER[copy.subject.kind] * (time.monotonic() - begin))
    begin, left, taking, ended = time.monotonic(), iter(numbers), Lock(), Event()
    before = dict(known)

    def work(server: Server | HostServer) -> None:
        while time.monotonic() < begin + seconds and not ended.is_set():
            with taking:
                number = next(left, None)
            if number is None:
                break
            seen = first is not None and first.sees(number)
            how = KILLED if seen else server.test(number, longest)
            if not ended.is_set():  # tests that were ended with the campaign have no outcome
                known[str(number)] = how

    try:
        with ThreadPoolExecutor(max_workers=jobs) as threads:
            try:
                list(threads.map(work, servers))
            finally:
                ended.set()
        sound = servers[0].test(0, BUILDING) == SURVIVED
    finally:
        for server in servers:
            server.close()
    if not sound:
        known.clear()
        known |= before
        raise ToolError("pytest", f"{copy.subject.name}: tests no longer pass without a fault", "try again")


class _Before:
    """The tests that detected faults in the previous campaign, from its logs: they are tried first."""

    def __init__(self, copy: HostCopy, numbers: Sequence[int]) -> None:
        self.saw, subject = copy.saw(numbers), copy.subject
        self._own, self._beside = HostServer(copy, subject.tests + subject.more), None
        if subject.beside and any(PYTEST in test for test in self.saw.values()):
            self._beside = Server(copy, subject.beside)

    def sees(self, number: int) -> bool:
        """Whether that test alone detects the fault again."""
        test = self.saw.get(number, "")
        server = self._beside if PYTEST in test else self._own
        return bool(test) and server is not None and server.test(number, LEAST, test) == KILLED

    def close(self) -> None:
        """End the processes that run the tests."""
        if self._beside is not None:
            self._beside.close()


def record(
    mine: Run,
    subject: Subject,
    chosen: dict[int, Mutant],
    explained: set[int],
    known: dict[str, str],
    spent: float,
) -> Record:
    """Return the record of the outcomes; `explained`: numbers of the equivalent faults."""
    known = {number: how for number, how in known.items() if how != REFUSED}
    alive = [int(number) for number, how in sorted(known.items()) if how == SURVIVED]
    same = [chosen[number].text for number in alive if number in explained]
    survivors = [chosen[number].text for number in alive if number not in explained]
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
    if subject.kind == HOST_LIBRARY:
        return mine.end(counts, [*host_files(), *mutation_host.made_of(subject)], ("g++",), spent)
    files = [*subject.files, *made_of(subject)]
    return mine.end(counts, files, ("verilator", "g++", "pytest"), spent)


def tasks(wanted: Wanted) -> Iterator[Task]:
    """Yield a campaign per subject; the time is divided evenly."""
    if INSTALLED:
        raise ToolError("mutation", "needs a checkout: the tests are not installed")
    chosen = [name for name in (*families(), *OTHERS) if wanted.family in (None, name)]
    seconds = (wanted.seconds or SECONDS) / len(chosen)
    for name in chosen:
        run = partial(_task, name, wanted.seed, seconds)
        yield Task(NAME, name, run, basis=partial(_basis, name) if name in families() else None)


def _basis(family: str) -> tuple[list[Path], dict[str, Any]]:
    files = own_files(families()[family])
    return [*files, *made_of(Subject(family, files, ()))], {}


def _task(name: str, seed: int, seconds: float, before: Record | None) -> Record:
    [subject] = subjects(name)
    # tests of Python use common files
    jobs = 1 if subject.kind == PYTHON else len(os.sched_getaffinity(0))
    return campaign(subject, before, seed, seconds, jobs)


def row(one: Record) -> tuple[str, ...]:
    """Return the figures of a record."""
    counts = {name: int(value) for name, value in one.counts.items()}
    able = counts["tried"] - counts["equivalent"]
    share = f"{counts['killed'] / able:.1%}" if able else "–"
    names = ("places", "tried", "killed", "slow or crashed", "equivalent", "survivors")
    return (*(f"{counts[name]:,}" for name in names), share)


def remarks(one: Record) -> Sequence[str]:
    """Name the survivors."""
    return [f"survived: `{text}`" for text in one.settings["survivors"]]


MUTATION = Part(
    NAME,
    "Mutation",
    "The share of random mutants of a family's sources, of the exponentiator (`modexp`) and the boards' "
    "registers (`boards-rtl`), of the host library (`libperle`) and of `apps` and `boards` in Python that "
    f"their own tests in `make test` kill; {WANTED:.0%} are required. A mutant differs "
    "in one place: an operator, a constant, a condition, a negation or a returned value is exchanged, or "
    "a statement removed. Code that is evaluated at elaboration, by the compiler or at import is not "
    "mutated.",
    tasks,
    ("places", "mutants", "killed", "of these slow or crashed", "equivalent", "survived", "killed, share"),
    row,
    remarks,
    software=tuple(OTHERS),
)
