# SPDX-License-Identifier: Apache-2.0
"""Mutation of the host library with its own tests: one build for all faults, without sanitizers."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from perle.flow import tools
from perle.flow.cache import cache_root, content_hash
from perle.flow.places import CHECKOUT, HOST
from perle.flow.tools import ToolError
from perle.trust.mutants import Mutant
from perle.trust.mutants_text import instrumented
from perle.trust.mutation_copy import CRASHED, KILLED, SLOW, SURVIVED, Subject
from perle.trust.records import LIBPERLE, Records, stale

SOURCES = HOST / "src"
HERE = Path(__file__).parent
MAKEFILE, CHOICE = HERE / "mutants.mk", HERE / "mutants.hpp"
TRIES = 12
"""Maximum number of builds, each without the mutants that the compiler rejected before."""
SEEN = re.compile(rb"^FAILED (.+?)(?: - .*)?$", re.M)
"""How a failed test is reported, by the C++ tests and by pytest."""
PYTEST = "::"
"""Occurs in the names of Python tests only."""
MEMORY = 4 << 30
POLL = 0.02
REFUSING = re.compile(
    r"^(?:In file included from )?(\S+\.cpp):(\d+):\d+:\s+(?:fatal )?(?:error|required from)", re.M
)


def made_of(subject: Subject) -> list[Path]:
    """Return the files, besides the library's own, that determine which faults are detected."""
    beside = [path for path in (HOST / "tests").iterdir() if path.suffix in {".cpp", ".hpp"}]
    python = {CHECKOUT / test.partition("::")[0] for test in subject.beside}
    return [*sorted(beside), *sorted(python), HERE / "mutants_text.py", Path(__file__), MAKEFILE, CHOICE]


def _key(one: Mutant) -> str:
    """Return a key that is unique among the faults of all files and all versions of a file."""
    return content_hash([one.path], one.path.name, one.begin, one.end, one.broken)


def folder(checkout: Path) -> Path:
    """Return the folder of a checkout's copy of the library: make's outputs refer to its files."""
    return cache_root() / f"mutants-host-{content_hash([], str(checkout))}"


class HostCopy:
    """The library's files with faults inserted, and the test programs built from them.

    Only files that changed since the last campaign are compiled. `refused`: faults that do not compile.
    """

    def __init__(self, subject: Subject, chosen: dict[int, Mutant]) -> None:
        self.subject, self.chosen, self.refused = subject, chosen, set[int]()
        self.folder, self.tree, self.cache = folder(CHECKOUT), CHECKOUT, cache_root()
        self.out, self.sources = self.folder / "out", self.folder / "src"
        self.settings = {"PERLE_LIB": f"{self.out / 'mutant' / 'libperle.so'}"}
        self.out.mkdir(mode=0o700, parents=True, exist_ok=True)
        known, keys = self.folder / "refused", {number: _key(one) for number, one in chosen.items()}
        before = known.read_text(encoding="utf-8").splitlines() if known.is_file() else []
        self.refused |= {number for number, key in keys.items() if key in before}
        for _ in range(TRIES):
            self._write(chosen)
            said = self._make()
            if said is None:
                known.write_text("\n".join(keys[number] for number in self.refused), encoding="utf-8")
                return
            refused = self._blamed(said, chosen)
            if not refused:
                break
            self.refused |= refused
        raise ToolError("make", "the host library cannot be built with faults", f"see {self.folder / 'log'}")

    def saw(self, numbers: Iterable[int]) -> dict[int, str]:
        """Return the tests that detected faults in the previous campaign, from its logs.

        They are only tried first: if a number belonged to another fault then, only time is lost.
        """
        logs = {number: self.folder / f"{number}.log" for number in numbers}
        texts = {number: log.read_bytes() for number, log in logs.items() if log.is_file()}
        return {number: found[1].decode() for number, text in texts.items() if (found := SEEN.search(text))}

    def asleep(self) -> set[int]:
        """Return the faults on lines that the tests do not execute, by a current coverage record."""
        known = [one for one in Records().load("coverage") if one.case == LIBPERLE and not stale(one)]
        missed = known[0].settings["missed"] if known else {}
        found = set()
        for number, one in self.chosen.items():
            line = one.path.read_bytes().count(b"\n", 0, one.begin) + 1
            for each in missed.get(one.path.relative_to(SOURCES).as_posix(), ()):
                first, _, last = each.partition("-")
                if int(first) <= line <= int(last or first):
                    found.add(number)
        return found

    def _write(self, chosen: dict[int, Mutant]) -> None:
        for path in sorted(SOURCES.glob("*/*.cpp")):
            own = {
                number: one
                for number, one in chosen.items()
                if one.path == path and number not in self.refused
            }
            text, to = instrumented(path.read_bytes(), own), self.sources / path.relative_to(SOURCES)
            if not to.is_file() or to.read_bytes() != text:
                to.parent.mkdir(parents=True, exist_ok=True)
                to.write_bytes(text)

    def _make(self) -> str | None:
        """Build the programs; return the compiler's errors, if any."""
        words: list[str | Path] = ["make", "-k", "-f", MAKEFILE, f"OUT={self.out}", f"MUTATED={self.sources}"]
        words.append(f"PEAKRDL={tools.venv_tool('peakrdl')}")
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        (self.folder / "log").write_text(done.stdout + done.stderr, encoding="utf-8")
        return done.stderr if done.returncode else None

    def _blamed(self, said: str, chosen: dict[int, Mutant]) -> set[int]:
        """Return the faults on the lines with compiler errors."""
        lines = {(Path(found[1]), int(found[2])) for found in REFUSING.finditer(said)}
        blamed = set()
        for number, one in chosen.items():
            source, copied = one.path.read_bytes(), self.sources / one.path.relative_to(SOURCES)
            first, last = (source.count(b"\n", 0, at) + 1 for at in (one.begin, one.end))
            if any(path == copied and first <= line <= last for path, line in lines):
                blamed.add(number)
        return blamed - self.refused


