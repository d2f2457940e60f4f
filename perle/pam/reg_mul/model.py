# SPDX-License-Identifier: Apache-2.0
"""Model of the register multiplier (shand1990), exact at the level of instructions; defines its cycle counts.

A board has 32 registers R of `Width` bits, the multiplicand A and the accumulator ACC of `Width` + 1 bits.
Specifiers name a register, or are None for the paper's "-": no destination, or a source that is zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

Params = dict[str, int]
Specifier = int | None

SPECIFIER_BITS = 6
VALID = 1 << (SPECIFIER_BITS - 1)


class Op(IntEnum):
    """The two highest bits of an instruction's address."""

    REGISTER = 0
    CHARGE = 1
    MULT = 2


@dataclass(frozen=True)
class Access:
    """What the host puts on the bus: direction, word address, data."""

    write: bool
    addr: int
    data: int = 0


def segments(params: Params) -> int:
    """Words of a register: 8 in the paper."""
    return params["Width"] // params["WordBits"]


def steps(params: Params) -> int:
    """Cycles for the bits of a multiplier."""
    return params["Width"] // params["BitsPerCycle"]


def phases(params: Params) -> int:
    """Cycles per word of the multiplier."""
    return params["WordBits"] // params["BitsPerCycle"]


def mult_cycles(params: Params) -> int:
    """Cycles from accepting a Mult to accepting the next Charge or Mult: two fetches, bits, one store."""
    return steps(params) + 4


def charge_cycles(params: Params) -> int:
    """Cycles from accepting a Charge to accepting the next Charge or Mult: bits, one store, A, R[s0]."""
    return steps(params) + 3 + segments(params)


def clear_cycles(params: Params) -> int:
    """Cycles after a reset in which the registers are cleared."""
    return params["Registers"] * segments(params)


# -- instructions


def _charge_or_mult(op: Op, *specifiers: Specifier) -> Access:
    addr = int(op)
    for spec in specifiers:
        addr = addr << SPECIFIER_BITS | (0 if spec is None else VALID | spec)
    return Access(True, addr)


def charge(a: Specifier, s0: Specifier, p1: Specifier) -> Access:
    """R[p1] ← ACC mod 2^Width; A ← R[a]; ACC ← R[s0]."""
    return _charge_or_mult(Op.CHARGE, a, s0, p1)


def mult(b: Specifier, s1: Specifier, p0: Specifier) -> Access:
    """T = A·R[b] + ACC; R[p0] ← T mod 2^Width; ACC ← ⌊T/2^Width⌋ + R[s1], sources as they were before."""
    return _charge_or_mult(Op.MULT, b, s1, p0)


def write_word(params: Params, n: int, d: int, data: int) -> Access:
    """WriteR: R[n]_d ← data."""
    return Access(True, n * segments(params) + d, data)


def read_word(params: Params, n: int, d: int) -> Access:
    """ReadR: returns R[n]_d."""
    return Access(False, n * segments(params) + d)


def write_register(params: Params, n: int, value: int) -> list[Access]:
    """All words of a register, lowest first."""
    bits = params["WordBits"]
    mask = (1 << bits) - 1
    return [write_word(params, n, d, value >> (bits * d) & mask) for d in range(segments(params))]


def read_register(params: Params, n: int) -> list[Access]:
    """All words of a register, lowest first; `join` combines what they return into one number."""
    return [read_word(params, n, d) for d in range(segments(params))]


def join(params: Params, words: Sequence[int]) -> int:
    """Return the number made of these words, lowest first."""
    return sum(word << (params["WordBits"] * d) for d, word in enumerate(words))


# -- sequences of the paper, with everything in registers. The Charge that opens a sequence closes the
#    previous one: `closes` is the destination of the highest word of that one.


def product_row(
    a: int, b: Sequence[int], s: Sequence[Specifier], p: Sequence[int], closes: Specifier = None
) -> list[Access]:
    """One word of A times len(b) words of B, plus one more word of S than of B; the top word stays in ACC.

    `p` has as many destinations as `b`; with three words it is the paper's 256 × 768 bits.
    """
    row = [charge(a, s[0], closes)]
    return row + [mult(b[i], s[i + 1], p[i]) for i in range(len(b))]


def close(p: Specifier) -> Access:
    """Charge(-, -, p): stores ACC."""
    return charge(None, None, p)


def product_512(
    a: Sequence[int], b: Sequence[int], s: Sequence[Specifier], p: Sequence[int], closes: Specifier = None
) -> list[Access]:
    """512 × 512 + 1024 bits: six instructions; the highest word stays in ACC, for p[3].

    `p[1]` and `p[2]` also hold intermediate words of the first row: they must not name `a`, `b` or `s[3]`.
    """
    first = product_row(a[0], b, s[:3], p[:2], closes)
    return first + product_row(a[1], b, [p[1], p[2], s[3]], p[1:3], closes=p[2])


def montgomery(
    x: int, y: int, m: int, m_prime: int, scratch: Sequence[int], closes: Specifier = None
) -> list[Access]:
    """Montgomery product x·y/2^Width modulo M in three multiplications; the result stays in ACC.

    R[m_prime] = −1/M mod 2^Width, x, y < 2·M, 4·M < 2^Width: the result is < 2·M again, without a comparison.
    `scratch` are three registers; `closes` may be x or y.
    """
    low, high, q = scratch
    return [
        charge(x, None, closes),
        mult(y, None, low),
        charge(m_prime, None, high),
        mult(low, None, q),
        charge(m, low, None),
        mult(q, high, None),
    ]


