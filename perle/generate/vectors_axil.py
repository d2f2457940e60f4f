# SPDX-License-Identifier: Apache-2.0
"""Test vectors of a board: what a host writes and has to read, as AXI4-Lite accesses."""

from __future__ import annotations

from perle.boards import driver
from perle.boards import simulated as regs
from perle.cores.modexp.model import Command, Mode, cycles
from perle.generate.ip import Ip
from perle.generate.operands import Draw, moduli
from perle.generate.stream import Stream
from perle.spec import modexp, mulmod

WRITE, CHECK, WAIT, POLL = 1, 2, 3, 4

ID = 0x5045524C
MAP_VERSION = 1
MODULUS_EVEN, OPERAND_RANGE = 1 << 10, 1 << 13  # flags of STATUS

# Clock cycles of all operations together; the first modulus is always put through the short ones, and powers
# as long as the modulus come last.
BUDGET = 250_000
MODULI = 5
SHORT = 8  # bits of a short secret exponent
PUBLIC = 65537


class Script:
    """Writes a host's accesses into a stream."""

    def __init__(self, ip: Ip) -> None:
        self.ip = ip
        self.stream = Stream()
        self.longest = 0
        self.spent = 0

    def write(self, register: int, value: int) -> None:
        """Write a register."""
        self.stream.put(WRITE, 1, register, value)

    def check(self, register: int, value: int) -> None:
        """Read a register."""
        self.stream.check(CHECK, 1, register, value)

    def line(self, bank: int, value: int) -> None:
        """Write an operand line."""
        address = regs.BANKS + bank * regs.BANK_BYTES
        self.stream.put(WRITE, self.ip.shape.words, address, value)

    def result(self, value: int) -> None:
        """Read the result line."""
        self.stream.check(CHECK, self.ip.shape.words, regs.RESULT, value)

    def start(self, op: Command, mode: Mode, elen: int) -> None:
        """Start an operation and wait for its end."""
        self.write(regs.COMMAND, driver.command(op, mode, elen))
        self.write(regs.CONTROL, regs.START)
        self.stream.put(WAIT)

    def cost(self, op: Command, mode: Mode = Mode.WINDOW, elen: int = 0, exponent: int = 0) -> int:
        """Return the cycles of an operation."""
        return cycles(self.ip.config, op, mode, elen, exponent)

    def run(
        self, op: Command, expected: int, x: int, other: int, mode: Mode = Mode.WINDOW, elen: int = 0
    ) -> None:
        """Run an operation on x and y, or on x and an exponent, and check all that it leaves."""
        took = self.cost(op, mode, elen, other if op is Command.EXP else 0)
        name = op.name if op is not Command.EXP else f"{op.name} {mode.name} over {elen} bits"
        self.stream.comment(name)
        self.line(driver.BANK_X, x)
        self.line(driver.BANK_E if op is Command.EXP else driver.BANK_Y, other)
        self.start(op, mode, elen)
        self.check(regs.STATUS, regs.DONE)
        self.check(regs.CYCLES_LO, took)
        self.check(regs.CYCLES_HI, 0)
        self.result(expected)
        self.spent += took
        self.longest = max(self.longest, took)

    def refused(self, why: str, flag: int) -> None:
        """Run a product that the board has to refuse."""
        self.stream.comment(why)
        self.start(Command.MULMOD, Mode.WINDOW, 0)
        self.check(regs.STATUS, regs.DONE | flag)
        self.result(0)
        self.write(regs.CONTROL, regs.CLEAR_ERRORS)
        self.check(regs.STATUS, regs.DONE)


def _identity(script: Script) -> None:
    form = script.ip.shape
    script.stream.comment("after the reset's zeroize: who is there")
    script.stream.put(POLL, regs.STATUS, regs.BUSY)
    script.check(regs.ID, ID)
    script.check(regs.FAMILY, script.ip.config.family.id)
    script.check(regs.CONFIG_HASH, script.ip.config_hash)
    script.check(regs.WIDTHS, form.width | form.operand_bits << 16)
    shape = form.word_bits | form.window_bits << 8 | form.const_count << 16 | MAP_VERSION << 24
    script.check(regs.SHAPE, shape)


def _modulus(script: Script, m: int, what: str) -> None:
    script.stream.comment(f"modulus {what}: {', '.join(script.ip.constants)}, R^2 mod M")
    for bank, value in driver.modulus_lines(script.ip.config, m).items():
        script.line(bank, value)


def _operations(script: Script, m: int, draw: Draw) -> None:
    config = script.ip.config
    top = config.model.operand_limit(config.params, m) - 1
    script.run(Command.MONT, config.model.mont_value(config.params, m, top, top), top, top)
    for x, y in [(m - 1, m - 1), (0, m - 1), (draw.below(m), draw.below(m))]:
        script.run(Command.MULMOD, mulmod(x, y, m), x, y)
    _power(script, m, Mode.WINDOW, SHORT, draw)
    x = draw.below(m)
    script.run(Command.EXP, modexp(x, PUBLIC, m), x, PUBLIC, Mode.BINARY, PUBLIC.bit_length())


def _power(script: Script, m: int, mode: Mode, elen: int, draw: Draw) -> None:
    x, e = draw.below(m), draw.bits(elen)
    if elen == SHORT or script.spent + script.cost(Command.EXP, mode, elen, e) <= BUDGET:
        script.run(Command.EXP, modexp(x, e, m), x, e, mode, elen)


def _faults(script: Script, m: int) -> None:
    script.line(driver.BANK_CONST, m - 1)
    script.refused("an even modulus", MODULUS_EVEN)
    script.line(driver.BANK_CONST, m)
    script.line(driver.BANK_X, m)
    script.refused("an operand that is not below the modulus", OPERAND_RANGE)
    script.stream.comment("a zeroization leaves nothing")
    script.write(regs.CONTROL, regs.ZEROIZE)
    script.stream.put(POLL, regs.STATUS, regs.BUSY)
    script.result(0)


def vectors(ip: Ip) -> tuple[str, dict[str, int]]:
    """Return the file and the testbench's parameters."""
    script, draw = Script(ip), Draw(ip.config.spec)
    _identity(script)
    chosen = list(moduli(ip.config.width, draw).items())[:MODULI]
    for m, what in chosen:
        if script.spent < BUDGET // 2:
            _modulus(script, m, what)
            _operations(script, m, draw)
    m, what = chosen[1]
    _modulus(script, m, what)
    for mode in (Mode.WINDOW, Mode.BINARY):
        _power(script, m, mode, ip.config.width, draw)
    _faults(script, m)
    kinds = "1 write words address value, 2 check words address value, 3 wait, 4 poll address mask"
    text = script.stream.finished(f"{ip.config.spec}, {ip.word_bits}-bit words: {kinds}")
    return text, {
        "WordBits": ip.word_bits,
        "LineBits": ip.shape.words * ip.word_bits,
        "Patience": script.longest,
        "Checks": script.stream.checks,
        "Lines": script.stream.lines,
    }
