# SPDX-License-Identifier: Apache-2.0
"""Races: the tests of all that threads share, under the thread sanitizer.

The programs are those of host/tests/threads.mk: the library's tests in which threads share sets of boards,
lanes, links, batches, keys and systems, and the tests of the provider inside of libcrypto. Every test of
their sources has to run and to pass, without a report. Another program, with a race on purpose, has to be
reported.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from perle.flow.host_make import SIMULATED, make_host
from perle.flow.places import HOST, INSTALLED, build_folder
from perle.flow.tools import ToolError
from perle.trust import records
from perle.trust.parts import Part, Task, Wanted
from perle.trust.provider_files import provider_settings
from perle.trust.records import Record, Run

NAME = "threads"
CASES = {"shared": "sets, lanes, links, batches, systems", "provider": "the provider in libcrypto"}
RACY = "racy"
"""The program with a race on purpose."""
TESTS = HOST / "tests"
PROVIDER_TESTS = HOST / "provider" / "tests"
MAKEFILE, PROGRAMS = Path(__file__).with_suffix(".mk"), TESTS / "threads.mk"
CONTROL = Path(__file__).with_name("racy.cpp")
BOARDS = ("softboard", "softboard_sim", "fixture", "overlap", "bridge")
"""What all programs have of the library's tests."""
TIMEOUT = 1200.0
REPORTED = 66
"""The status of a program with a report: in a program whose tests pass, too."""

DEFINED = re.compile(r"^TEST\((\w+)\)", re.MULTILINE)
ENDED = re.compile(r"^(\d+) tests, (\d+) failed$", re.MULTILINE)
FAILED = re.compile(r"^FAILED (\w+)$", re.MULTILINE)
REPORT = re.compile(r"^(?:WARNING|FATAL|ERROR): ThreadSanitizer: .*$", re.MULTILINE)
SUMMARY = re.compile(r"^SUMMARY: (ThreadSanitizer: .*)$", re.MULTILINE)
PROCESS = re.compile(r" \(pid=\d+\)")


@dataclass(frozen=True)
class Ran:
    """What a program did: its status, how many tests it ran, and what it printed."""

    status: int
    tests: int
    output: str

    @property
    def reports(self) -> list[str]:
        """First lines of the sanitizer's reports."""
        return [PROCESS.sub("", one) for one in REPORT.findall(self.output)]


def build(name: str) -> Path:
    """Return a program with a board beside it, rebuilt if its sources changed."""
    if INSTALLED:
        raise ToolError("threads", "needs a checkout: the host's tests are not installed")
    folder = build_folder() / "tsan"
    for program in (folder / "softboard.so", folder / name):
        make_host(program, makefile=os.path.relpath(MAKEFILE, HOST))
    return folder / name


def watch(program: Path) -> Ran:
    """Run a program under the sanitizer."""
    options = f"exitcode={REPORTED} {os.environ.get('TSAN_OPTIONS', '')}".strip()
    board = program.with_name("softboard.so")
    environment = {**os.environ, "SOFTBOARD_SO": str(board), "TSAN_OPTIONS": options}
    try:
        done = subprocess.run(
            [program],
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=TIMEOUT,
        )
    except subprocess.TimeoutExpired:
        return Ran(1, 0, f"hangs: not ended after {TIMEOUT:.0f} s")
    output = done.stdout + done.stderr
    ended = ENDED.search(output)
    return Ran(done.returncode, int(ended[1]) if ended else 0, output)


def wrong(ran: Ran, tests: int) -> Iterator[str]:
    """Yield what is wrong with a run of a program that has so many tests."""
    places = SUMMARY.findall(ran.output)
    for at, report in enumerate(ran.reports):
        yield f"{report}: {places[at].removeprefix('ThreadSanitizer: ')}" if at < len(places) else report
    failed = FAILED.findall(ran.output)
    yield from (f"test {name} failed" for name in failed)
    if ran.tests != tests:
        yield f"{ran.tests} of {tests} tests were run"
    if ran.status != 0 and not ran.reports and not failed:
        last = ran.output.strip().splitlines()[-1:] or ["no output"]
        yield f"ended with status {ran.status}: {last[0][:200]}"


