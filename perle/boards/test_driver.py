# SPDX-License-Identifier: Apache-2.0
"""The driver without a board: which registers it writes and reads, in which order."""

from __future__ import annotations

from perle.boards import driver, simulated
from perle.boards.driver import BANK_CONST, BANK_R2, BANK_X, BANK_Y, Outcome, command
from perle.cores.modexp.model import Command, Mode
from perle.cores.registry import resolve


class Registers:
    """A board of which every access is noted; it has a count of cycles that needs both of its registers."""

    def __init__(self) -> None:
        self.values = {simulated.STATUS: 0x1202, simulated.CYCLES_LO: 0x9000_0001, simulated.CYCLES_HI: 3}
        self.done: list[tuple[object, ...]] = []

    def write(self, addr: int, data: int) -> None:
        self.done.append(("write", addr, data))

    def read(self, addr: int) -> int:
        return self.values[addr]

    def read_result(self) -> int:
        return 77

    def write_line(self, bank: int, value: int) -> None:
        self.done.append(("line", bank, value))

    def advance(self, cycles: int, *, until_irq: bool) -> None:
        self.done.append(("advance", cycles >= 10**8, until_irq))


def test_an_operation() -> None:
    board = Registers()
    word = command(Command.MULMOD)
    found = driver.run(board, word, x=5, y=6)  # type: ignore[arg-type]
    assert found == Outcome(77, 0x12, 0x3_9000_0001)
    assert board.done == [
        ("line", BANK_X, 5),
        ("line", BANK_Y, 6),
        ("write", simulated.COMMAND, word),
        ("write", simulated.CONTROL, simulated.START),
        ("advance", True, True),
    ]


def test_the_word_of_a_command() -> None:
    assert command(Command.EXP, Mode.WINDOW, 0x123) == Command.EXP | Mode.WINDOW << 4 | 0x123 << 16
    assert command(Command.EXP, Mode.BINARY, 1) != command(Command.EXP, Mode.WINDOW, 1)
    assert command(Command.MONT) & 0xF == Command.MONT


def test_lines_of_a_modulus() -> None:
    config, m = resolve("orup:w64"), 2**64 - 59
    r = 1 << config.model.r_exp(config.params)
    constants = config.model.constants(config.params, m)
    assert driver.modulus_lines(config, m) == {
        BANK_CONST: m,
        **{BANK_CONST + 1 + i: constants[name] for i, name in enumerate(config.family.constants)},
        BANK_R2: r * r % m,
    }
    narrow = resolve("scalable:r2_w16_p8_n256")
    assert driver.modulus_lines(narrow, 2**100 - 15)[BANK_R2] < 2**100
