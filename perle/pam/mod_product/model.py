# SPDX-License-Identifier: Apache-2.0
"""Bit-exact model of the modular product unit (shand1990, figure 4), by accesses; defines its cycle counts.

Names: k = RadixBits, d = 4/k − 1, β = 2^(k·N), Mt = (−M^-1 mod 16)·M, M̂ = (Mt + 1)/16. U and V are the two
words of the running sum S in carry-save form. `driving.py` shows how a host uses the unit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from perle.spec import check_modulus

Params = dict[str, int]

READ_P = 0  # the only read; all others are writes
WRITE_B, WRITE_B_ALIGN, SQUARE, MULT_B1, MULT_B3 = range(5)
ADDR_BITS = 3

QUOTIENT_BITS = 4  # k·(d+1): quotient bits found before the first one is used
WORD = 32


def digits(params: Params) -> int:
    """N: the closure bound k·N >= Width + k(d+1) + 2."""
    return -(-(params["Width"] + QUOTIENT_BITS + 2) // params["RadixBits"])


def delay(params: Params) -> int:
    """d, the steps between finding a quotient digit and using it."""
    return QUOTIENT_BITS // params["RadixBits"] - 1


def r_exp(params: Params) -> int:
    """Return the exponent of the Montgomery radix, β = 2^r_exp."""
    return params["RadixBits"] * digits(params)


def operand_bits(params: Params) -> int:
    """Bits of A and S: β itself, the one of the domain, must fit."""
    return r_exp(params) + 1


def operand_words(params: Params) -> int:
    """Words of B1 and of B3."""
    return -(-params["Width"] // WORD)


def sum_bits(params: Params) -> int:
    """Bits of U + V that become A and S; the k·d lower bits are in the quotient queue."""
    return operand_bits(params) - params["RadixBits"] * delay(params)


def steps(params: Params) -> int:
    """Count the steps of the recurrence, one per cycle: N + d + 1."""
    return digits(params) + delay(params) + 1


def resolve_cycles(params: Params) -> int:
    """Cycles to resolve the carries in constant time."""
    return -(-sum_bits(params) // params["ResolveBits"])


def resolve_cycles_worst(params: Params) -> int:
    """Maximum number of cycles to resolve the carries: exact in constant time, an upper bound with Fast."""
    return sum_bits(params) + 1 + params["DetectLatency"] if params["Fast"] else resolve_cycles(params)


def product_cycles(params: Params, u: int = 0, v: int = 0) -> int:
    """Busy cycles after a product is accepted; with Fast they depend on the last U and V."""
    resolve = resolve_cycles(params)
    if params["Fast"]:
        resolve, mask = 1 + params["DetectLatency"], (1 << sum_bits(params)) - 1
        u, v = u & mask, v & mask
        while v:
            u, v = u ^ v, (u & v) << 1 & mask
            resolve += 1
    return steps(params) + resolve


def read_cycles(params: Params) -> int:
    """Busy cycles after a ReadP is accepted: S moves k bits per cycle."""
    return WORD // params["RadixBits"]


@dataclass(frozen=True)
class Constants:
    """The constants folded into the logic."""

    m: int
    mt: int
    mhat: int
    minus_mt_inv: int  # −Mt^-1 mod β


@cache
def _constants(m: int, width: int, rexp: int) -> Constants:
    check_modulus(m, width)
    mt = (-pow(m, -1, 1 << QUOTIENT_BITS) % (1 << QUOTIENT_BITS)) * m
    return Constants(m, mt, (mt + 1) >> QUOTIENT_BITS, -pow(mt, -1, 1 << rexp) % (1 << rexp))


def constants(params: Params) -> Constants:
    """Return the constants of the modulus; IllegalModulusError for an even, tiny or too wide one."""
    return _constants(params["Modulus"], params["Width"], r_exp(params))


def operand_limit(params: Params) -> int:
    """2·Mt, the exclusive upper bound of products."""
    return 2 * constants(params).mt


def carry_save(x: int, y: int, z: int) -> tuple[int, int]:
    """Pass a row of full adders: sum and carries of three words."""
    return x ^ y ^ z, ((x & y) | (x & z) | (y & z)) << 1


def product_steps(params: Params, a: int, b: int) -> tuple[int, int, int]:
    """Return U, V and the quotient queue after the last step, as the rows of adders compute them."""
    k, top = params["RadixBits"], params["RadixBits"] * delay(params)
    digit_mask, acc_bits = (1 << k) - 1, r_exp(params) + 4
    multiples = [q * constants(params).mhat for q in range(1 << k)]
    u = v = queue = 0
    for _ in range(steps(params)):
        q = u & digit_mask
        total, carry = carry_save(u >> k, v >> k, multiples[queue & digit_mask])
        if k == 1:
            u, v = carry_save(total, carry, a if b & 1 else 0)
        else:
            total, more = carry_save(total, a if b & 1 else 0, a << 1 if b & 2 else 0)
            u, v = carry_save(total, carry, more)
        assert u + v < 1 << acc_bits, "U or V overflowed"
        assert v & digit_mask == 0, "a carry in the digit that is dropped"
        queue = queue >> k | q << (top - k)
        b >>= k
    return u, v, queue


def product_resolved(params: Params, u: int, v: int, queue: int) -> int:
    """Return the new A and S: 2^(k·d)·(U + V) + queue, truncated to their bits."""
    top = params["RadixBits"] * delay(params)
    return ((u + v) << top | queue) & ((1 << operand_bits(params)) - 1)


def product_value(params: Params, a: int, b: int) -> int:
    """Return the result in closed form: (A·B + Q·Mt)/β with Q = −A·B·Mt^-1 mod β."""
    rexp, const = r_exp(params), constants(params)
    low = (1 << rexp) - 1
    q = ((a & low) * (b & low) & low) * const.minus_mt_inv & low
    return (a * b + q * const.mt) >> rexp & ((1 << operand_bits(params)) - 1)


class Board:
    """The registers of a board and its clock; `exact_steps` computes products by rows of adders (slow)."""

    def __init__(self, params: Params, *, exact_steps: bool = False) -> None:
        self.params = params
        self.by_steps = exact_steps or bool(params["Fast"])
        self.cycles = 0
        self.reset()

    def reset(self) -> None:
        """Asynchronous reset: all registers are zero except A, which is as after ReadP."""
        constants(self.params)
        self.b1 = self.b3 = self.s = self.p = 0
        self.a = 1 << (r_exp(self.params) - QUOTIENT_BITS)
        self.free_at = self.cycles

    @property
    def busy(self) -> bool:
        """Whether a defined instruction would wait."""
        return self.cycles < self.free_at

    def advance(self, cycles: int) -> None:
        """Let clock cycles pass without an access."""
        self.cycles += cycles

    def stretch(self, write: bool, addr: int) -> int:
        """Cycles that an access made now would wait before it is accepted."""
        defined = addr <= MULT_B3 if write else addr == READ_P
        return max(0, self.free_at - self.cycles) if defined else 0

    def access(self, write: bool, addr: int, data: int = 0) -> int:
        """One host access, stretched as long as necessary; return the data of a read."""
        self.cycles += self.stretch(write, addr) + 1
        if not write:
            return self._read_p() if addr == READ_P else 0
        if addr in {WRITE_B, WRITE_B_ALIGN}:
            self._write_b(data & ((1 << WORD) - 1), align=addr == WRITE_B_ALIGN)
        elif addr in {SQUARE, MULT_B1, MULT_B3}:
            self._product({SQUARE: self.s, MULT_B1: self.b1, MULT_B3: self.b3}[addr])
        return 0

    def _write_b(self, data: int, *, align: bool) -> None:
        top = WORD * (operand_words(self.params) - 1)
        self.b3 = self.b3 >> WORD | (self.b1 & ((1 << WORD) - 1)) << top
        self.b1 = self.b1 >> WORD | data << top
        if align:
            self.a = self.a << 1 & ((1 << operand_bits(self.params)) - 1)
        self.s = self.a

    def _read_p(self) -> int:
        data, self.p = self.p, self.s & ((1 << WORD) - 1)
        self.s >>= WORD
        self.a = 1 << (r_exp(self.params) - QUOTIENT_BITS)
        self.free_at = self.cycles + read_cycles(self.params)
        return data

    def _product(self, b: int) -> None:
        b &= (1 << operand_bits(self.params)) - 1
        u = v = 0
        if self.by_steps:
            u, v, queue = product_steps(self.params, self.a, b)
            self.a = product_resolved(self.params, u, v, queue)
        else:
            self.a = product_value(self.params, self.a, b)
        self.s = self.a
        self.free_at = self.cycles + product_cycles(self.params, u, v)
