# SPDX-License-Identifier: Apache-2.0
"""Measure one RSA operation on boards."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from perle.cli.boards import in_background
from perle.cli.io.errors import finite
from perle.host import Boards, BoardStats, Output

CLOCK_MHZ = 90.0

Clock = Annotated[
    float,
    typer.Option(
        "--clock",
        metavar="MHZ",
        help="Assumed clock for board times.",
        min=0.001,
        callback=finite,
    ),
]


@dataclass(frozen=True)
class Measurement:
    """Cost of operations on boards; cycles and bus traffic are those of one operation."""

    output: Output
    per_board: tuple[BoardStats, ...]
    operations: int
    wall_seconds: float

    def facts(self, clock_mhz: float) -> dict[str, Any]:
        """Return the measurement as it is printed with --json."""
        total, hertz = sum(self.per_board, BoardStats()), clock_mhz * 1e6
        return {
            "cycles_per_board": [stats.cycles for stats in self.per_board],
            "cycles": self.output.elapsed,
            "board_seconds": self.output.elapsed / hertz,
            "board_ops_per_second": hertz / self.output.elapsed,
            "bus_accesses": total.bus_writes + total.bus_reads,
            "bus_bytes": total.bytes_written + total.bytes_read,
            "simulator_seconds": self.wall_seconds / self.operations,
            "simulator_ops_per_second": self.operations / self.wall_seconds,
        }


def measure(boards: Boards, work: Callable[[], Output], seconds: float = 0.0) -> Measurement:
    """Run `work` for `seconds`, at least once; cycles and bus traffic are those of the first run."""
    boards.reset_stats()
    begin = time.perf_counter()
    output = in_background(work)
    stats, count = tuple(boards.stats()), 1
    while (passed := time.perf_counter() - begin) < seconds:
        in_background(work)
        count += 1
    return Measurement(output, stats, count, passed)