def sources(name: str) -> list[Path]:
    """Return the files with a program's tests."""
    if name == "provider":
        return [PROVIDER_TESTS / "test_threads.cpp"]
    named = re.search(r"^SHARED := (.*)$", PROGRAMS.read_text(encoding="utf-8"), re.MULTILINE)
    assert named is not None
    return [TESTS / f"test_{one}.cpp" for one in named[1].split()]


def defined(name: str) -> dict[str, int]:
    """Return the number of tests in each of these files."""
    return {
        path.stem.removeprefix("test_"): len(DEFINED.findall(path.read_text(encoding="utf-8")))
        for path in sources(name)
    }


def measure(name: str, seed: int, _before: Record | None = None) -> Record:
    """Run a program, and record how many tests it has run."""
    mine = Run(NAME, CASES[name], seed, **settings(name))
    ran, control = watch(build(name)), watch(build(RACY))
    found = defined(name)
    for what in wrong(ran, sum(found.values())):
        mine.fail(what)
    if not control.reports or control.status != REPORTED:
        mine.fail("the sanitizer does not report a race on purpose")
    counts = {"tests": ran.tests, "reports": len(ran.reports), "control: reports": len(control.reports)}
    counts |= {f"{one}: tests": number for one, number in found.items()}
    return mine.end(counts, made_of(name), ("g++", "openssl"))


def made_of(name: str) -> list[Path]:
    """Return the files that a program's campaign depends on; the provider's are in its settings."""
    own = [*(TESTS / f"{one}.cpp" for one in (*BOARDS, "test_main")), *sorted(TESTS.glob("*.hpp")), PROGRAMS]
    if name == "shared":
        own += sources(name)
    board = [SIMULATED / "static_storage.cpp", SIMULATED / "perle_sim.h"]
    return [*records.host_files(), *own, *board, MAKEFILE, CONTROL, Path(__file__)]


def settings(name: str) -> dict[str, str]:
    """Return what else a program's campaign depends on."""
    if name != "provider":
        return {}
    return provider_settings([*sources(name), *PROVIDER_TESTS.glob("harness.?pp")])


def _basis(name: str) -> tuple[list[Path], dict[str, Any]]:
    return made_of(name), settings(name)


def tasks(wanted: Wanted) -> Iterator[Task]:
    """Yield a task for each program; none for a single family."""
    if wanted.family is None:
        for name, case in CASES.items():
            yield Task(NAME, case, partial(measure, name, wanted.seed), basis=partial(_basis, name))


def row(one: Record) -> Sequence[str]:
    """Return the figures of a record."""
    return tuple(f"{int(one.counts[name]):,}" for name in ("tests", "reports", "control: reports"))


def remarks(one: Record) -> Sequence[str]:
    """Tell which tests they are."""
    every = {name.removesuffix(": tests"): n for name, n in one.counts.items() if name.endswith(": tests")}
    return [", ".join(f"`{name}` {int(number)}" for name, number in every.items())]


THREADS = Part(
    NAME,
    "Races",
    "Threads that share sets of boards, lanes, links, batches, keys and systems, and threads of a program "
    "that signs and decrypts through the provider for OpenSSL, do so without a data race, a lock taken in "
    "different orders or a lock misused: the tests of all this pass under gcc's thread sanitizer, which "
    "reports nothing. It sees what these tests execute; libcrypto is not compiled for it, so the sanitizer "
    "sees its locks, but not its own accesses to memory. A race on purpose has to be reported.",
    tasks,
    ("tests", "reports", "reports of a race on purpose"),
    row,
    remarks,
)
