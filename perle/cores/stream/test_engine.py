# SPDX-License-Identifier: Apache-2.0
"""The engine in RTL, behind the registers of a board: results, ends to the cycle, faults, wiping."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import pytest

from perle.boards import simulated
from perle.boards.build import build_board
from perle.boards.driver import CYCLE_LIMIT, WIN_E, WIN_X, WIN_Y, command, load_modulus, start
from perle.boards.simulated import SimulatedBoard
from perle.cores.modexp.model import Command, Mode, words
from perle.cores.registry import Config, family
from perle.cores.stream import engine
from perle.verify.cases import edge_moduli, random_modulus

RESET = 4
"""Cycles of a simulated board's reset (perle/boards/sim/board.cpp)."""

PULSE = 1
"""Cycles from the end of a bus write to the engine's start."""

INTERRUPT = 1
"""Cycles from an operation's end to the interrupt."""


def shape(width: int, fold: int) -> Config:
    """Return a line of a width and of so many passes."""
    chosen = family("stream")
    return Config(chosen, f"w{width}_f{fold}", chosen.complete({"Width": width, "Fold": fold}))


# Fewer lanes than slots and the least digits there are; two passes; more lanes than slots, which builds long;
# and that for three passes through two elements.
SHAPES = {
    "w20-5": (shape(20, 1), 5, 32),
    "w40-2-6": (shape(40, 2), 6, 32),
    "w40-20": (shape(40, 1), 20, 64),
    "w90-3-9": (shape(90, 3), 9, 64),
}
LARGE = {"w20-5", "w40-20", "w90-3-9"}

EVEN, SMALL, WIDE, RANGE, COMMAND = (1 << bit for bit in (10, 11, 12, 13, 14))
START_BUSY, ACCESS_BUSY = 1 << 8, 1 << 9


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
        """What it gives, modulo M."""
        return pow(self.x, self.e, self.m) if self.op is Command.EXP else self.x * self.y % self.m

    def products(self, bench: Bench) -> int:
        """Its products."""
        return engine.products(bench.config, self.op, self.mode, self.elen, self.e)


@dataclass
class Bench:
    """A board over an engine, and all that has happened on it since its reset."""

    config: Config
    lanes: int
    word_bits: int
    jobs: list[engine.Job] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.width = self.config.width
        path = build_board(self.config, lanes=self.lanes, word_bits=self.word_bits, checks=True)
        self.board = SimulatedBoard(path)
        self.lane = [self.board.lane(index) for index in range(self.lanes)]
        # a reset wipes all lanes
        products = engine.wipe_products(self.config)
        self.jobs = [engine.Job(index, products, RESET - 1) for index in range(self.lanes)]
        self.going: dict[int, Work] = {}

    def put(self, index: int, work: Work) -> None:
        """Write all numbers of an operation."""
        lane = self.lane[index]
        load_modulus(lane, self.config, work.m)
        for window, value in ((WIN_X, work.x), (WIN_Y, work.y), (WIN_E, work.e)):
            lane.write_line(window, value)

    def start(self, index: int, work: Work, *, refused: bool = False) -> None:
        """Start an operation whose numbers are there."""
        start(self.lane[index], command(work.op, work.mode, work.elen))
        products = 0 if refused else work.products(self)
        self.jobs.append(engine.Job(index, products, self.board.cycles + PULSE))
        if not refused:
            self.going[index] = work

    def ends(self) -> dict[int, int]:
        """Return when the last operation of each lane ends, as the model says."""
        spans = engine.Engine(self.config, self.lanes, word_bits=self.word_bits, begin=RESET).run(self.jobs)
        return {span.job.lane: span.end for span in spans}

    def finish(self, only: int | None = None) -> None:
        """Wait for the lanes at work, or one of them; hold ends, results and counters to oracle and model."""
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
            expected = work.products(self) * engine.product_cycles(self.config.params)
            assert lane.read(simulated.CYCLES_LO) == expected

    def close(self) -> None:
        """End the board."""
        self.board.close()


@pytest.fixture(
    params=[pytest.param(name, marks=pytest.mark.wide) if name in LARGE else name for name in SHAPES]
)
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    """Yield a board of every shape, fresh from a reset."""
    opened = Bench(*SHAPES[request.param])
    yield opened
    opened.close()


def draw(rng: Random, bench: Bench, m: int) -> Work:
    """Draw an operation."""
    elen = rng.randrange(1, bench.width + 1)
    op = rng.choice([Command.MULMOD, Command.EXP, Command.EXP])
    return Work(
        op, m, rng.randrange(m), rng.randrange(m), rng.getrandbits(elen), elen, rng.choice(list(Mode))
    )


