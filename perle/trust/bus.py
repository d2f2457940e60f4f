# SPDX-License-Identifier: Apache-2.0
"""Random traffic on the bus of boards of each kind, with checks that they still work.

The kinds differ in what is behind the bus. An exponentiator with one lane or several is the same for every
family but for the multiplier, and so are its registers: orup stands for all. The engines of stream and tile
have exponentiators of their own.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from random import Random
from typing import Any

from perle.boards import simulated
from perle.boards.build import Variant
from perle.boards.driver import BANK_X, BANK_Y, command, modulus_lines
from perle.boards.simulated import BANK_BYTES, BANKS, LANE_BYTES, RESULT
from perle.boards.wrapper import shape
from perle.cores.modexp.model import Command
from perle.cores.registry import Config, resolve
from perle.trust.bus_board import Bus, BusError, build, made_of
from perle.trust.parts import Part, Task, Wanted
from perle.trust.records import Record, Run

NAME = "bus"
ACCESSES = 10_000_000
"""Number of random bus accesses per case."""
BETWEEN = 100_000
"""Number of accesses between two checks, each of which computes a product on every lane."""
POLLS = 1_000_000
"""Number of reads of STATUS after which a board that is still busy is reported as stuck."""


@dataclass(frozen=True)
class Case:
    """A kind of board (of a family, with lanes, or an engine), and the width of its bus in bits."""

    spec: str
    lanes: int = 1
    word_bits: int = 64

    @property
    def name(self) -> str:
        """FAMILY:CONFIG[,lanes=T], N bits."""
        lanes = f",lanes={self.lanes}" if self.lanes > 1 else ""
        return f"{self.spec}{lanes}, {self.word_bits} bits"

    @property
    def config(self) -> Config:
        """The configuration behind the bus."""
        return resolve(self.spec)

    @property
    def variant(self) -> Variant:
        """How its simulator is built."""
        return Variant(self.word_bits, self.lanes)


# Three lanes: addresses of a fourth one are in the address range, but answer DECERR.
CASES = tuple(
    Case(spec, lanes, bits)
    for spec, lanes in (("orup:w64", 1), ("orup:w64", 3), ("stream:w64", 3), ("tile:w64", 4))
    for bits in (64, 32)
)


def product(bus: Bus, case: Case, lane: int, random: Random) -> str:
    """Clear a lane and compute x·y mod M on it; return what was wrong, or ""."""
    config, base = case.config, lane * LANE_BYTES
    words = shape(config, case.word_bits, case.lanes).words
    places = [(i * case.word_bits // 8, i * case.word_bits) for i in range(words)]

    def wait() -> bool:
        return any(not bus.read(base + simulated.STATUS) & simulated.BUSY for _ in range(POLLS))

    def result() -> int:
        return sum(bus.read(base + RESULT + at) << shift for at, shift in places)

    if not wait():
        return f"lane {lane} is busy for ever"
    bus.write(base + simulated.CONTROL, simulated.ZEROIZE | simulated.CLEAR_ERRORS)
    if not wait():
        return f"lane {lane} is zeroized for ever"
    if result() != 0:
        return f"lane {lane} has a result after its zeroization"
    m = random.getrandbits(config.width) | 1 << config.width - 1 | 1
    x, y = random.randrange(m), random.randrange(m)
    for bank, value in {**modulus_lines(config, m), BANK_X: x, BANK_Y: y}.items():
        for at, shift in places:
            bus.write(base + BANKS + BANK_BYTES * bank + at, value >> shift & (1 << case.word_bits) - 1)
    bus.write(base + simulated.COMMAND, command(Command.MULMOD))
    bus.write(base + simulated.CONTROL, simulated.START)
    if not wait():
        return f"lane {lane} works for ever"
    status = bus.read(base + simulated.STATUS)
    if status >> 8 or result() != x * y % m:
        return f"lane {lane}: a product after random accesses is wrong, status {status:#x}"
    return ""


def traffic(
    bus: Bus, case: Case, accesses: int, seed: int, between: int = BETWEEN, seconds: float = inf
) -> str:
    """Make random accesses, and after every `between` of them a product on every lane; return what was wrong.

    Ends after that many `accesses`, or at the first product after that many `seconds`.
    """
    random = Random(seed)  # noqa: S311 - failures must be reproducible
    end = time.monotonic() + seconds
    try:
        for first in range(0, accesses, between):
            bus.run(random.getrandbits(64), min(between, accesses - first))
            for lane in range(case.lanes):
                if wrong := product(bus, case, lane, random):
                    return wrong
            if time.monotonic() > end:
                break
    except BusError as fault:
        return str(fault)
    return ""


def measure(case: Case, seed: int, seconds: float = inf) -> Record:
    """Return the record of a case: ACCESSES, or as many as fit into that many seconds."""
    files, settings = basis(case)
    mine = Run(NAME, case.name, seed, **settings)
    bus = Bus(build(case.config, case.variant))
    if wrong := traffic(bus, case, ACCESSES, seed, seconds=seconds):
        mine.fail(wrong)
    return mine.end(bus.counts, files, ("verilator", "g++"))


def basis(case: Case) -> tuple[list[Path], dict[str, Any]]:
    """Return the files and settings that a campaign depends on."""
    settings = {"between": BETWEEN, "params": case.config.params, "lanes": case.lanes}
    return [*made_of(case.config, case.lanes), Path(__file__)], settings


def tasks(wanted: Wanted) -> Iterator[Task]:
    """Yield a task per case."""
    chosen = [case for case in CASES if wanted.family in (None, case.config.family.name)]
    for case in chosen:
        seconds = inf if wanted.seconds is None else wanted.seconds / len(chosen)
        yield Task(NAME, case.name, partial(_task, case, wanted.seed, seconds), basis=partial(basis, case))


def _task(case: Case, seed: int, seconds: float, _before: Record | None) -> Record:
    return measure(case, seed, seconds)


def row(one: Record) -> Sequence[str]:
    """Return the figures of a record."""
    return tuple(f"{int(one.counts[name]):,}" for name in ("writes", "reads", "refused", "operations"))


BUS = Part(
    NAME,
    "Bus fuzzing",
    "For any traffic that AXI4-Lite allows (addresses and data in any order, several outstanding "
    "accesses, delayed responses, partial writes, unmapped addresses), every access gets one response "
    "with the code that the register map defines, within bounded time and stable until it is accepted. "
    "Read-only registers never change, and a product on each lane after every 100,000 accesses is right.",
    tasks,
    ("writes", "reads", "refused", "operations ended"),
    row,
)
