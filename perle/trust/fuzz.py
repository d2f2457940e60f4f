# SPDX-License-Identifier: Apache-2.0
"""Fuzzing: key files, specifications, settings, and calls and batches on failing boards.

The targets are those of host/fuzz, with the address and undefined-behaviour sanitizers. Each mutates its
seeds, without coverage feedback. An input that violates a property of its target ends the run and is reported
in hexadecimal, as a line for the file of seeds.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from perle.flow.host_make import make_host
from perle.flow.places import HOST, INSTALLED
from perle.flow.tools import ToolError
from perle.trust import records
from perle.trust.parts import Part, Task, Wanted
from perle.trust.records import Record, Run

NAME = "fuzz"
SECONDS = 300.0
TARGETS = {
    "key": "key files",
    "spec": "specifications of boards",
    "settings": "settings of the provider",
    "calls": "calls on boards that fail",
    "batch": "batches on boards that fail",
}
SPARE = 120.0
"""Seconds that the last input of a run may take beyond the time limit."""
ENDED = re.compile(r"^(\d+) seeds, (\d+) changed$", re.MULTILINE)
INPUT = re.compile(r"^input: ([0-9a-f]*)$", re.MULTILINE)


def build(target: str) -> Path:
    """Return a target's program, rebuilt if its sources changed."""
    if INSTALLED:
        raise ToolError("fuzz", "needs a checkout: the host's targets are not installed")
    program = HOST.parent / "build" / "host" / "asan" / f"target_{target}"
    make_host(program)
    return program


def seeds(target: str) -> Path:
    """Return a target's file of seeds."""
    return HOST / "fuzz" / "seeds" / f"{target}.txt"


def measure(target: str, seconds: float, seed: int, program: Path | None = None) -> Record:
    """Run a target for some seconds; `program` replaces the target's own."""
    path = program or build(target)
    mine = Run(NAME, TARGETS.get(target, target), seed)
    words = [str(path), str(seeds(target)), f"{seconds}", f"{seed}"]
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, errors="replace", check=False, timeout=seconds + SPARE
        )
        output, status = done.stdout + done.stderr, done.returncode
    except subprocess.TimeoutExpired:
        output, status = "hangs", 1
    ended = ENDED.search(output)
    found = [int(one) for one in ended.groups()] if ended else [0, 0]
    if status != 0 or ended is None:
        last = INPUT.search(output)
        said = next((line for line in output.splitlines() if "ERROR" in line or ": " in line), output[:200])
        mine.fail(f"{said.strip()} with input {last[1] if last else 'unknown'}")
    counts = dict(zip(("seeds", "changed"), found, strict=True))
    return mine.end(counts, made_of(target), ("g++", "openssl"))


def made_of(target: str) -> list[Path]:
    """Return the files that a target's campaign depends on."""
    own = [*sorted((HOST / "fuzz").glob("*.?pp")), seeds(target)]
    return [*records.host_files(), *own, Path(__file__)]


def _basis(target: str) -> tuple[list[Path], dict[str, Any]]:
    return made_of(target), {}


def tasks(wanted: Wanted) -> Iterator[Task]:
    """Yield a task per target; none for a single family."""
    if wanted.family is None:
        seconds = (wanted.seconds or SECONDS) / len(TARGETS)
        for target, case in TARGETS.items():
            run = partial(_task, target, seconds, wanted.seed)
            yield Task(NAME, case, run, basis=partial(_basis, target))


def _task(target: str, seconds: float, seed: int, _before: Record | None) -> Record:
    return measure(target, seconds, seed)


def row(one: Record) -> Sequence[str]:
    """Return the figures of a record."""
    return tuple(f"{int(one.counts[name]):,}" for name in ("seeds", "changed"))


FUZZ = Part(
    NAME,
    "Fuzzing",
    "No input makes the library crash, access memory out of bounds or execute undefined behaviour. With "
    "boards that fail in any way, no wrong result is released, every operation of a batch is reported "
    "once, and the boards work again afterwards. Inputs are mutated at random, without coverage feedback.",
    tasks,
    ("seeds", "mutated inputs"),
    row,
)