def test_edges(bench: Bench) -> None:
    """Every edge modulus, base and exponent, in every mode, on all lanes beside each other."""
    width = bench.width
    moduli = [m for m in edge_moduli(width) if m >= 3]
    assert {m % 4 for m in moduli} == {1, 3}
    assert {(1 << width) - 1, (1 << (width - 1)) + 1} <= set(moduli)
    full = (1 << width) - 1
    cases = [
        Work(Command.EXP, m, x, e=e, elen=elen, mode=mode)
        for m in moduli
        for x in (0, 1, m - 1)
        for e, elen in ((1, 1), (2, 2), (full, width), (1, width), (0, 7), (17, 5))
        for mode in (Mode.WINDOW, list(Mode)[m % 3 + 1])
    ]
    cases += [Work(Command.MULMOD, m, x, y) for m in moduli for x in (0, 1, m - 1) for y in (0, 1, m - 1)]
    for first in range(0, len(cases), bench.lanes):
        some = cases[first : first + bench.lanes]
        for index, work in enumerate(some):
            bench.put(index, work)
        for index, work in enumerate(some):
            bench.start(index, work)
        bench.finish()


def test_a_thousand_at_random_times(bench: Bench) -> None:
    """Lanes start whenever they are free, moduli of their own; some are read and loaded while others run."""
    rng = Random(bench.config.spec)
    done = 0
    while done < 1000:
        free = [index for index in range(bench.lanes) if index not in bench.going]
        for index in rng.sample(free, rng.randrange(1, len(free) + 1)):
            work = draw(rng, bench, random_modulus(rng, bench.width))
            bench.put(index, work)
            bench.start(index, work)
            if rng.random() < 0.3:
                bench.board.advance(rng.randrange(300))
            done += 1
        if rng.random() < 0.3:
            bench.finish()
        else:
            bench.finish(only=rng.choice(list(bench.going)))
    bench.finish()


def test_montgomery_products_are_the_models(bench: Bench) -> None:
    """Redundant operands and results, bit for bit."""
    rng, model = Random(3), bench.config.model
    for m in (*edge_moduli(bench.width)[-3:], random_modulus(rng, bench.width)):
        if m < 3:
            continue
        limit = model.operand_limit(bench.config.params, m)
        for x, y in ((limit - 1, limit - 1), (0, limit - 1), (rng.randrange(limit), rng.randrange(limit))):
            work = Work(Command.MONT, m, x, y)
            bench.put(1, work)
            start(bench.lane[1], command(Command.MONT))
            bench.lane[1].advance(CYCLE_LIMIT, until_irq=True)
            assert bench.lane[1].read_result() == model.mont(bench.config.params, m, x, y)
            assert bench.lane[1].read(simulated.CYCLES_LO) == engine.product_cycles(bench.config.params)


def test_time_depends_on_widths_only(bench: Bench) -> None:
    """On the clock from start to end, over numbers as different as can be; the model has no other input."""
    rng, width = Random(5), bench.width
    for mode in (Mode.WINDOW, Mode.LADDER):
        seen = set()
        for e in (0, 1, (1 << width) - 1, 1 << (width - 1), rng.getrandbits(width)):
            for m in ((1 << width) - 1, 3, (1 << (width - 1)) + 1):
                work = Work(Command.EXP, m, rng.choice((0, 1, m - 1)), e=e, elen=width, mode=mode)
                bench.put(2, work)
                bench.start(2, work)
                bench.finish()
                seen.add(bench.lane[2].read(simulated.CYCLES_LO))
        assert len(seen) == 1


@pytest.mark.parametrize("op", [Command.MULMOD, Command.EXP, Command.MONT])
def test_faults_are_those_of_a_board(bench: Bench, op: Command) -> None:
    """A fault ends a command with its flag and without a result, and leaves the other lanes alone."""
    width, good = bench.width, (1 << bench.width) - 5
    lane = bench.lane[0]
    other = Work(Command.EXP, good, 3, e=good - 1, elen=width)
    cases = [
        (0, 0, 0, EVEN),
        (good + 1, 0, 0, EVEN),
        (1, 0, 0, SMALL),
        ((1 << width) + 1, 0, 0, WIDE),
        (1 << (width + 1), 0, 0, WIDE | EVEN),
    ]
    if op is not Command.MONT:
        cases += [(1, 1, 0, SMALL | RANGE), (good, good, 0, RANGE), (good, good + 2, 0, RANGE)]
        cases += [(good, 1 << (bench.config.operand_bits - 1), 0, RANGE)]
    if op is Command.MULMOD:
        cases += [(good, 0, good, RANGE), (good, 0, 1 << (width + 1), RANGE)]
    for m, x, y, flags in cases:
        bench.put(1, other)
        bench.start(1, other)
        load_modulus(lane, bench.config, good)
        lane.write_line(4, m)
        for window, value in ((WIN_X, x), (WIN_Y, y), (WIN_E, 5)):
            lane.write_line(window, value)
        bench.start(0, Work(op, m, x, y, 5, 4), refused=True)
        lane.advance(CYCLE_LIMIT, until_irq=True)
        assert bench.board.cycles == bench.ends()[0] + INTERRUPT
        assert lane.read(simulated.STATUS) == simulated.DONE | flags, (m, x, y)
        assert lane.read_result() == 0
        assert lane.read(simulated.STATUS) == simulated.DONE | flags
        lane.write(simulated.CONTROL, simulated.CLEAR_ERRORS)
        bench.finish()


