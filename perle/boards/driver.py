# SPDX-License-Identifier: Apache-2.0
"""A minimal driver, for running single operations on a simulated board in tests and benchmarks."""

from __future__ import annotations

from dataclasses import dataclass

from perle.boards import simulated
from perle.boards.simulated import SimulatedBoard
from perle.cores.modexp.model import Command, Mode
from perle.cores.registry import Config, run_time_width

BANK_X, BANK_Y, BANK_R2, BANK_E, BANK_CONST = 0, 1, 2, 3, 4

# More cycles than the longest operation of the widest board.
CYCLE_LIMIT = 100_000_000


@dataclass(frozen=True)
class Outcome:
    """Outcome of an operation: the result, the error flags of STATUS, the board's cycle count."""

    result: int
    errors: int
    cycles: int


def command(op: Command, mode: Mode = Mode.WINDOW, elen: int = 0) -> int:
    """Return the word for COMMAND."""
    return op | mode << 4 | elen << 16


def modulus_lines(config: Config, m: int) -> dict[int, int]:
    """Return the contents of each bank for a modulus: M, its constants for the family, R² mod M.

    As in the host library, operations are as wide as the modulus if the family has a variable width.
    """
    model, params = config.model, config.params
    narrow = run_time_width(config)
    if narrow is not None:
        constants = narrow.constants(params, m, m.bit_length())
        r_exp = narrow.r_exp_for(params, m.bit_length())
    else:
        constants, r_exp = model.constants(params, m), model.r_exp(params)
    values = [m, *(constants[name] for name in config.family.constants)]
    lines = {BANK_CONST + index: value for index, value in enumerate(values)}
    return {**lines, BANK_R2: pow(2, 2 * r_exp, m)}


def load_modulus(board: SimulatedBoard, config: Config, m: int) -> None:
    """Write a modulus and its constants."""
    for bank, value in modulus_lines(config, m).items():
        board.write_line(bank, value)


def start(board: SimulatedBoard, word: int) -> None:
    """Start the operation that `word` describes."""
    board.write(simulated.COMMAND, word)
    board.write(simulated.CONTROL, simulated.START)


def finish(board: SimulatedBoard) -> Outcome:
    """Wait for the end of the operation and read its outcome."""
    board.advance(CYCLE_LIMIT, until_irq=True)
    status = board.read(simulated.STATUS)
    cycles = board.read(simulated.CYCLES_LO) | board.read(simulated.CYCLES_HI) << 32
    return Outcome(board.read_result(), status >> 8, cycles)


def run(board: SimulatedBoard, word: int, **lines: int) -> Outcome:
    """Write the operand lines x, y, e that are given, start, and wait for the end."""
    for name, bank in (("x", BANK_X), ("y", BANK_Y), ("e", BANK_E)):
        if name in lines:
            board.write_line(bank, lines[name])
    start(board, word)
    return finish(board)