class HostServer:
    """Runs some of these programs with any of the faults enabled, up to the first test that fails."""

    def __init__(self, copy: HostCopy, tests: tuple[str, ...]) -> None:
        self.copy, self.asleep, self.programs = copy, copy.asleep(), tests

    def test(self, number: int, seconds: float, only: str = "") -> str:
        """Run the tests, or one of them, with a fault enabled or none (0); return the outcome."""
        how = SURVIVED
        if number not in self.asleep:
            for program in self.programs:
                if how == SURVIVED:
                    how = self._run(program, number, seconds, only)
        return how

    def _run(self, program: str, number: int, seconds: float, only: str) -> str:
        log = self.copy.folder / f"{number}.log"
        words: list[str | Path] = [
            "prlimit",
            f"--as={MEMORY}",
            "stdbuf",
            "-oL",
            self.copy.out / "mutant" / program,
            *([only] if only else []),
        ]
        more = {"PERLE_MUTANT": f"{number}", "SOFTBOARD_SO": f"{self.copy.out / 'softboard.so'}"}
        with log.open("wb") as to:
            process = subprocess.Popen(
                words,
                cwd=self.copy.folder,
                env={**os.environ, **more},
                stdin=subprocess.DEVNULL,
                stdout=to,
                stderr=to,
                start_new_session=True,
            )
        how = ended(process, seconds, lambda: SEEN.search(log.read_bytes()) is not None)
        # A program that does not contain the requested test ends like one whose test failed.
        return SURVIVED if only and not SEEN.search(log.read_bytes()) else how

    def close(self) -> None:
        """Do nothing: no process runs between two tests."""


def ended(process: subprocess.Popen[bytes], seconds: float, failed: Callable[[], bool]) -> str:
    """Wait until a program ends, fails or reaches the timeout; return which."""
    begin, how = time.monotonic(), ""
    while process.poll() is None and not how:
        time.sleep(POLL)
        if failed():
            how = KILLED
        elif time.monotonic() > begin + seconds:
            how = SLOW
    if how:
        with contextlib.suppress(ProcessLookupError):  # it may have just ended
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return how
    if process.returncode == 0:
        return SURVIVED
    return KILLED if process.returncode > 0 and failed() else CRASHED
