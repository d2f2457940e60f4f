# SPDX-License-Identifier: Apache-2.0
"""Copies of the checkout with faults inserted, and servers that run tests on them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from perle.cores.registry import CORES, families
from perle.flow.cache import cache_root, content_hash
from perle.flow.host_make import LIBRARY, built
from perle.flow.places import CHECKOUT, PACKAGE
from perle.flow.tools import ToolError, run
from perle.trust import mutants, mutants_python, watched
from perle.trust.mutants import Mutant

SHARED = CORES / "prim" / "perle_pkg.sv"
"""The file that is compiled before the files of every core."""
BENCHES = ("test_rtl.py", "test_mul.py", "test_exp.py")
STATES = "perle/trust/test_states.py"
"""Tests of all families from random states, which run first."""
LEAKS = "perle/verify/test_state_leak.py"
"""Tests that a zeroization or a reset leaves no secrets, which run last."""
BENCH = tuple(
    PACKAGE / "verify" / name
    for name in (
        *("cases.py", "contract.py", "contract_testbench.cpp", "exponents.py", "failure.h", "failure.py"),
        *("state_leak.py", "testbench.py", "word.py", "word_testbench.cpp"),
    )
)
"""What the tests of hardware are made of."""
BUILDERS = PACKAGE / "boards"
HARDWARE, HOST_LIBRARY, PYTHON = "hardware", "host library", "python"
"""Kinds of code that are mutated."""
KILLED, SURVIVED, SLOW, CRASHED = "killed", "survived", "killed: too slow", "killed: crashed"
PASSED, FAILED = 0, 1
NONE_SUCH = ("4", "5")
"""Exit statuses of pytest if a requested test does not exist."""


@dataclass(frozen=True)
class Subject:
    """The subject of a campaign: the files to be mutated, and the tests that should detect the faults."""

    name: str
    files: tuple[Path, ...]
    tests: tuple[str, ...]
    more: tuple[str, ...] = ()
    """Tests for the mutants that survive `tests`."""
    beside: tuple[str, ...] = ()
    """Of the host library: Python tests that use its binding, for the mutants that survive its C++ tests."""
    kind: str = HARDWARE
    most: int = 200
    """Maximum number of mutants that are tried."""


def bench_files(family: str) -> list[Path]:
    """Return a family's files with tests of its multiplier's hardware, alone or with its exponentiator."""
    return [path for name in BENCHES if (path := CORES / family / name).is_file()]


def made_of(subject: Subject) -> list[Path]:
    """Return the files, besides the subject's own, that determine which of its faults are detected."""
    if subject.kind == PYTHON:
        tests = {CHECKOUT / test.partition("::")[0] for test in subject.tests}
        return [
            *sorted(tests),
            *(Path(__file__).with_name(f"mutants_{one}.py") for one in ("python", "text")),
        ]
    own = [
        Path(__file__).with_name(f"{one}.py") for one in ("mutants", "mutation_subjects", "state", "watched")
    ]
    shared = [CHECKOUT / STATES, CHECKOUT / LEAKS, *own, *watched.HEADERS, *BENCH]
    if subject.name in families():
        return [*bench_files(subject.name), watched.shapes_file(subject.name), *shared]
    tests = {CHECKOUT / test.partition("::")[0] for test in (*subject.tests, *subject.more)}
    return [*sorted(tests), *shared]


class Copy:
    """A copy of the checkout with faults inserted, and a separate cache for its builds."""

    def __init__(self, subject: Subject, chosen: dict[int, Mutant]) -> None:
        self.subject = subject
        broken = [one.text for one in chosen.values()]
        key = content_hash([*subject.files, *made_of(subject)], broken, list(subject.tests))
        self.folder = cache_root() / f"mutants-{subject.name}-{key}"
        self.tree, self.cache = self.folder / "tree", cache_root() / "mutants"
        self.settings: dict[str, str] = {}
        if subject.kind == PYTHON:  # the library has no faults
            self.cache = cache_root()
            self.settings["PERLE_LIB"] = str(built(LIBRARY, "lib", ("include", "src"), "libperle"))
        if self.builds:  # its names do not depend on the fault
            self.cache = self.folder / "cache"
        if not self.tree.is_dir():
            self._make(chosen)

    @property
    def builds(self) -> bool:
        """Whether the mutated code builds simulated boards, differently with every fault."""
        own = self.subject.kind == PYTHON
        return own and any(path.is_relative_to(BUILDERS) for path in self.subject.files)

    def _make(self, chosen: dict[int, Mutant]) -> None:
        fresh = self.folder / "fresh"
        shutil.rmtree(fresh, ignore_errors=True)
        listed = run(["git", "-C", CHECKOUT, "ls-files", "-co", "--exclude-standard"]).stdout.splitlines()
        for name in listed:
            source = CHECKOUT / name
            if source.is_file() and not name.startswith("results/measure/"):
                (fresh / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, fresh / name)
        if self.subject.kind == HARDWARE:
            shared = fresh / SHARED.relative_to(CHECKOUT)
            shared.write_text(mutants.PACKAGE + shared.read_text(encoding="utf-8"), encoding="utf-8")
        build_in = mutants.instrumented if self.subject.kind == HARDWARE else mutants_python.instrumented
        for path in self.subject.files:
            own = {number: one for number, one in chosen.items() if one.path == path}
            (fresh / path.relative_to(CHECKOUT)).write_bytes(build_in(path.read_bytes(), own))
        self.cache.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh.rename(self.tree)


class Tested(Protocol):
    """Sources, and programs built from them, on which Python tests run."""

    subject: Subject
    folder: Path
    tree: Path
    """The checkout in which the tests run."""
    cache: Path
    settings: dict[str, str]
    """Environment variables for the tests."""


class Server:
    """Runs the tests of a copy with any of its faults enabled, one run at a time."""

    def __init__(self, copy: Tested, tests: tuple[str, ...]) -> None:
        self.copy = copy
        words = ["-m", "perle.trust.forked", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
        self._process = subprocess.Popen(
            [sys.executable, *words, *tests],
            cwd=copy.tree,
            env={
                **os.environ,
                "PERLE_CACHE": str(copy.cache),
                "PYTHONPATH": str(copy.tree),
                **copy.settings,
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,  # Ctrl-C must end the campaign, not be taken for a failing test
        )

    def test(self, number: int, seconds: float, only: str = "") -> str:
        """Run the tests, or one of them, with a fault enabled or none (0); return the outcome.

        Builds made by faulty Python code are deleted: otherwise later runs would use them.
        """
        own = self.copy.cache.is_relative_to(self.copy.folder)
        known = set(self.copy.cache.iterdir()) if own else set()
        how = self._run(number, seconds, only)
        if number and own:
            for path in set(self.copy.cache.iterdir()) - known:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        return how

    def _run(self, number: int, seconds: float, only: str) -> str:
        log = self.copy.folder / f"{number}.log"
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{number} {seconds} {log}\t{only}\n")
        self._process.stdin.flush()
        status = self._process.stdout.readline().strip()
        known = {str(PASSED): SURVIVED, str(FAILED): KILLED, "slow": SLOW}
        if status in known:
            return known[status]
        if only and status in NONE_SUCH:
            return SURVIVED
        if status.startswith("-"):
            return CRASHED
        raise ToolError("pytest", f"exit status {status} with fault {number}", f"see {log}")

    def close(self) -> None:
        """End the process."""
        self._process.communicate()
