# SPDX-License-Identifier: Apache-2.0
"""Test vectors for a board: a host's writes and expected reads, lane by lane, and then on all lanes."""

from __future__ import annotations

from perle.boards import driver
from perle.boards import simulated as regs
from perle.boards.wrapper import ADDR_BITS
from perle.cores.modexp.model import Command, Mode
from perle.generate.cost import cost, counted, patience
from perle.generate.ip import Ip
from perle.generate.operands import Draw, moduli
from perle.generate.stream import Stream
from perle.spec import modexp, mulmod

WRITE, CHECK, WAIT, POLL, REFUSE = 1, 2, 3, 4, 5

ID = 0x5045524C
MAP_VERSION = 1
MODULUS_EVEN, OPERAND_RANGE = 1 << 10, 1 << 13  # flags of STATUS

# Limit on the clock cycles of all operations together; the short operations with the first modulus are always
# included, and powers as long as the modulus come last.
BUDGET = 250_000
MODULI = 5
SHORT = 8  # bits of a short secret exponent
PUBLIC = 65537


class Script:
    """Writes a host's accesses into a stream."""

    def __init__(self, ip: Ip) -> None:
        self.ip = ip
        self.stream = Stream()
        self.lane = 0
        self.longest = 0
        self.spent = 0

    def _at(self, register: int) -> int:
        return register | self.lane << ADDR_BITS

    def write(self, register: int, value: int) -> None:
        """Write a register."""
        self.stream.put(WRITE, 1, self._at(register), value)

    def check(self, register: int, value: int) -> None:
        """Read a register."""
        self.stream.check(CHECK, 1, self._at(register), value)

    def poll(self, register: int, mask: int) -> None:
        """Read a register until the bits of the mask are zero."""
        self.stream.put(POLL, self._at(register), mask)

    def refuse(self, register: int, *, write: bool) -> None:
        """Make an access that the bus must answer with an error."""
        self.stream.check(REFUSE, self._at(register), int(write))

    def line(self, bank: int, value: int) -> None:
        """Write an operand line."""
        address = regs.BANKS + bank * regs.BANK_BYTES
        self.stream.put(WRITE, self.ip.shape.words, self._at(address), value)

    def result(self, value: int) -> None:
        """Read the result line."""
        self.stream.check(CHECK, self.ip.shape.words, self._at(regs.RESULT), value)

    def begin(self, op: Command, mode: Mode, elen: int) -> None:
        """Start an operation."""
        self.write(regs.COMMAND, driver.command(op, mode, elen))
        self.write(regs.CONTROL, regs.START)

    def start(self, op: Command, mode: Mode, elen: int) -> None:
        """Start an operation and wait for its end."""
        self.begin(op, mode, elen)
        self.stream.put(WAIT, 1 << self.lane)

    def cost(self, op: Command, mode: Mode = Mode.WINDOW, elen: int = 0, exponent: int = 0) -> int:
        """Return the cycles of an operation."""
        return cost(self.ip, op, mode, elen, exponent)

    def run(
        self, op: Command, expected: int, x: int, other: int, mode: Mode = Mode.WINDOW, elen: int = 0
    ) -> None:
        """Run an operation on x and y, or on x and an exponent, and check result, cycles and status."""
        took = self.cost(op, mode, elen, other if op is Command.EXP else 0)
        name = op.name if op is not Command.EXP else f"{op.name} {mode.name} over {elen} bits"
        self.stream.comment(name)
        self.line(driver.BANK_X, x)
        self.line(driver.BANK_E if op is Command.EXP else driver.BANK_Y, other)
        self.start(op, mode, elen)
        self.check(regs.STATUS, regs.DONE)
        if counted(self.ip):
            self.check(regs.CYCLES_LO, took)
        self.check(regs.CYCLES_HI, 0)
        self.result(expected)
        self.spent += took
        self.longest = max(self.longest, took)

    def refused(self, why: str, flag: int) -> None:
        """Run a product that the board must refuse."""
        self.stream.comment(why)
        self.start(Command.MULMOD, Mode.WINDOW, 0)
        self.check(regs.STATUS, regs.DONE | flag)
        self.result(0)
        self.write(regs.CONTROL, regs.CLEAR_ERRORS)
        self.check(regs.STATUS, regs.DONE)


