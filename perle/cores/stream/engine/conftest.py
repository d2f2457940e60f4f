# SPDX-License-Identifier: Apache-2.0
"""A board with an engine for tests: operations on its lanes, compared with oracle and model."""

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
from perle.cores.stream.engine import model

RESET = 4
"""Cycles of a simulated board's reset (perle/boards/sim/board.cpp)."""

PULSE = 1
"""Cycles from the end of a bus write to the engine's start."""

INTERRUPT = 1
"""Cycles from an operation's end to the interrupt."""


def shape(width: int, fold: int, digit: int = 18) -> Config:
    """Return a configuration by its width, its passes and the bits of a digit."""
    chosen = family("stream")
    params = chosen.complete({"Width": width, "Fold": fold, "RadixBits": digit})
    return Config(chosen, f"w{width}_f{fold}_r{digit}", params)


# Fewer lanes than threads and the fewest digits; two passes; more lanes than threads, slow to build;
# and that with three passes, with digits that divide a word.
SHAPES = {
    "w20-5": (shape(20, 1), 5, 32),
    "w40-2-6": (shape(40, 2), 6, 32),
    "w40-20": (shape(40, 1), 20, 64),
    "w90-3-9": (shape(90, 3, digit=16), 9, 64),
}
LARGE = {"w20-5", "w40-20", "w90-3-9"}


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

    def products(self, bench: Bench) -> int:
        """Its products."""
        return model.products(bench.config, self.op, self.mode, self.elen, self.e)


@dataclass
class Bench:
    """A board with an engine, and its operations since the reset."""

    config: Config
    lanes: int
    word_bits: int
    jobs: list[model.Job] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.width = self.config.width
        path = build_board(self.config, lanes=self.lanes, word_bits=self.word_bits, checks=True)
        self.board = SimulatedBoard(path)
        self.lane = [self.board.lane(index) for index in range(self.lanes)]
        # a reset zeroizes all lanes
        products = model.zeroize_products(self.config)
        self.jobs = [model.Job(index, products, RESET - 1) for index in range(self.lanes)]
        self.going: dict[int, Work] = {}

    def put(self, index: int, work: Work) -> None:
        """Write all operands of an operation."""
        lane = self.lane[index]
        load_modulus(lane, self.config, work.m)
        for window, value in ((BANK_X, work.x), (BANK_Y, work.y), (BANK_E, work.e)):
            lane.write_line(window, value)

    def start(self, index: int, work: Work, *, refused: bool = False) -> None:
        """Start an operation whose operands are written."""
        start(self.lane[index], command(work.op, work.mode, work.elen))
        products = 0 if refused else work.products(self)
        self.jobs.append(model.Job(index, products, self.board.cycles + PULSE))
        if not refused:
            self.going[index] = work

    def ends(self) -> dict[int, int]:
        """Return when the last operation of each lane ends, by the model."""
        spans = model.Engine(self.config, self.lanes, word_bits=self.word_bits, begin=RESET).run(self.jobs)
        return {span.job.lane: span.end for span in spans}

    def finish(self, only: int | None = None) -> None:
        """Wait for the busy lanes, or one; compare ends, results and counters with oracle and model."""
        ends = self.ends()
        waiting = sorted((index for index in self.going if only in (None, index)), key=ends.__getitem__)
        for index in waiting:
            lane, work = self.lane[index], self.going[index]
            late = self.board.cycles > ends[index] + INTERRUPT
            lane.advance(CYCLE_LIMIT, until_irq=True)
            assert late or self.board.cycles == ends[index] + INTERRUPT, (index, work)
        for index in waiting:
            lane, work = self.lane[index], self.going.pop(index)
            assert lane.read(simulated.STATUS) == simulated.DONE
            result = lane.read_result()
            assert result % work.m == work.value, (index, work)
            assert result < work.m or work.mode is Mode.PAPER or work.op is Command.MONT
            expected = work.products(self) * model.product_cycles(self.config.params)
            assert lane.read(simulated.CYCLES_LO) == expected

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
