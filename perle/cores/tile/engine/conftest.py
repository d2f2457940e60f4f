# SPDX-License-Identifier: Apache-2.0
"""A board with tiles for tests: operations on its lanes, compared with the oracle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from perle.boards import simulated
from perle.boards.build import build_board
from perle.boards.driver import BANK_E, BANK_X, BANK_Y, CYCLE_LIMIT, command, load_modulus, start
from perle.boards.simulated import SimulatedBoard
from perle.cores.modexp.model import Command, Mode
from perle.cores.registry import Config, family

READY = 20_000
"""Cycles in which the zeroization after a reset ends, on every board of these tests."""


def shape(width: int) -> Config:
    """Return a configuration by its width."""
    chosen = family("tile")
    return Config(chosen, f"w{width}", chosen.complete({"Width": width}))


# The fewest blocks, on a tile and a part of one; two tiles and a part of one; more blocks.
SHAPES = {
    "w20-5": (shape(20), 5, 32),
    "w64-10": (shape(64), 10, 64),
    "w200-6": (shape(200), 6, 64),
}
LARGE = {"w64-10", "w200-6"}


@dataclass(frozen=True)
class Work:
    """An operation with its numbers."""

    op: Command
    m: int
    x: int
    y: int = 0
    e: int = 0
    elen: int = 0
    mode: Mode = Mode.WINDOW

    @property
    def value(self) -> int:
        """Its result modulo M."""
        return pow(self.x, self.e, self.m) if self.op is Command.EXP else self.x * self.y % self.m


@dataclass
class Bench:
    """A board with tiles, and the operations under way."""

    config: Config
    lanes: int
    word_bits: int
    going: dict[int, Work] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.width = self.config.width
        path = build_board(self.config, lanes=self.lanes, word_bits=self.word_bits, checks=True)
        self.board = SimulatedBoard(path)
        self.lane = [self.board.lane(index) for index in range(self.lanes)]
        self.board.advance(READY)
        assert not any(one.read(simulated.STATUS) for one in self.lane)

    def put(self, index: int, work: Work) -> None:
        """Write all operands of an operation."""
        lane = self.lane[index]
        load_modulus(lane, self.config, work.m)
        for window, value in ((BANK_X, work.x), (BANK_Y, work.y), (BANK_E, work.e)):
            lane.write_line(window, value)

    def start(self, index: int, work: Work) -> None:
        """Start an operation whose operands are written."""
        start(self.lane[index], command(work.op, work.mode, work.elen))
        self.going[index] = work

    def finish(self, only: int | None = None) -> None:
        """Wait for the busy lanes, or one; compare results with the oracle."""
        for index in sorted(index for index in self.going if only in (None, index)):
            lane, work = self.lane[index], self.going.pop(index)
            lane.advance(CYCLE_LIMIT, until_irq=True)
            assert lane.read(simulated.STATUS) == simulated.DONE
            result = lane.read_result()
            assert result % work.m == work.value, (index, work)
            assert result < work.m or work.mode is Mode.PAPER or work.op is Command.MONT

    def close(self) -> None:
        """Close the board."""
        self.board.close()


@pytest.fixture(
    params=[pytest.param(name, marks=pytest.mark.wide) if name in LARGE else name for name in SHAPES]
)
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    """Yield a board of every shape, fresh from a reset."""
    opened = Bench(*SHAPES[request.param])
    yield opened
    opened.close()