def _identity(script: Script) -> None:
    ip, form = script.ip, script.ip.shape
    if not ip.registers:
        return
    script.check(regs.ID, ID)
    script.check(regs.FAMILY, ip.config.family.id)
    script.check(regs.CONFIG_HASH, ip.config_hash)
    script.check(regs.WIDTHS, form.width | form.operand_bits << 16)
    shape = form.word_bits | form.window_bits << 8 | form.const_count << 16 | MAP_VERSION << 24
    script.check(regs.SHAPE, shape)
    script.check(regs.LANES, ip.lanes | script.lane << 8)
    script.refuse(regs.ID, write=True)
    script.refuse(regs.CONTROL, write=False)


def _beyond(script: Script) -> None:
    """Access a lane that does not exist, if the address has room for one."""
    if script.ip.registers and script.ip.lanes < 1 << script.ip.shape.lane_bits:
        script.lane = script.ip.lanes
        script.stream.comment("no such lane")
        script.refuse(regs.ID, write=False)
        script.refuse(regs.COMMAND, write=True)


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
    script.poll(regs.STATUS, regs.BUSY)
    script.result(0)


def _together(script: Script, draw: Draw) -> None:
    """Run an operation on every lane at the same time, each with a modulus of its own."""
    ip, expected = script.ip, []
    for script.lane in range(ip.lanes):
        m = draw.modulus(ip.config.width)
        _modulus(script, m, f"of lane {script.lane}")
        x, e = draw.below(m), draw.bits(SHORT)
        script.line(driver.BANK_X, x)
        script.line(driver.BANK_E, e)
        expected.append(modexp(x, e, m))
    script.stream.comment("all lanes at the same time")
    for script.lane in range(ip.lanes):
        script.begin(Command.EXP, Mode.WINDOW, SHORT)
    script.stream.put(WAIT, (1 << ip.lanes) - 1)
    for script.lane, value in enumerate(expected):
        script.check(regs.STATUS, regs.DONE)
        script.result(value)
        if ip.has_engine and counted(ip):  # its threads do not wait for each other
            script.check(regs.CYCLES_LO, script.cost(Command.EXP, Mode.WINDOW, SHORT))


def vectors(ip: Ip) -> tuple[str, dict[str, int]]:
    """Return the file and the testbench's parameters."""
    script, draw = Script(ip), Draw(ip.config.spec)
    script.stream.comment("after the reset's zeroize: who is there")
    for script.lane in range(ip.lanes):
        script.poll(regs.STATUS, regs.BUSY)
        _identity(script)
    _beyond(script)
    chosen = list(moduli(ip.config.width, draw).items())[:MODULI]
    for index, (m, what) in enumerate(chosen):
        script.lane = (ip.lanes - 1) * (index % 2)  # the first and the last one
        if script.spent < BUDGET // 2:
            _modulus(script, m, what)
            _operations(script, m, draw)
    m, what = chosen[:2][-1]  # with two bits there is one modulus
    _modulus(script, m, what)
    for mode in (Mode.WINDOW, Mode.BINARY):
        _power(script, m, mode, ip.config.width, draw)
    _faults(script, m)
    if ip.lanes > 1:
        _together(script, draw)
    kinds = "1 write words address value, 2 check words address value, 3 wait lanes, 4 poll address mask, "
    kinds += "5 refuse address write"
    text = script.stream.finished(f"{ip.config.spec}, {ip.word_bits}-bit words: {kinds}")
    counted = {} if ip.registers else {"CycleBits": 64 if ip.lanes == 1 else 32}
    return text, {
        "WordBits": ip.word_bits,
        "AddrBits": ADDR_BITS + ip.shape.lane_bits,
        "Lanes": ip.lanes,
        **counted,
        "LineBits": max(ip.shape.words * ip.word_bits, ip.lanes),
        "Patience": patience(ip, script.longest),
        "Checks": script.stream.checks,
        "Lines": script.stream.lines,
    }
