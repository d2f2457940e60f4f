# SPDX-License-Identifier: Apache-2.0
"""A board with an engine for tests: operations on its lanes, compared with the oracle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from perle.boards import driver, simulated
from perle.boards.build import build_board
from perle.boards.driver import BANK_E, BANK_X, BANK_Y, CYCLE_LIMIT, command, load_modulus
from perle.boards.simulated import SimulatedBoard
from perle.cores.modexp.model import Command, Mode
from perle.cores.registry import Config
from perle.verify.cases import edge_moduli, random_modulus


@dataclass(frozen=True)
class Work:
    """An operation with its operands."""

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


def put(lane: SimulatedBoard, config: Config, work: Work) -> None:
    """Write all operands of an operation."""
    load_modulus(lane, config, work.m)
    for bank, value in ((BANK_X, work.x), (BANK_Y, work.y), (BANK_E, work.e)):
        lane.write_line(bank, value)


def start(lane: SimulatedBoard, work: Work) -> None:
    """Start an operation whose operands are written."""
    driver.start(lane, command(work.op, work.mode, work.elen))


def draw(rng: Random, width: int) -> Work:
    """Draw an operation."""
    m = random_modulus(rng, width)
    elen = rng.randrange(1, width + 1)
    op = rng.choice([Command.MULMOD, Command.EXP, Command.EXP])
    return Work(
        op, m, rng.randrange(m), rng.randrange(m), rng.getrandbits(elen), elen, rng.choice(list(Mode))
    )


@dataclass
class EngineBoard:
    """A board with an engine, and the running operations; subclasses for a family check when they end."""

    config: Config
    lanes: int
    word_bits: int
    going: dict[int, Work] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.width = self.config.width
        path = build_board(self.config, lanes=self.lanes, word_bits=self.word_bits, checks=True)
        self.board = SimulatedBoard(path)
        self.lane = [self.board.lane(index) for index in range(self.lanes)]

    def put(self, index: int, work: Work) -> None:
        """Write all operands of an operation."""
        put(self.lane[index], self.config, work)

    def start(self, index: int, work: Work, *, refused: bool = False) -> None:
        """Start an operation whose operands are written; do not wait for one that must be refused."""
        start(self.lane[index], work)
        if not refused:
            self.going[index] = work

    def finish(self, only: int | None = None) -> None:
        """Wait for the busy lanes, or one, and compare results with the oracle."""
        for index in sorted(index for index in self.going if only in (None, index)):
            self.lane[index].advance(CYCLE_LIMIT, until_irq=True)
            self.check(index, self.going.pop(index))

    def ended(self, index: int) -> None:
        """Run a family's checks at the end of a lane's refused operation; nothing here."""

    def check(self, index: int, work: Work) -> None:
        """Compare the result of a completed operation with the oracle."""
        lane = self.lane[index]
        assert lane.read(simulated.STATUS) == simulated.DONE
        result = lane.read_result()
        assert result % work.m == work.value, (index, work)
        assert result < work.m or work.mode is Mode.PAPER or work.op is Command.MONT

    def run(self, cases: Sequence[Work]) -> None:
        """Run operations, as many at a time as there are lanes."""
        for first in range(0, len(cases), self.lanes):
            some = cases[first : first + self.lanes]
            for index, work in enumerate(some):
                self.put(index, work)
            for index, work in enumerate(some):
                self.start(index, work)
            self.finish()

    def run_at_random(self, count: int) -> None:
        """Run operations on lanes when they are free, each with a modulus of its own; at least `count`.

        Some lanes are read and loaded while others run.
        """
        rng = Random(self.config.spec)
        done = 0
        while done < count:
            free = [index for index in range(self.lanes) if index not in self.going]
            for index in rng.sample(free, rng.randrange(1, len(free) + 1)):
                work = draw(rng, self.width)
                self.put(index, work)
                self.start(index, work)
                if rng.random() < 0.3:
                    self.board.advance(rng.randrange(300))
                done += 1
            if rng.random() < 0.3:
                self.finish()
            else:
                self.finish(only=rng.choice(list(self.going)))
        self.finish()

    def run_products(self) -> Iterator[SimulatedBoard]:
        """Run Montgomery products of redundant operands: results are the model's, bit for bit.

        Yields the lane after each product, for further checks of a family.
        """
        rng, core, lane = Random(3), self.config.model, self.lane[1]
        for m in (*edge_moduli(self.width)[-3:], random_modulus(rng, self.width)):
            if m < 3:
                continue
            limit = core.operand_limit(self.config.params, m)
            for x, y in (
                (limit - 1, limit - 1),
                (0, limit - 1),
                (rng.randrange(limit), rng.randrange(limit)),
            ):
                work = Work(Command.MONT, m, x, y)
                self.put(1, work)
                start(lane, work)
                lane.advance(CYCLE_LIMIT, until_irq=True)
                assert lane.read_result() == core.mont(self.config.params, m, x, y)
                yield lane

    def poll_ends(self, count: int) -> None:
        """Read the status, or start again, at the cycles around the end of products on one lane.

        A lane that is not busy shows that it is done; one that starts is not done any more.
        """
        rng, lane = Random(self.config.spec), self.lane[0]
        work = Work(Command.MULMOD, (1 << self.width) - 1, 3, 5)
        self.put(0, work)
        start(lane, work)
        begun = self.board.cycles
        lane.advance(CYCLE_LIMIT, until_irq=True)
        took = self.board.cycles - begun
        for _ in range(count):
            start(lane, work)
            lane.advance(took - rng.randrange(40))
            while (status := lane.read(simulated.STATUS)) & simulated.BUSY:
                lane.advance(rng.randrange(3))
            assert status == simulated.DONE
            start(lane, work)
            lane.advance(took - rng.randrange(40))
            start(lane, work)
            status = lane.read(simulated.STATUS)
            refused = bool(status & ~(simulated.BUSY | simulated.DONE))
            assert refused or status == simulated.BUSY
            lane.advance(CYCLE_LIMIT, until_irq=True)
            assert lane.read_result() == work.value
            lane.write(simulated.CONTROL, simulated.CLEAR_ERRORS)

    def close(self) -> None:
        """Close the board."""
        self.board.close()
