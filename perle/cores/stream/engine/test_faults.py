# SPDX-License-Identifier: Apache-2.0
"""The engine in RTL, behind the registers of a board: faults, refusals, zeroization of a lane."""

from __future__ import annotations

import pytest

from perle.boards import simulated
from perle.boards.driver import BANK_CONST, BANK_E, BANK_X, BANK_Y, CYCLE_LIMIT, command, load_modulus, start
from perle.cores.modexp.model import Command, words
from perle.cores.stream.engine.conftest import Bench
from perle.verify.engines.board import Work

pytestmark = pytest.mark.proves("exact", "timed")

EVEN, SMALL, WIDE, RANGE, COMMAND = (1 << bit for bit in (10, 11, 12, 13, 14))
START_BUSY, ACCESS_BUSY = 1 << 8, 1 << 9


@pytest.mark.parametrize("op", [Command.MULMOD, Command.EXP, Command.MONT])
def test_faults_are_those_of_a_board(bench: Bench, op: Command) -> None:
    """A fault ends a command with its flag and without a result, and does not affect other lanes."""
    width, good = bench.width, (1 << bench.width) - 5
    lane = bench.lane[0]
    other = Work(Command.EXP, good, 3, e=good - 1, elen=width)
    # an earlier result, which must not be readable after the fault
    before = Work(Command.MULMOD, good, 3, 5)
    bench.put(0, before)
    bench.start(0, before)
    bench.finish()
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
        lane.write_line(BANK_CONST, m)
        for window, value in ((BANK_X, x), (BANK_Y, y), (BANK_E, 5)):
            lane.write_line(window, value)
        bench.start(0, Work(op, m, x, y, 5, 4), refused=True)
        lane.advance(CYCLE_LIMIT, until_irq=True)
        bench.ended(0)
        assert lane.read(simulated.STATUS) == simulated.DONE | flags, (m, x, y)
        assert lane.read_result() == 0
        assert lane.read(simulated.STATUS) == simulated.DONE | flags
        lane.write(simulated.CONTROL, simulated.CLEAR_ERRORS)
        bench.finish()


@pytest.mark.parametrize(
    ("op", "mode", "elen"), [(3, 0, 4), (2, 3, 0), (2, 0, 0), (2, 1, 8191), (2, 0, None)]
)
def test_undefined_commands_are_flagged(bench: Bench, op: int, mode: int, elen: int | None) -> None:
    """This includes exponents longer than the operand bank."""
    if elen is None:
        elen = words(bench.config, bench.word_bits) * bench.word_bits + 1
    lane = bench.lane[3]
    load_modulus(lane, bench.config, 5)
    lane.write_line(BANK_X, 2)
    start(lane, op | mode << 4 | elen << 16)
    lane.advance(CYCLE_LIMIT, until_irq=True)
    assert lane.read(simulated.STATUS) == simulated.DONE | COMMAND
    assert lane.read_result() == 0


def test_busy_refuses_everything_and_the_operation_survives(bench: Bench) -> None:
    """Its operands survive too, and are used again; the result before it can no longer be read."""
    lane, m = bench.lane[4], (1 << bench.width) - 5
    work = Work(Command.EXP, m, 12345, e=m - 2, elen=bench.width)
    bench.put(4, work)
    bench.start(4, work)
    bench.finish()
    bench.start(4, work)
    for access, flag in (
        (lambda: lane.write(simulated.CONTROL, simulated.START), START_BUSY),
        (lambda: lane.write(simulated.CONTROL, simulated.ZEROIZE), START_BUSY),
        (lambda: lane.write_line(BANK_X, 7), ACCESS_BUSY),
        (lambda: lane.write_line(BANK_CONST, 9), ACCESS_BUSY),
        (lambda: lane.write_line(BANK_E, 1), ACCESS_BUSY),
        (lane.read_result, ACCESS_BUSY),
    ):
        assert access() in (None, 0)
        assert lane.read(simulated.STATUS) == simulated.BUSY | flag
        lane.write(simulated.CONTROL, simulated.CLEAR_ERRORS)
    bench.finish()
    bench.start(4, work)
    bench.finish()


def test_words_beyond_a_line_are_flagged(bench: Bench) -> None:
    lane = bench.lane[0]
    lane.write(simulated.BANKS + lane.words * bench.word_bits // 8, 1)
    assert lane.read(simulated.STATUS) == COMMAND
    lane.write(simulated.CONTROL, simulated.CLEAR_ERRORS)
    work = Work(Command.MULMOD, (1 << bench.width) - 5, 6, 7)
    bench.put(0, work)
    bench.start(0, work)
    bench.finish()
    assert lane.read(simulated.RESULT + lane.words * bench.word_bits // 8) == 0
    assert lane.read(simulated.STATUS) == simulated.DONE


def test_a_zeroize_of_one_lane_leaves_the_others_alone(bench: Bench) -> None:
    """M, X, Y, E and the result of the zeroized lane itself are zero."""
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
    cycles = lane.read(simulated.CYCLES_LO)
    for index in others:
        bench.put(index, work)
        start(bench.lane[index], command(Command.EXP, elen=width))
    lane.write(simulated.CONTROL, simulated.ZEROIZE)
    assert lane.read(simulated.STATUS) & simulated.BUSY
    # words of another lane are written while this one's are cleared
    bench.lane[others[0]].write_line(BANK_X, 1)
    wait()
    assert lane.read_result() == 0
    assert lane.read(simulated.CYCLES_LO) == cycles  # of the last command, which a zeroization is not
    start(lane, command(Command.MULMOD))
    wait()
    assert lane.read(simulated.STATUS) == simulated.DONE | EVEN
    lane.write(simulated.CONTROL, simulated.CLEAR_ERRORS)
    load_modulus(lane, bench.config, m)
    start(lane, command(Command.MULMOD))
    wait()
    assert lane.read_result() == 0
    lane.write_line(BANK_X, 5)
    start(lane, command(Command.EXP, elen=width))
    wait()
    assert lane.read_result() == 1
    for index in others:
        bench.lane[index].advance(CYCLE_LIMIT, until_irq=True)
        assert bench.lane[index].read_result() == work.value


def test_words_are_zeroized_whatever_else_is_written(bench: Bench) -> None:
    """A host's write uses the memory port with which a zeroization clears words; no word is skipped."""
    m, lane, other = (1 << bench.width) - 5, bench.lane[0], bench.lane[1]
    secret = Work(Command.MULMOD, m, m - 2, m - 4)
    for phase in range(24):
        bench.put(0, secret)
        lane.write(simulated.CONTROL, simulated.ZEROIZE)
        bench.board.advance(phase)
        while lane.read(simulated.STATUS) & simulated.BUSY:
            for word in range(other.words):
                other.write(simulated.BANKS + word * bench.word_bits // 8, phase)
        load_modulus(lane, bench.config, m)
        # the product of 1 by what remains of the other operand
        lane.write_line(BANK_X if phase % 2 else BANK_Y, 1)
        start(lane, command(Command.MULMOD))
        lane.advance(CYCLE_LIMIT, until_irq=True)
        assert lane.read(simulated.STATUS) == simulated.DONE
        assert lane.read_result() == 0
