# SPDX-License-Identifier: Apache-2.0
"""How many faults `make quick` sees: 30 places of the sources, chosen by chance, are broken one at a time.

A fault is one operator or constant that becomes another one. Some change nothing that can be seen (a bound
that is never met); so not all of them can be caught. Of `make quick`, the tests that a fault reaches are run,
but for those that see any change of a core: that its recorded results were taken with other sources.
The checkout is changed and put back: nothing may be uncommitted. `python -m tests.mutate [SEED [TRIED]]`:
the first TRIED faults are left out.
"""

from __future__ import annotations

import argparse
import io
import random
import subprocess
import sys
import time
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from rich.console import Console

from perle.flow.tools import scripts_dir
from perle.results.canonical import TOKEN
from tests.house import ROOT, files

OTHERS = {
    "==": "!=",
    "!=": "==",
    "<": "<=",
    ">": ">=",
    "&&": "||",
    "||": "&&",
    "and": "or",
    "or": "and",
    "+": "-",
    "-": "+",
    "&": "|",
    "|": "&",
    "^": "&",
    ">>": "<<",
    "<<": ">>",
    "*": "+",
    "//": "%",
    "'b0": "'b1",
    "'b1": "'b0",
    "true": "false",
    "false": "true",
    "True": "False",
    "False": "True",
}
# How many faults in what: (number, folder, suffix, not in files whose names have …).
GROUPS = (
    ("RTL", 12, "perle/cores", ".sv", "_sva"),
    ("boards", 3, "perle/boards", ".sv", "_sva"),
    ("models", 5, "perle/cores", ".py", "test_"),
    ("host", 6, "host/src", ".cpp", "test_"),
    ("CLI", 4, "perle/cli", ".py", "test_"),
)
SECONDS = 900
FAILED = {1, 2}  # 2: several processes that were stopped at the first failure
WANTED = 0.8


@dataclass(frozen=True)
class Fault:
    """A token of a file that becomes another one."""

    path: Path
    at: int
    was: str

    def applied(self, text: str) -> str:
        """Return the broken text."""
        return text[: self.at] + OTHERS[self.was] + text[self.at + len(self.was) :]

    def __str__(self) -> str:
        """Return the line, and what becomes of it."""
        text = self.path.read_text(encoding="utf-8")
        number = text.count("\n", 0, self.at)
        line = text.splitlines()[number].strip()
        return f"{self.path.relative_to(ROOT)}:{number + 1}: {self.was} → {OTHERS[self.was]}: {line}"


def places(path: Path) -> Iterator[Fault]:
    """Yield what can be broken in a file: operators between blanks, and constants."""
    text = path.read_text(encoding="utf-8")
    for at, word in _python(text) if path.suffix == ".py" else _tokens(text):
        around = text[at - 1] + text[at + len(word)]
        if word in OTHERS and (word[0].isalnum() or around.isspace() or (word[0], around[0]) == ("'", "1")):
            yield Fault(path, at, word)


def _tokens(text: str) -> Iterator[tuple[int, str]]:
    for found in TOKEN.finditer(text):
        if found.lastgroup in {"operator", "word"}:
            yield found.start(), found[0]


def _python(text: str) -> Iterator[tuple[int, str]]:
    begins = [0]
    for line in text.splitlines(keepends=True):
        begins.append(begins[-1] + len(line))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in {tokenize.OP, tokenize.NAME}:
            yield begins[token.start[0] - 1] + token.start[1], token.string


def faults(seed: int) -> Iterator[tuple[str, Fault]]:
    """Yield the faults of a seed, with the group of each."""
    chance = random.Random(seed)
    for group, number, folder, suffix, without in GROUPS:
        sources = [path for path in files(suffix) if path.is_relative_to(ROOT / folder)]
        every = [one for path in sources if without not in path.name for one in places(path)]
        yield from ((group, one) for one in chance.sample(every, number))


def is_seen(fault: Fault) -> bool:
    """Break a file, run the tests, put it back."""
    sound = fault.path.read_text(encoding="utf-8")
    words = ["-n", "2", "--dist", "worksteal", "-q", "-x", "--quick", "--changed", "HEAD"]
    command: list[str | Path] = [scripts_dir() / "pytest", *words, "-m", "not wide and not recorded"]
    try:
        fault.path.write_text(fault.applied(sound), encoding="utf-8")
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return True
    finally:
        fault.path.write_text(sound, encoding="utf-8")
    return done.returncode in FAILED


def main() -> int:
    """Try all faults of a seed, and tell which were not seen."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutate")
    parser.add_argument("seed", nargs="?", type=int, default=1, help="which faults")
    parser.add_argument("tried", nargs="?", type=int, default=0, help="how many of them are left out")
    words = parser.parse_args()
    out = Console(soft_wrap=True, highlight=False)
    status: list[str | Path] = ["git", "-C", ROOT, "status", "--porcelain"]
    dirty = subprocess.run(status, capture_output=True, check=True).stdout
    if dirty:
        out.print("something is uncommitted: the sources are changed and put back")
        return 2
    seen = tried = 0
    for group, fault in islice(faults(words.seed), words.tried, None):
        begin = time.monotonic()
        found = is_seen(fault)
        tried, seen = tried + 1, seen + found
        out.print(f"{'seen' if found else 'NOT SEEN'}  {time.monotonic() - begin:4.0f} s  {group}  {fault}")
    out.print(f"{seen} of {tried} seen, {WANTED:.0%} wanted")
    return 0 if seen >= WANTED * tried else 1


if __name__ == "__main__":
    sys.exit(main())
