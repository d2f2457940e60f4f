# SPDX-License-Identifier: Apache-2.0
"""The subjects of mutation campaigns: mutated files, and the tests that should detect the faults."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path

from perle.cores.registry import CORES, Family, families
from perle.flow.places import CHECKOUT, HOST, PACKAGE
from perle.flow.tools import run
from perle.trust.mutation_copy import HOST_LIBRARY, LEAKS, PYTHON, STATES, Subject, bench_files
from perle.trust.records import LIBPERLE
from perle.trust.watched import shapes

QUICK, MORE = (8, 2.0, 4.0), (40, 5.0, 30.0)
"""Limits for a family's own tests: their number, seconds of the longest one, and seconds of all. QUICK for
every mutant, MORE for those that survive; each test may have to build a simulator of its own."""
OF_TEXT = re.compile("can_fail|style")
"""Names of tests of the source text, which always fail on mutated sources."""
OF_SOURCES = re.compile("lint|wrapper|config_hash|broken|every_kind|can_fail|style|thread")
"""Names of tests of shared hardware that do not simulate it, or mutate it themselves."""
LONGEST_LOGIC = 1.5
"""Seconds of the longest test of shared hardware that is tried for every mutant."""
LONGEST_PYTHON = 1.8
"""Seconds of the longest test of a Python package that is used."""
LONGEST_BESIDE = 1.5
"""The same for tests of active memories: some drivers can only be tested with simulated boards."""
ACCOUNTS = "account"
"""Occurs in the names of tests that check how work is accounted for."""
LISTING = 120.0
DURATIONS = CHECKOUT / "tests" / "durations.json"


def subjects(only: str | None = None) -> list[Subject]:
    """Return all subjects (families, the host library, Python packages, shared hardware), or one of them."""
    return [*_families(only), *(one() for name, one in OTHERS.items() if only in (None, name))]


def _families(only: str | None) -> list[Subject]:
    return [
        Subject(
            name,
            own_files(one),
            (*_states(name), *_tests(name, *QUICK)),
            (*_tests(name, *MORE), *_leaks(name)),
        )
        for name, one in families().items()
        if only in (None, name)
    ]


def logic_files(name: str) -> tuple[Path, ...]:
    """Return the files of one of LOGIC, without packages."""
    return tuple(path for path in sorted(LOGIC[name][0].glob("*.sv")) if not path.stem.endswith("_pkg"))


def _logic(name: str) -> Subject:
    """Return hardware that all families share as a subject: its quickest tests first, then the others."""
    tests = [one for one in _collected(*LOGIC[name][1]) if not OF_SOURCES.search(one)]
    seconds = _seconds()
    tests.sort(key=lambda one: seconds.get(one, 0))
    quick = [one for one in tests if seconds.get(one, 0) <= LONGEST_LOGIC]
    more = [one for one in tests if one not in quick]
    return Subject(name, logic_files(name), tuple(quick), tuple(more))


def _libperle() -> Subject:
    files = tuple(sorted((HOST / "src").glob("*/*.cpp")))
    return Subject(LIBPERLE, files, ("quick",), ("slow", "zeroized"), _beside(), kind=HOST_LIBRARY, most=235)


def _python(name: str) -> Subject:
    """Return a Python folder as a subject, with its quickest tests."""
    folder = PACKAGE / name
    files = [path for path in sorted(folder.glob("*.py")) if not path.name.startswith(("test_", "cocotb_"))]
    quick = _quickest(sorted(folder.glob("test_*.py")), LONGEST_PYTHON)
    return Subject(name, tuple(files), quick, kind=PYTHON, most=120)


def _quickest(files: Iterable[Path], longest: float) -> tuple[str, ...]:
    """Return the tests of files that take at most `longest` seconds, shortest first; unknown: 0."""
    seconds = _seconds()
    tests = [one for one in _collected(*files) if seconds.get(one, 0) <= longest]
    return tuple(sorted(tests, key=lambda one: seconds.get(one, 0)))


def _beside() -> tuple[str, ...]:
    """Return tests of drivers of active memories: those of their accounts, and the shortest known ones."""
    seconds = _seconds()
    tests = _collected(*sorted((PACKAGE / "host" / "pam").glob("test_*.py")))
    accounts = [one for one in tests if ACCOUNTS in one]
    known = [one for one in tests if one not in accounts and seconds.get(one, LISTING) <= LONGEST_BESIDE]
    return (*accounts, *sorted(known, key=lambda one: seconds[one]))


def _seconds() -> dict[str, float]:
    """Return the recorded durations of tests."""
    found: dict[str, float] = json.loads(DURATIONS.read_text(encoding="utf-8"))["seconds"]
    return found


SOFTWARE: dict[str, Callable[[], Subject]] = {
    LIBPERLE: _libperle,
    "apps": partial(_python, "apps"),
    "boards": partial(_python, "boards"),
}
"""Software that is mutated."""

LOGIC: dict[str, tuple[Path, tuple[Path, ...]]] = {
    "modexp": (
        CORES / "modexp",
        (CORES / "modexp" / "test_rtl.py", *(CORES / name / "test_exp.py" for name in ("orup", "iterative"))),
    ),
    "boards-rtl": (
        PACKAGE / "boards",
        (
            *(PACKAGE / "boards" / f"test_{name}.py" for name in ("lanes", "sim", "board")),
            *(CORES / "stream" / "engine" / f"test_{name}.py" for name in ("engine", "faults", "zeroize")),
            PACKAGE / "trust" / "test_bus.py",
        ),
    ),
}
"""Hardware that all families share, with its tests: the exponentiator, and the registers of boards."""

OTHERS: dict[str, Callable[[], Subject]] = {**SOFTWARE, **{name: partial(_logic, name) for name in LOGIC}}
"""Everything that is mutated besides the families of cores."""


def own_files(family: Family) -> tuple[Path, ...]:
    """Return the files of a family that are mutated: those in its folder, without packages."""
    return tuple(
        path for path in family.files if path.parent == family.folder and not path.stem.endswith("_pkg")
    )


def _states(family: str) -> tuple[str, ...]:
    """Return the tests of a family from random states."""
    names = ("test_a_reset_leads_to_one_state", "test_it_works_from_any_state")
    all_of_it = [f"{STATES}::{test}[{family}-{shape.name}]" for test in names for shape in shapes(family)]
    return tuple(test for test in all_of_it if test in _collected(CHECKOUT / STATES))


def _leaks(family: str) -> tuple[str, ...]:
    """Return the tests for leftover secrets of a family, however long they take."""
    mine = re.compile(rf"::test_a_\w+_leaves_nothing\[{family}\b")
    return tuple(test for test in _collected(CHECKOUT / LEAKS) if mine.search(test))


def _tests(family: str, most: int, longest: float, total: float) -> tuple[str, ...]:
    """Return a family's own tests: of its narrowest configuration first, then those of no named one."""
    one = families()[family]
    narrowest = min(one.configs, key=lambda name: one.config(name).width)
    seconds = _seconds()
    found: list[str] = []
    for test in sorted(
        _collected(*bench_files(family)), key=lambda test: (f"[{narrowest}" not in test, seconds.get(test, 0))
    ):
        words = test.partition("[")[2].rstrip("]").split("-")
        took = seconds.get(test, 0)
        other = set(words) & (set(one.configs) - {narrowest})
        if len(found) < most and took <= min(longest, total) and not other and not OF_TEXT.search(test):
            found.append(test)
            total -= took
    return tuple(found)


@cache
def _collected(*files: Path) -> list[str]:
    """Return the names of the tests in files that `make test` runs."""
    names = [path.relative_to(CHECKOUT).as_posix() for path in files]
    words = ["-m", "pytest", "--collect-only", "-q", "-m", "not wide", *names]
    listed = run([sys.executable, *words], cwd=CHECKOUT, timeout=LISTING).stdout
    return [line for line in listed.splitlines() if "::" in line]
