# SPDX-License-Identifier: Apache-2.0
"""Every product of a multiplier of a tiny width, simulated where model checking does not decide its algebra.

The testbench (`checked/perle_trust_every.sv`) requests the products of a range and checks each. Here all
operands are divided among ranges and threads. A twin with a fault must have a wrong product.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cffi import FFI

from perle.boards.build import FLAGS_ALL, FLAGS_PLAIN, SIM
from perle.cores.registry import Config
from perle.flow.verilator import build_so
from perle.trust import formal
from perle.trust.parts import Part, Task, Wanted
from perle.trust.proofs import Proof, not_proved, simulated, tiny
from perle.trust.records import Record, Run

NAME = "exhaustive"
AT_ONCE = 32
"""First operands of a range, each with every second operand."""
MUL, REDUCE = 0, 1

CPP = (SIM / "static_storage.cpp", Path(__file__).with_name("sim") / "every.cpp")

ffi = FFI()
ffi.cdef(
    "typedef struct { uint64_t wrong, x, y, z; } perle_every;"
    "void perle_every_run(uint32_t m, uint32_t op, uint32_t x_first, uint32_t x_end, uint32_t y_end,"
    " perle_every* found);"
)


@dataclass(frozen=True)
class Range:
    """Operation `op` modulo `m` on every x from `first` to before `end`, each with every y below `y_end`."""

    m: int
    op: int
    first: int
    end: int
    y_end: int

    @property
    def operations(self) -> int:
        """Number of operations."""
        return (self.end - self.first) * self.y_end


def ranges(config: Config) -> list[Range]:
    """Return all operations of a configuration: every odd modulus, every operand below its limit."""
    found = []
    for m in range(3, 1 << config.width, 2):
        limit = config.model.operand_limit(config.params, m)
        found += [Range(m, REDUCE, 0, 1, limit)]
        starts = range(0, limit, AT_ONCE)
        found += [Range(m, MUL, first, min(first + AT_ONCE, limit), limit) for first in starts]
    return found


class Multiplier:
    """The simulated testbench of a proof, or of its twin, built in a folder."""

    def __init__(self, proof: Proof, folder: Path, *, twin: bool = False) -> None:
        names = formal.written(proof, folder)
        if twin:
            formal.broken(proof, folder, names)
        files = [folder / name for name in names]
        so = build_so(proof.top, files, CPP, {}, folder / "every.so", extra=[*FLAGS_ALL, *FLAGS_PLAIN])
        self._library = ffi.dlopen(str(so))

    def run(self, one: Range) -> str:
        """Compute a range after a reset; return what was wrong, or ""."""
        found = ffi.new("perle_every*")
        self._library.perle_every_run(one.m, one.op, one.first, one.end, one.y_end, found)
        if not found.wrong:
            return ""
        name = ("OpMul", "OpReduce")[one.op]
        return f"{name} of x = {found.x}, y = {found.y} modulo {one.m}: wrong, or late; z = {found.z}"


def first_wrong(multiplier: Multiplier, wanted: list[Range], seconds: float = inf) -> tuple[int, str]:
    """Compute ranges on all processors until one has a wrong result, or time is up.

    Returns the number of operations that were right, and what was wrong, or "".
    """
    end, right = time.monotonic() + seconds, 0

    def run(one: Range) -> tuple[int, str]:
        if time.monotonic() > end:
            return 0, ""
        wrong = multiplier.run(one)
        return (0 if wrong else one.operations), wrong

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for operations, wrong in pool.map(run, wanted):
            right += operations
            if wrong:
                pool.shutdown(cancel_futures=True)
                return right, wrong
    return right, ""


def measure(proof: Proof, seconds: float = inf) -> Record:
    """Return the record of a multiplier and its twin."""
    files, settings = basis(proof)
    mine, wanted = Run(NAME, proof.name, 0, **settings), ranges(tiny(proof.family, algebra=True))
    with TemporaryDirectory() as scratch:
        right, wrong = first_wrong(Multiplier(proof, Path(scratch) / "sound"), wanted, seconds)
        _, twin = first_wrong(Multiplier(proof, Path(scratch) / "broken", twin=True), wanted, seconds)
    if wrong:
        mine.fail(wrong)
    if not twin:
        mine.fail(f"{proof.twin.file} with {proof.twin.new!r} for {proof.twin.old!r}: no wrong result")
    counts = {
        "operations": right,
        "planned": sum(one.operations for one in wanted),
        "twin refuted": int(bool(twin)),
    }
    return mine.end(counts, files, ("verilator", "g++"))


def basis(proof: Proof) -> tuple[list[Path], dict[str, Any]]:
    """Return everything that a record depends on: files, and what is simulated with which parameters."""
    settings = {"claim": proof.claim, "macros": proof.macros, "twin": asdict(proof.twin)}
    return [*proof.sources, *CPP, Path(__file__)], settings


def tasks(wanted: Wanted) -> Iterator[Task]:
    """Yield a task per family."""
    chosen = simulated(wanted.family)
    for one in chosen:
        seconds = inf if wanted.seconds is None else wanted.seconds / len(chosen)
        yield Task(NAME, one.name, partial(_task, one, seconds), basis=partial(basis, one))


def _task(proof: Proof, seconds: float, _before: Record | None) -> Record:
    return measure(proof, seconds)


def row(one: Record) -> tuple[str, ...]:
    """Return the figures of a record."""
    numbers = (f"{int(one.counts[name]):,}" for name in ("operations", "planned"))
    return (one.settings["claim"], *numbers, ("no", "yes")[int(one.counts["twin refuted"])])


EXHAUSTIVE = Part(
    NAME,
    "Every operand",
    f"Where model checking does not decide the algebra ({not_proved().removeprefix('the algebra of ')}), a "
    "multiplier of a tiny width computes every product in simulation, and each is checked by arithmetic. A "
    "twin with a fault has a wrong product.",
    tasks,
    ("what", "operations", "of", "twin refuted"),
    row,
)
