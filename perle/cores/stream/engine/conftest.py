# SPDX-License-Identifier: Apache-2.0
"""A board with an engine for tests: operations on its lanes, compared with oracle and model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from perle.boards import simulated
from perle.boards.driver import CYCLE_LIMIT
from perle.cores.registry import Config, family
from perle.cores.stream.engine import model
from perle.verify.engines.board import EngineBoard, Work

RESET = 4
"""Cycles of the reset of a simulated board (perle/boards/sim/board.cpp)."""

PULSE = 1
"""Cycles from the end of the bus write that starts an operation to the engine's start pulse."""

INTERRUPT = 1
"""Cycles from the end of an operation to its interrupt."""


def shape(width: int, fold: int, digit: int = 18) -> Config:
    """Return a configuration by its width, its passes and the bits of a digit."""
    chosen = family("stream")
    params = chosen.complete({"Width": width, "Fold": fold, "RadixBits": digit})
    return Config(chosen, f"w{width}_f{fold}_r{digit}", params)


# Fewer lanes than threads and the fewest digits; two passes, with operands of 2^n digits that fill their
# words completely; more lanes than threads (slow to build); and the same with three passes.
SHAPES = {
    "w20-5": (shape(20, 1), 5, 32),
    "w40-2-6": (shape(40, 2, digit=16), 6, 32),
    "w40-20": (shape(40, 1), 20, 64),
    "w90-3-9": (shape(90, 3, digit=16), 9, 64),
}
LARGE = {"w20-5", "w40-20", "w90-3-9"}


@dataclass
class Bench(EngineBoard):
    """A board with an engine, and its operations since the reset, for the model."""

    jobs: list[model.Job] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__post_init__()
        # a reset zeroizes all lanes
        products = model.zeroize_products(self.config)
        self.jobs = [model.Job(index, products, RESET - 1) for index in range(self.lanes)]

    def products(self, work: Work) -> int:
        """Return the products of an operation."""
        return model.products(self.config, work.op, work.mode, work.elen, work.e)

    def start(self, index: int, work: Work, *, refused: bool = False) -> None:
        """Start an operation whose operands are written."""
        super().start(index, work, refused=refused)
        products = 0 if refused else self.products(work)
        self.jobs.append(model.Job(index, products, self.board.cycles + PULSE))

    def ends(self) -> dict[int, int]:
        """Return the cycle in which the last operation of each lane ends according to the model."""
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
            work = self.going.pop(index)
            self.check(index, work)
            expected = self.products(work) * model.product_cycles(self.config.params)
            assert self.lane[index].read(simulated.CYCLES_LO) == expected

    def ended(self, index: int) -> None:
        """Check that a lane's refused operation ends in the cycle that the model gives."""
        assert self.board.cycles == self.ends()[index] + INTERRUPT


@pytest.fixture(
    params=[pytest.param(name, marks=pytest.mark.wide) if name in LARGE else name for name in SHAPES]
)
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    """Yield a board of every shape, fresh from a reset."""
    opened = Bench(*SHAPES[request.param])
    yield opened
    opened.close()