def montgomery_value(width: int, x: int, y: int, m: int) -> int:
    """Return the result of `montgomery` in closed form: (x·y + q·M)/2^Width, q = −x·y/M mod 2^Width."""
    radix = 1 << width
    return (x * y + -x * y * pow(m, -1, radix) % radix * m) // radix


# -- the board


@dataclass(frozen=True)
class _Running:
    """The current instruction: kind, operand, addend, destination, and the cycle after it was accepted."""

    op: Op
    x: Specifier
    y: Specifier
    p: Specifier
    taken: int


class Board:
    """One board after reset, registers cleared. `cycles` counts clock cycles as the simulated board does."""

    def __init__(self, params: Params) -> None:
        self.params = params
        self.registers = [0] * params["Registers"]
        self.a = 0
        self.acc = 0
        self.cycles = 0
        self._running: _Running | None = None

    def access(self, write: bool, addr: int, data: int = 0) -> int:
        """Make one access, let its cycles pass, and return what it reads (0 for a write)."""
        self.cycles += self.wait(write, addr) + 1
        if self._is_word(addr):
            return self._word(write, addr, data)
        decoded = self._decode(write, addr)
        if decoded is not None:
            op, x, y, p = decoded
            (self._mult if op is Op.MULT else self._charge)(x, y, p)
            self._running = _Running(op, x, y, p, self.cycles)
        return 0

    def run(self, accesses: Sequence[Access]) -> list[int]:
        """Make accesses one after the other; return what they read."""
        return [self.access(item.write, item.addr, item.data) for item in accesses]

    def advance(self, cycles: int) -> None:
        """Let clock cycles pass without an access."""
        self.cycles += cycles

    def wait(self, write: bool, addr: int) -> int:
        """Cycles for which this access would be stretched if made now."""
        left = self.busy_cycles()
        if self._is_word(addr):
            return self._wait_for_word(write, addr, left)
        return 0 if self._decode(write, addr) is None else left

    def busy_cycles(self) -> int:
        """Cycles, from the next one on, in which the board is busy."""
        run = self._running
        if run is None:
            return 0
        whole = mult_cycles(self.params) if run.op is Op.MULT else charge_cycles(self.params)
        return max(0, run.taken + whole - 1 - self.cycles)

    def _wait_for_word(self, write: bool, addr: int, left: int) -> int:
        run, n, waited = self._running, addr // segments(self.params), 0
        if run is not None and left:
            named = (run.p, run.x, run.y) if write else (run.p,)
            if n in named:
                waited = left
            while waited < left and self._ram_in_use(run, self.cycles + waited - run.taken):
                waited += 1
        # a read: the RAM responds in the next cycle
        return waited + (0 if write else 1)

    def _ram_in_use(self, run: _Running, cycle: int) -> bool:
        """Return whether the multiplication accesses the RAM, `cycle` cycles after it began."""
        per_word, words = phases(self.params), segments(self.params)
        cycle -= 2 if run.op is Op.MULT else 0
        word, phase = divmod(cycle, per_word)
        if cycle < 0 or word >= words:
            return True
        if run.op is Op.MULT:
            return (phase == 0 and word > 0) or (phase >= per_word - 2 and word < words - 1)
        return phase < 2 and word > 0

    def _mult(self, b: Specifier, s1: Specifier, p0: Specifier) -> None:
        width, top = self.params["Width"], self._source(s1)
        total = self.a * self._source(b) + self.acc
        self._store(p0, total)
        self.acc = (total >> width) + top

    def _charge(self, a: Specifier, s0: Specifier, p1: Specifier) -> None:
        self._store(p1, self.acc)
        self.a = self._source(a)
        self.acc = self._source(s0)

    def _source(self, spec: Specifier) -> int:
        return 0 if spec is None else self.registers[spec]

    def _store(self, spec: Specifier, value: int) -> None:
        if spec is not None:
            self.registers[spec] = value & ((1 << self.params["Width"]) - 1)

    def _is_word(self, addr: int) -> bool:
        return addr < self.params["Registers"] * segments(self.params)

    def _word(self, write: bool, addr: int, data: int) -> int:
        n, d = divmod(addr, segments(self.params))
        bits = self.params["WordBits"]
        mask, shift = (1 << bits) - 1, bits * d
        if write:
            self.registers[n] += ((data & mask) - (self.registers[n] >> shift & mask)) << shift
            return 0
        return self.registers[n] >> shift & mask

    def _decode(self, write: bool, addr: int) -> tuple[Op, Specifier, Specifier, Specifier] | None:
        """Return the fields of a Charge or Mult; None for an undefined instruction."""
        op = addr >> 3 * SPECIFIER_BITS
        fields = [addr >> (SPECIFIER_BITS * i) & (2 * VALID - 1) for i in (2, 1, 0)]
        x, y, p = (field - VALID if field & VALID else None for field in fields)
        known = all(spec is None or spec < self.params["Registers"] for spec in (x, y, p))
        if not write or op not in (Op.CHARGE, Op.MULT) or not known:
            return None
        return Op(op), x, y, p
