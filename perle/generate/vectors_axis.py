# SPDX-License-Identifier: Apache-2.0
"""Test vectors for streams: records with operands, and their answers; results come from the oracle."""

from __future__ import annotations

from collections.abc import Mapping

from perle.boards import driver
from perle.cores.modexp.model import Command, Mode
from perle.generate.cost import cost, counted, patience
from perle.generate.ip import Ip
from perle.generate.operands import Draw, moduli
from perle.generate.stream import Stream
from perle.spec import modexp, mulmod

WORD, LAST, ANSWER, WAIT = 1, 2, 3, 4
WORD_BITS = 64

EVEN, RANGE = 1 << 2, 1 << 5  # faults of an operation, in the order of STATUS from bit 8 on
MISFRAMED, NO_SUCH = 1 << 7, 1 << 8

BUDGET = 250_000
MODULI = 4
SHORT = 8
PUBLIC = 65537


def head(
    op: Command,
    lane: int,
    tag: int,
    banks: int,
    *,
    mode: Mode = Mode.WINDOW,
    elen: int = 0,
    zeroize: bool = False,
) -> int:
    """Return the first word of a record."""
    return op | zeroize << 2 | mode << 4 | banks << 8 | elen << 16 | lane << 32 | tag << 48


def words(ip: Ip, value: int) -> list[int]:
    """Return an operand line as words."""
    return [value >> WORD_BITS * index & (1 << WORD_BITS) - 1 for index in range(ip.shape.words)]


def record(ip: Ip, first: int, lines: Mapping[int, int]) -> list[int]:
    """Return the words of a record; `first` must name the banks of `lines`."""
    return [first, *(word for bank in sorted(lines) for word in words(ip, lines[bank]))]


def mask(lines: Mapping[int, int]) -> int:
    """Return the bit mask of the banks of lines."""
    return sum(1 << bank for bank in lines)


class Script:
    """Writes records and their answers into a stream."""

    def __init__(self, ip: Ip) -> None:
        self.ip = ip
        self.stream = Stream()
        self.tag = 0
        self.spent = 0
        self.longest = 0

    def _send(self, sent: list[int], lane: int, *, result: int = 0, flags: int = 0, took: int = 0) -> None:
        answer = flags | lane << 10 | self.tag << 16 | took << 32
        self.stream.check(ANSWER, answer, *words(self.ip, result))
        for word in sent[:-1]:
            self.stream.put(WORD, word)
        self.stream.put(LAST, sent[-1])
        self.tag += 1

    def operation(
        self,
        op: Command,
        lane: int,
        lines: Mapping[int, int],
        result: int,
        *,
        mode: Mode = Mode.WINDOW,
        elen: int = 0,
    ) -> None:
        """Send an operation that has a result."""
        self.stream.comment(f"{op.name} {mode.name} over {elen} bits, lane {lane}")
        first = head(op, lane, self.tag, mask(lines), mode=mode, elen=elen)
        took = cost(self.ip, op, mode, elen, lines.get(driver.BANK_E, 0))
        self._send(record(self.ip, first, lines), lane, result=result, took=took)
        self.spent += took
        self.longest = max(self.longest, took)

    def refused(self, why: str, sent: list[int], lane: int, flags: int) -> None:
        """Send a record that ends without a result."""
        self.stream.comment(why)
        self._send(sent, lane, flags=flags)

    def wait(self) -> None:
        """Wait for all answers."""
        self.stream.put(WAIT)


def _each_lane(script: Script, m: int, draw: Draw) -> None:
    """Load the modulus into every lane with a first product, then run operations on X and one more line."""
    ip = script.ip
    constants = driver.modulus_lines(ip.config, m)
    for lane in range(ip.lanes):
        x, y = (m - 1, m - 1) if lane == 0 else (draw.below(m), draw.below(m))
        lines = {**constants, driver.BANK_X: x, driver.BANK_Y: y}
        script.operation(Command.MULMOD, lane, lines, mulmod(x, y, m))
    for lane in range(ip.lanes):
        x, e = draw.below(m), draw.bits(SHORT)
        lines = {driver.BANK_X: x, driver.BANK_E: e}
        script.operation(Command.EXP, lane, lines, modexp(x, e, m), elen=SHORT)
    x = draw.below(m)
    lines = {driver.BANK_X: x, driver.BANK_E: PUBLIC}
    bits = PUBLIC.bit_length()
    script.operation(Command.EXP, 0, lines, modexp(x, PUBLIC, m), mode=Mode.BINARY, elen=bits)


