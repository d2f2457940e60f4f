# SPDX-License-Identifier: Apache-2.0
"""Tiles behind the registers of a board: faults, refusals, zeroizing of a lane; as every engine has them."""

from __future__ import annotations

import pytest

from perle.boards import simulated
from perle.boards.driver import BANK_CONST, BANK_E, BANK_X, BANK_Y, CYCLE_LIMIT, load_modulus
from perle.cores.modexp.model import Command
from perle.cores.stream.engine.test_faults import (
    EVEN,
    RANGE,
    SMALL,
    WIDE,
    test_a_zeroize_of_one_lane_leaves_the_others_alone,
    test_busy_refuses_everything_and_the_operation_survives,
    test_undefined_commands_are_flagged,
    test_words_are_zeroized_whatever_else_is_written,
    test_words_beyond_a_line_are_flagged,
)
from perle.cores.tile.engine.conftest import Bench, Work

__all__ = [
    "test_a_zeroize_of_one_lane_leaves_the_others_alone",
    "test_busy_refuses_everything_and_the_operation_survives",
    "test_undefined_commands_are_flagged",
    "test_words_are_zeroized_whatever_else_is_written",
    "test_words_beyond_a_line_are_flagged",
]

pytestmark = pytest.mark.proves("exact")


@pytest.mark.parametrize("op", [Command.MULMOD, Command.EXP, Command.MONT])
def test_faults_are_those_of_a_board(bench: Bench, op: Command) -> None:
    """A fault ends a command with its flag and without a result, and does not affect other lanes."""
    width, good = bench.width, (1 << bench.width) - 5
    lane = bench.lane[0]
    other = Work(Command.EXP, good, 3, e=good - 1, elen=width)
    # an earlier result, which must not be read as that of the fault
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
        bench.start(0, Work(op, m, x, y, 5, 4))
        del bench.going[0]
        lane.advance(CYCLE_LIMIT, until_irq=True)
        assert lane.read(simulated.STATUS) == simulated.DONE | flags, (m, x, y)
        assert lane.read_result() == 0
        assert lane.read(simulated.STATUS) == simulated.DONE | flags
        lane.write(simulated.CONTROL, simulated.CLEAR_ERRORS)
        bench.finish()
