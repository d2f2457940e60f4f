# SPDX-License-Identifier: Apache-2.0
"""The rows of shand1990's table 1 without hardware, by a model of the host: instructions times their time.

The program is that of rows 2 and 6: Montgomery products by three multiplications of a bignum library, and
square-and-multiply; row 1 with the whole exponent, rows 4 and 5 with the Chinese remainder theorem. Here the
library multiplies in software and counts instructions (`HostCost` in host/src/pam/driver.hpp). None of these
costs is derived from the rows: that of a word product follows from the factor of raw multiplication in
section 2. The R3000 is assumed to take equally many instructions, one per cycle of its printed clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from perle.host.pam.bignum import Bignum
from perle.host.pam.spec import KEY_BITS, OLD_KEY_BITS, TIMING
from perle.host.pam.system import Timing
from perle.host.sample import Numbers, sample
from perle.papers import load

WORD = 32
US_IN_PS = 10**6
FULL_EXPONENT, CRT, R3000 = 1, 4, 5
KEYS = {FULL_EXPONENT: OLD_KEY_BITS, CRT: KEY_BITS, R3000: KEY_BITS}
"""Rows of table 1 that are software, with the size of their keys in bits."""
SPARE_BITS = 2
"""Bits by which β must exceed a prime, so that Montgomery's product needs no final comparison."""


@dataclass(frozen=True)
class Modelled:
    """A software row: the cost of a block."""

    key_bits: int
    instructions: float
    instruction_ps: int
    products: int

    @property
    def baud(self) -> float:
        """Bits per second."""
        return self.key_bits * 1e12 / (self.instructions * self.instruction_ps)


def host(number: int) -> Timing:
    """Return the time of an instruction of a row's processor; there is no bus."""
    if number != R3000:
        return Timing.preset(TIMING)
    return Timing(0, 0, round(US_IN_PS / float(load("shand1990")["r3000_clock"].number)))


class Montgomery:
    """Products modulo an odd number, by calls of a bignum library."""

    def __init__(self, math: Bignum, modulus: int, spare: int) -> None:
        self._math, self._m = math, modulus
        self._words = -(-(modulus.bit_length() + spare) // WORD)
        self._compared = spare < SPARE_BITS
        self.beta = 1 << WORD * self._words
        self._m_prime = -pow(modulus, -1, self.beta) % self.beta
        self.products = 0

    def product(self, x: int, y: int) -> int:
        """x·y/β: t = x·y, q = t·(−1/m) mod β, (t + q·m)/β; below 2·m, or compared and below m."""
        math, low = self._math, self.beta - 1
        t = math.mul(x, y)
        q = math.mul(t & low, self._m_prime) & low
        self.products += 1
        r = math.shift(math.add(t, math.mul(q, self._m)), -WORD * self._words)
        return math.add(r, -self._m) if self._compared and r >= self._m else r

    def power(self, x: int, exponent: int) -> int:
        """x^exponent, reduced."""
        base = acc = self.product(x, self.beta**2 % self._m)
        for bit in bin(exponent)[3:]:
            acc = self.product(acc, acc)
            acc = self.product(acc, base) if bit == "1" else acc
        return self._math.divide(self.product(acc, 1), self._m)[1]


def private(math: Bignum, secret: Numbers, block: int, *, crt: bool) -> tuple[int, int]:
    """Return c^d mod n, and the number of Montgomery products."""
    if not crt:
        whole = Montgomery(math, secret.n, 0)
        return whole.power(block, secret.d), whole.products
    p, q, products, parts = secret.p, secret.q, 0, []
    for prime, exponent in zip((p, q), secret.halves, strict=True):
        half = Montgomery(math, prime, SPARE_BITS)
        parts.append(half.power(math.divide(block, prime)[1], exponent))
        products += half.products
    difference = math.divide(math.add(parts[0] + p, -math.divide(parts[1], p)[1]), p)[1]
    h = math.mulmod(difference, pow(q, -1, p), p)
    return math.add(parts[1], math.mul(h, q)), products


def run(number: int, *, blocks: int = 1, seed: int = 1, timing: Timing | None = None) -> Modelled:
    """Run a row's program; every result is checked."""
    bits = KEYS[number]
    secret, rng = sample(seed, bits // 2, bits // 2), Random(seed)  # noqa: S311
    chosen = timing or host(number)
    products = 0
    with Bignum(None, chosen) as math:
        for _ in range(blocks):
            block = rng.randrange(secret.n)
            found, count = private(math, secret, block, crt=number != FULL_EXPONENT)
            products += count
            if pow(found, secret.e, secret.n) != block:
                raise RuntimeError(f"row {number}: a result is wrong")
        taken = math.cost.host_ps
    instructions = taken / chosen.instruction_ps / blocks
    return Modelled(bits, instructions, chosen.instruction_ps, products // blocks)
