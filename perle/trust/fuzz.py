# SPDX-License-Identifier: Apache-2.0
"""Fuzzing: key files, specifications, settings, calls and batches on failing boards, and OpenSSL's provider.

The targets are those of host/fuzz, with the address and undefined-behaviour sanitizers. Each mutates its
seeds, without coverage feedback. An input that violates a property of its target, or takes too long, ends the
run and is reported in hexadecimal, as a line for the file of seeds.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from perle.flow.host_make import make_host
from perle.flow.places import HOST, INSTALLED, build_folder
from perle.flow.tools import ToolError
from perle.trust import records
from perle.trust.parts import Part, Task, Wanted
from perle.trust.provider_files import provider_settings
from perle.trust.records import Record, Run

NAME = "fuzz"
SECONDS = 300.0
TARGETS = {
    "key": "key files",
    "spec": "specifications of boards",
    "settings": "settings of the provider",
    "calls": "calls on boards that fail",
    "batch": "batches on boards that fail",
    "provider": "operations of the provider",
}
WITH_PROVIDER = {"settings", "provider"}
"""Targets that have sources of the provider for OpenSSL."""
MAKEFILE = "fuzz/targets.mk"
BOARDS = ("softboard.cpp", "softboard.hpp", "fixture.cpp", "fixture.hpp")
"""What targets have of the library's tests."""
HARNESS = ("harness.cpp", "harness.hpp")
"""What the provider's target has of the provider's tests."""
SPARE = 120.0
"""Seconds that the last input of a run may take beyond the time limit."""
GRACE = 10.0
"""Seconds that a hanging target has to tell its input."""
ENDED = re.compile(r"^(\d+) seeds, (\d+) changed$", re.MULTILINE)
TOLD = re.compile(r"^hangs$|ERROR|: ")
"""A line that says what happened."""
INPUT = re.compile(r"^input: ([0-9a-f]*)$", re.MULTILINE)


def build(target: str) -> Path:
    """Return a target's program, rebuilt if its sources changed."""
    if INSTALLED:
        raise ToolError("fuzz", "needs a checkout: the host's targets are not installed")
    program = build_folder() / "asan" / f"target_{target}"
    make_host(program, makefile=MAKEFILE)
    return program


def seeds(target: str) -> Path:
    """Return a target's file of seeds."""
    return HOST / "fuzz" / "seeds" / f"{target}.txt"


def measure(
    target: str, seconds: float, seed: int, program: Path | None = None, spare: float = SPARE
) -> Record:
    """Run a target for some seconds, and `spare` ones more; `program` replaces the target's own."""
    path = program or build(target)
    mine = Run(NAME, TARGETS.get(target, target), seed, **settings(target))
    status, output = _run([str(path), str(seeds(target)), f"{seconds}", f"{seed}"], seconds + spare)
    ended = ENDED.search(output)
    found = [int(one) for one in ended.groups()] if ended else [0, 0]
    if status != 0 or ended is None:
        last = INPUT.search(output)
        said = next((line for line in output.splitlines() if TOLD.search(line)), output[:200])
        mine.fail(f"{said.strip()} with input {last[1] if last else 'unknown'}")
    counts = dict(zip(("seeds", "changed"), found, strict=True))
    return mine.end(counts, made_of(target), ("g++", "openssl"))


def _run(words: Sequence[str], seconds: float) -> tuple[int, str]:
    """Return a program's exit status and output; one that takes longer is told to end."""
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace"
    ) as process:
        try:
            return _ended(process, seconds)
        except subprocess.TimeoutExpired:
            process.terminate()  # the driver tells its input then
        try:
            return 1, f"hangs\n{_ended(process, GRACE)[1]}"
        except subprocess.TimeoutExpired:
            process.kill()
            return 1, f"hangs\n{_ended(process, GRACE)[1]}"


def _ended(process: subprocess.Popen[str], seconds: float) -> tuple[int, str]:
    output, errors = process.communicate(timeout=seconds)
    return process.returncode, output + errors


def made_of(target: str) -> list[Path]:
    """Return the files that a target's campaign depends on."""
    own = [*sorted((HOST / "fuzz").glob("*.?pp")), HOST / MAKEFILE, seeds(target)]
    boards = [HOST / "tests" / name for name in BOARDS]
    return [*records.host_files(), *own, *boards, Path(__file__)]


def settings(target: str) -> dict[str, str]:
    """Return what else a target's campaign depends on."""
    tests = HOST / "provider" / "tests"
    return provider_settings(tests / name for name in HARNESS) if target in WITH_PROVIDER else {}


def _basis(target: str) -> tuple[list[Path], dict[str, Any]]:
    return made_of(target), settings(target)


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
    "once, and the boards work again afterwards. Through the provider for OpenSSL, every released "
    "signature is right for the public key, right and wrong ones are told apart as by OpenSSL's own "
    "implementation, and with software as fallback nothing that is possible fails. Inputs are mutated at "
    "random, without coverage feedback.",
    tasks,
    ("seeds", "mutated inputs"),
    row,
)
