# SPDX-License-Identifier: Apache-2.0
"""Where a batch is signed: here, on boards of this process; for workers see workers.py."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from perle.cli.boards import closing, opened
from perle.cli.io import console
from perle.cli.provider_speed import measured_clock
from perle.host import Key
from perle.host.batch import Batch, BatchStats, Done

MHZ = 1e6

Powers = Callable[[Key, Iterator[bytes]], Generator[Done]]
"""Takes a key and messages, and yields a result per message; tags 0, 1, 2, … are the messages' indices."""


@dataclass(frozen=True)
class Place:
    """Where a batch is signed: runs private operations, and describes their speed as facts and as text."""

    powers: Powers
    speed: Callable[[int, float], dict[str, Any]]
    said: Callable[[dict[str, Any]], list[str]]


@contextmanager
def on_boards(spec: str, quiet: bool) -> Iterator[Place]:
    """Yield the boards of this process as the place of a batch."""
    with console.steps(quiet=quiet) as steps, opened(spec, steps) as boards, closing(Batch(boards)) as batch:
        yield Place(batch.powers, lambda signed, wall: _speed(batch.stats, signed, wall, spec), _said)


def _speed(stats: BatchStats, signed: int, wall: float, spec: str) -> dict[str, Any]:
    clock, words = measured_clock(spec)
    known = clock is not None and signed > 0 and stats.cycles > 0
    return {
        "cycles": stats.cycles,
        "busy_cycles": stats.busy_cycles,
        "halves_at_a_time": round(stats.in_flight, 3) if stats.cycles else None,
        "halves_repeated": stats.repeated,
        "wall_seconds": round(wall, 6),
        "ops_per_second": signed / wall,
        "clock_mhz": clock,
        "clock": words,
        "device_ops_per_second": clock * MHZ * signed / stats.cycles if known and clock else None,
    }


def _said(facts: dict[str, Any]) -> list[str]:
    if facts["cycles"]:
        cycles = f"{facts['cycles']:,} simulated cycles, {facts['halves_at_a_time']:.1f} halves at a time"
    else:  # a board behind a cable, whose clock is not known
        cycles = f"{facts['busy_cycles']:,} board cycles"
    rate = f"{facts['ops_per_second']:,.1f} signatures per second on this machine"
    here = f"on {facts['board']}: {cycles}, {rate}"
    if facts["device_ops_per_second"] is None:
        return [here]
    return [here, f"{facts['device_ops_per_second']:,.0f} per second at the clock of {facts['clock']}"]
