# SPDX-License-Identifier: Apache-2.0
"""The host's part of the modular product unit: domain conversion, final reduction, access sequences.

A sequence is a list of (write, addr, data); `result` extracts the number from what its reads returned.
Numbers x are represented as x·β mod M ("in the domain"). The sequences of an exponentiation follow its
exponent; those of `Method.REGULAR` have the same length and time for all exponents of one length.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Protocol

from perle.pam.mod_product.model import (
    MULT_B1,
    MULT_B3,
    QUOTIENT_BITS,
    READ_P,
    SQUARE,
    WORD,
    WRITE_B,
    WRITE_B_ALIGN,
    Params,
    constants,
    operand_limit,
    operand_words,
    r_exp,
)

Access = tuple[bool, int, int]


class Unit(Protocol):
    """A board or its model."""

    def access(self, write: bool, addr: int, data: int = 0) -> int:
        """One access."""


class Method(Enum):
    """How an exponentiation scans the bits of its exponent."""

    BINARY = "binary"  # a product for every 1
    WINDOW = "window"  # {1, 3}: 11 is one product with B3
    REGULAR = "regular"  # a product for every bit; B3 is the one of the domain


# --- numbers -----------------------------------------------------------------------------------------------


def result_words(params: Params) -> int:
    """Words of a product, which is below 2·Mt < 2^(Width + 5): 9 for 254 bits."""
    return -(-(params["Width"] + QUOTIENT_BITS + 1) // WORD)


def to_montgomery(params: Params, x: int) -> int:
    """Return x·β mod M."""
    return (x << r_exp(params)) % params["Modulus"]


def from_montgomery(params: Params, z: int) -> int:
    """Return z·β^-1 mod M."""
    return z * pow(1 << r_exp(params), -1, params["Modulus"]) % params["Modulus"]


def r2(params: Params) -> int:
    """Return β² mod M: a product with it enters the domain."""
    return to_montgomery(params, to_montgomery(params, 1))


def cube(params: Params, x: int) -> int:
    """Return x³ in the domain, the value of B3 while B1 holds x: the third board of the paper computes it."""
    return to_montgomery(params, pow(x, 3, params["Modulus"]))


@cache
def _high_table(m: int, width: int) -> tuple[int, ...]:
    return tuple((high << width) % m for high in range(1 << (QUOTIENT_BITS + 1)))


def fold(params: Params, z: int) -> int:
    """Paper's reduction: look up the bits from 2^Width upwards modulo M; the result is < 2^Width + M.

    For 254 bits nine words become eight. The address of the look-up depends on z: the cache may reveal it.
    """
    width = params["Width"]
    return (z & ((1 << width) - 1)) + _high_table(params["Modulus"], width)[z >> width]


def reduce_table(params: Params, z: int) -> int:
    """Reduce a product to [0, M) by table; in data-dependent time."""
    m = params["Modulus"]
    z = fold(params, z)
    while z >= m:  # at most twice for a modulus of full width
        z -= m
    return z


def reduce_constant_time(params: Params, z: int) -> int:
    """Reduce a product to [0, M) by the same five subtractions for every value: z < 2·Mt < 32·M."""
    m, bits = params["Modulus"], params["Width"] + QUOTIENT_BITS + 2
    for shift in range(QUOTIENT_BITS, -1, -1):
        difference = z - (m << shift)
        borrow = difference >> bits  # 0 or −1
        z = difference + (borrow & (m << shift))
    return z


# --- sequences ---------------------------------------------------------------------------------------------


def load(params: Params, b1: int, b3: int = 0, *, align: bool = True) -> list[Access]:
    """Write B3 and B1, lowest words first; `align` turns A, β/16 after ReadP, into the one of the domain."""
    n = operand_words(params)
    words = [value >> (WORD * j) & ((1 << WORD) - 1) for value in (b3, b1) for j in range(n)]
    aligns = QUOTIENT_BITS if align else 0
    words = [0] * max(0, aligns - 2 * n) + words  # short operands need too few writes: zeros come first
    first = len(words) - aligns
    return [(True, WRITE_B if j < first else WRITE_B_ALIGN, word) for j, word in enumerate(words)]


def load_b1(params: Params, b1: int) -> list[Access]:
    """Write B1 alone, between products; B3 takes the old B1, A is unchanged."""
    n = operand_words(params)
    return [(True, WRITE_B, b1 >> (WORD * j) & ((1 << WORD) - 1)) for j in range(n)]


def read(params: Params) -> list[Access]:
    """Read S; the first ReadP returns what P held before."""
    return [(False, READ_P, 0)] * (result_words(params) + 1)


def recode(exponent: int, method: Method) -> list[tuple[int, int]]:
    """Split an exponent, from the top: a number of squarings, then a product (or 0 for none)."""
    bits, digits, pending, i = f"{exponent:b}" if exponent else "", [], 0, 0
    while i < len(bits):
        if method is Method.WINDOW and bits[i : i + 2] == "11":
            digits.append((pending + 2, MULT_B3))
            pending, i = 0, i + 2
            continue
        pending, i = pending + 1, i + 1
        if bits[i - 1] == "1":
            digits.append((pending, MULT_B1))
            pending = 0
    return [*digits, (pending, 0)] if pending else digits


def chain(exponent: int, method: Method = Method.WINDOW) -> list[int]:
    """Return the products of x^exponent, in order, from A = one; squarings of one are left out."""
    found = []
    for position, (squarings, mult) in enumerate(recode(exponent, method)):
        found += [SQUARE] * (squarings if position else 0)
        found += [mult] if mult else []
    return found


def chain_regular(exponent: int, bits: int) -> list[int]:
    """Return the products of x^exponent, two for each of `bits` bits, zeros too: B3 must hold one."""
    found = []
    for i in range(bits - 1, -1, -1):
        found += [SQUARE, MULT_B1 if exponent >> i & 1 else MULT_B3]
    return found


def exponentiation(
    params: Params, x: int, exponent: int, method: Method = Method.WINDOW, *, bits: int | None = None
) -> list[Access]:
    """Return the accesses of x^exponent mod M on a unit after reset or a read; the last words are the result.

    `bits` is the length of the exponent for `Method.REGULAR`. The result has left the domain, through a
    product with 1, and is at most Mt: reduce it.
    """
    length = exponent.bit_length() if bits is None else bits
    if method is Method.REGULAR:
        b3, products = to_montgomery(params, 1), chain_regular(exponent, length)
    else:
        b3, products = cube(params, x), chain(exponent, method)
    accesses = load(params, to_montgomery(params, x), b3)
    accesses += [(True, product, 0) for product in products]
    accesses += load_b1(params, 1)
    accesses.append((True, MULT_B1, 0))
    return accesses + read(params)


def play(unit: Unit, accesses: Iterable[Access]) -> list[int]:
    """Make the accesses; return what the reads returned."""
    return [data for write, data in [(a[0], unit.access(*a)) for a in accesses] if not write]


def result(params: Params, reads: list[int]) -> int:
    """Return the product from the last `read` of a sequence, not reduced."""
    return sum(word << (WORD * j) for j, word in enumerate(reads[-result_words(params) :]))


def power(params: Params, unit: Unit, x: int, exponent: int, method: Method = Method.WINDOW) -> int:
    """Return x^exponent mod M, computed by a unit."""
    reads = play(unit, exponentiation(params, x, exponent, method))
    return reduce_constant_time(params, result(params, reads))


# --- counts ------------------------------------------------------------------------------------------------


def mean_products(bits: int, method: Method) -> Fraction:
    """Mean length of `chain` over all exponents of exactly `bits` bits (at least 2)."""
    if method is Method.REGULAR:
        return Fraction(2 * bits)
    if method is Method.BINARY:
        return bits + Fraction(bits - 1, 2)
    mults = [Fraction(0), Fraction(1, 2)]  # products with B1 or B3 in that many random bits
    for i in range(2, bits):
        mults.append(mults[i - 1] / 2 + (1 + mults[i - 2]) / 2)
    # 11: two bits are loaded, 10: one
    return 1 + mults[bits - 2] + (bits - 2) + Fraction(1, 2)


def within_limit(params: Params, z: int) -> bool:
    """Whether a value may be an operand: less than 2·Mt, or β."""
    return z < operand_limit(params) or z == 1 << r_exp(params)


def host_constants(params: Params) -> dict[str, int]:
    """Return the host's constants of a modulus: M, Mt, β² mod M, β mod M, β^-1 mod M."""
    const = constants(params)
    inverse = from_montgomery(params, 1)
    return {"m": const.m, "mt": const.mt, "r2": r2(params), "one": to_montgomery(params, 1), "rinv": inverse}