def _faults(script: Script, m: int) -> None:
    """Send records that must be refused; the lane works afterwards."""
    ip, lane = script.ip, script.ip.lanes - 1
    constants = driver.modulus_lines(ip.config, m)
    for why, lines, flags in [
        ("an even modulus", {driver.BANK_CONST: m - 1, driver.BANK_X: 1, driver.BANK_Y: 1}, EVEN),
        ("an operand that is not below the modulus", {driver.BANK_CONST: m, driver.BANK_X: m}, RANGE),
    ]:
        first = head(Command.MULMOD, lane, script.tag, mask(lines))
        script.refused(why, record(ip, first, lines), lane, flags)
    script.wait()
    lines = {driver.BANK_X: 1, driver.BANK_Y: 1}
    whole = record(ip, head(Command.MULMOD, lane, script.tag, mask(lines)), lines)
    script.refused("a word short", whole[:-1], lane, MISFRAMED)
    whole[0] = head(Command.MULMOD, lane, script.tag, mask(lines))
    script.refused("two words long", [*whole, 1, 2], lane, MISFRAMED)
    alone = head(Command.MULMOD, lane, script.tag, mask(lines))
    script.refused("without the words that it names", [alone], lane, MISFRAMED)
    alone = head(Command.MULMOD, lane, script.tag, 0)
    script.refused("with words that it does not name", [alone, 0], lane, MISFRAMED)
    beyond = head(Command.MULMOD, ip.lanes, script.tag, mask(lines))
    script.refused("no such lane", [beyond, *whole[1:]], ip.lanes, NO_SUCH)
    if ip.shape.const_count < 4:
        bank = head(Command.MULMOD, lane, script.tag, 0x80)
        script.refused("no such bank", [bank, *words(ip, 0)], lane, NO_SUCH)
    lines = {**constants, driver.BANK_X: m - 1, driver.BANK_Y: m - 1}
    script.operation(Command.MULMOD, lane, lines, 1)
    script.wait()
    zeroize = head(Command.MONT, lane, script.tag, 0, zeroize=True)
    script.refused("a zeroization, with an answer of zeros", [zeroize], lane, 0)


def vectors(ip: Ip) -> tuple[str, dict[str, int]]:
    """Return the file and the testbench's parameters."""
    script, draw = Script(ip), Draw(ip.config.spec)
    chosen = list(moduli(ip.config.width, draw).items())[:MODULI]
    for m, what in chosen:
        if script.spent < BUDGET // 2:
            script.stream.comment(f"modulus {what}: {', '.join(ip.constants)}, R^2 mod M")
            _each_lane(script, m, draw)
    m, _ = chosen[:2][-1]  # with two bits there is one modulus
    x, e = draw.below(m), draw.bits(ip.config.width)
    lines = {**driver.modulus_lines(ip.config, m), driver.BANK_X: x, driver.BANK_E: e}
    if script.spent + cost(ip, Command.EXP, Mode.WINDOW, ip.config.width) <= BUDGET:
        script.operation(Command.EXP, 0, lines, modexp(x, e, m), elen=ip.config.width)
    _faults(script, m)
    text = script.stream.finished(f"{ip.config.spec}: 1 word, 2 last word, 3 words of an answer, 4 wait")
    return text, {
        "Words": ip.shape.words,
        "Counted": int(counted(ip)),
        "Patience": patience(ip, script.longest) + 1000,
        "Answers": script.stream.checks,
        "Lines": script.stream.lines,
    }