@pytest.mark.parametrize(
    ("op", "mode", "elen"), [(3, 0, 4), (2, 3, 0), (2, 0, 0), (2, 1, 8191), (2, 0, None)]
)
def test_undefined_commands_are_flagged(bench: Bench, op: int, mode: int, elen: int | None) -> None:
    """An exponent's length is at most that of its register."""
    if elen is None:
        elen = words(bench.config, bench.word_bits) * bench.word_bits + 1
    lane = bench.lane[3]
    load_modulus(lane, bench.config, 5)
    lane.write_line(WIN_X, 2)
    start(lane, op | mode << 4 | elen << 16)
    lane.advance(CYCLE_LIMIT, until_irq=True)
    assert lane.read(simulated.STATUS) == simulated.DONE | COMMAND
    assert lane.read_result() == 0


def test_busy_refuses_everything_and_the_operation_survives(bench: Bench) -> None:
    lane, m = bench.lane[4], (1 << bench.width) - 5
    work = Work(Command.EXP, m, 12345, e=m - 2, elen=bench.width)
    bench.put(4, work)
    bench.start(4, work)
    for access, flag in (
        (lambda: lane.write(simulated.CONTROL, simulated.START), START_BUSY),
        (lambda: lane.write(simulated.CONTROL, simulated.WIPE), START_BUSY),
        (lambda: lane.write_line(WIN_X, 7), ACCESS_BUSY),
        (lambda: lane.write_line(4, 9), ACCESS_BUSY),
        (lambda: lane.write_line(WIN_E, 1), ACCESS_BUSY),
        (lane.read_result, ACCESS_BUSY),
    ):
        assert access() in (None, 0)
        assert lane.read(simulated.STATUS) == simulated.BUSY | flag
        lane.write(simulated.CONTROL, simulated.CLEAR_ERRORS)
    bench.finish()


def test_words_beyond_a_line_are_flagged(bench: Bench) -> None:
    lane = bench.lane[0]
    lane.write(simulated.WINDOWS + lane.words * bench.word_bits // 8, 1)
    assert lane.read(simulated.STATUS) == COMMAND
    lane.write(simulated.CONTROL, simulated.CLEAR_ERRORS)
    work = Work(Command.MULMOD, (1 << bench.width) - 5, 6, 7)
    bench.put(0, work)
    bench.start(0, work)
    bench.finish()
    assert lane.read(simulated.RESULT + lane.words * bench.word_bits // 8) == 0
    assert lane.read(simulated.STATUS) == simulated.DONE


def test_a_wipe_of_one_lane_leaves_the_others_alone(bench: Bench) -> None:
    """And nothing of the lane itself: M, X, Y, E and the result are gone, one after the other."""
    m, width = (1 << bench.width) - 5, bench.width
    gone, *others = range(bench.lanes)
    work = Work(Command.EXP, m, m - 2, 9, e=m - 2, elen=width)
    lane = bench.lane[gone]

    def wait() -> None:
        while lane.read(simulated.STATUS) & simulated.BUSY:
            bench.board.advance(1)

    bench.put(gone, work)
    start(lane, command(Command.MULMOD))
    wait()
    assert lane.read_result() == (m - 2) * 9 % m
    for index in others:
        bench.put(index, work)
        start(bench.lane[index], command(Command.EXP, elen=width))
    lane.write(simulated.CONTROL, simulated.WIPE)
    assert lane.read(simulated.STATUS) & simulated.BUSY
    # words of another lane are written while this one's are cleared
    bench.lane[others[0]].write_line(WIN_X, 1)
    wait()
    assert lane.read_result() == 0
    start(lane, command(Command.MULMOD))
    wait()
    assert lane.read(simulated.STATUS) == simulated.DONE | EVEN
    lane.write(simulated.CONTROL, simulated.CLEAR_ERRORS)
    load_modulus(lane, bench.config, m)
    start(lane, command(Command.MULMOD))
    wait()
    assert lane.read_result() == 0
    lane.write_line(WIN_X, 5)
    start(lane, command(Command.EXP, elen=width))
    wait()
    assert lane.read_result() == 1
    for index in others:
        bench.lane[index].advance(CYCLE_LIMIT, until_irq=True)
        assert bench.lane[index].read_result() == work.value
