# SPDX-License-Identifier: Apache-2.0
"""Factoring by elliptic curves: a long sequence of modular products of the number's length.

Curves b·y² = x³ + a·x² + x in Montgomery's form, points (X : Z) without y, from Suyama's parameter σ: the
order of such a curve modulo a prime p is a multiple of 12. Stage 1 multiplies a point by all prime powers up
to B1; stage 2 finds one prime of the order between B1 and B2.

Source: P. L. Montgomery, "Speeding the Pollard and elliptic curve methods of factorization", Mathematics of
Computation 48, 1987, sections 10.3.1 and 4.
"""

from __future__ import annotations

from collections.abc import Iterator

import gmpy2

from perle.apps.arithmetic import Arithmetic, Result

FERMAT = (1 << 256) + 1
"""The eighth Fermat number; Brent and Pollard found its 16-digit factor in 1980."""
B1, B2 = 2000, 60_000
FIRST_SIGMA, CURVES = 6, 60
LEAST_BITS, MOST_BITS = 16, 2048

Point = tuple[int, int]


class Curve:
    """A curve modulo n: a24 = (a + 2)/4."""

    def __init__(self, math: Arithmetic, n: int, a24: int) -> None:
        self.math, self.n, self.a24 = math, n, a24

    def _mul(self, a: int, b: int) -> int:
        return self.math.mulmod(a, b, self.n)

    def _add(self, a: int, b: int) -> int:
        total = self.math.add(a, b)
        return self.math.add(total, -self.n) if total >= self.n else total

    def _sub(self, a: int, b: int) -> int:
        difference = self.math.add(a, -b)
        return self.math.add(difference, self.n) if difference < 0 else difference

    def double(self, p: Point) -> Point:
        """Return 2·P by five products."""
        plus, minus = self._add(*p), self._sub(*p)
        plus, minus = self._mul(plus, plus), self._mul(minus, minus)
        apart = self._sub(plus, minus)
        return self._mul(plus, minus), self._mul(apart, self._add(minus, self._mul(self.a24, apart)))

    def add(self, p: Point, q: Point, difference: Point) -> Point:
        """Return P + Q by six products, given P − Q."""
        u = self._mul(self._sub(*p), self._add(*q))
        v = self._mul(self._add(*p), self._sub(*q))
        plus, minus = self._add(u, v), self._sub(u, v)
        return self._mul(difference[1], self._mul(plus, plus)), self._mul(
            difference[0], self._mul(minus, minus)
        )

    def times(self, k: int, p: Point) -> Point:
        """Return k·P for k >= 1, by a ladder whose two points differ by P."""
        low, high = p, self.double(p)
        for bit in bin(k)[3:]:
            between = self.add(low, high, p)
            low, high = (between, self.double(high)) if bit == "1" else (self.double(low), between)
        return low


def suyama(math: Arithmetic, n: int, sigma: int) -> tuple[Curve, Point] | int:
    """Return curve and point of a parameter; a number instead, if it shares a factor with n."""
    u, v = sigma * sigma - 5, 4 * sigma
    below = 4 * u**3 * v
    common = gmpy2.gcd(below, n)
    if common != 1:
        return int(common)
    a24 = (v - u) ** 3 * (3 * u + v) * int(gmpy2.invert(4 * below, n)) % n
    return Curve(math, n, a24), (u**3 % n, v**3 % n)


def primes(least: int, most: int) -> Iterator[int]:
    """Return the primes from `least` to `most`."""
    p = int(gmpy2.next_prime(max(1, least - 1)))
    while p <= most:
        yield p
        p = int(gmpy2.next_prime(p))


def _one_curve(math: Arithmetic, n: int, sigma: int, b1: int, b2: int) -> int:
    """Return what the two stages of a curve find: a divisor of n, often 1 or n."""
    made = suyama(math, n, sigma)
    if isinstance(made, int):
        return made
    curve, p = made
    for prime in primes(2, b1):
        power = prime
        while power * prime <= b1:
            power *= prime
        p = curve.times(power, p)
    found = int(gmpy2.gcd(p[1], n))
    return found if found != 1 else _stage_2(curve, p, b1, b2)


def _stage_2(curve: Curve, p: Point, b1: int, b2: int) -> int:
    """Multiply the Z of q·P for all primes q up to B2: one of them is 0 modulo a factor if its order is q.

    From prime to prime by even multiples of P: q·P + 2d·P, whose difference (q − 2d)·P is kept.
    """
    product, n = 1, curve.n
    step = 210
    around = {j: curve.times(j, p) for j in range(1, step // 2, 2) if gmpy2.gcd(j, step) == 1}
    giant = curve.times(step, p)
    first = max(1, b1 // step)
    before, here = curve.times(first, giant), curve.times(first + 1, giant)
    at = (first + 1) * step
    while at - step // 2 < b2:
        for j, small in around.items():
            if gmpy2.is_prime(at - j) or gmpy2.is_prime(at + j):
                # x(at·P) = x(±j·P) modulo a factor: (at ± j)·P is the point at infinity there
                crossed = curve.math.mulmod(here[0], small[1], n) - curve.math.mulmod(small[0], here[1], n)
                product = curve.math.mulmod(product, crossed % n, n)
        before, here = here, curve.add(here, giant, before)
        at += step
    return int(gmpy2.gcd(product, n))


def factor(math: Arithmetic, n: int, curves: int = CURVES, b1: int = B1, b2: int = B2) -> tuple[int, int]:
    """Return a factor of odd composite n, and the σ that found it; (1, 0) if no curve finds one.

    Primes up to B1 are tried first (σ = 0): every curve would find all of them together, which may give n.
    """
    small = gmpy2.mpz(2)
    while (small := gmpy2.next_prime(small)) <= b1:
        if n % small == 0:
            return int(small), 0
    for sigma in range(FIRST_SIGMA, FIRST_SIGMA + curves):
        found = _one_curve(math, n, sigma, b1, b2)
        if found not in (1, n):
            return found, sigma
    return 1, 0


def check_number(n: int) -> None:
    """Raise ValueError unless n is positive, odd, composite, not a perfect power, and has 16 to 2048 bits."""
    if n < 0:
        raise ValueError("a positive number is wanted")
    if not LEAST_BITS <= n.bit_length() <= MOST_BITS:
        raise ValueError(f"a number of {LEAST_BITS} to {MOST_BITS} bits is wanted, not of {n.bit_length()}")
    if n % 2 == 0:
        raise ValueError("an odd number is wanted")
    if gmpy2.is_prime(n) or gmpy2.is_power(n):
        raise ValueError("a composite number that is no power is wanted")


def run(math: Arithmetic, n: int = FERMAT) -> Result:
    """Find a factor of n; check it by a division, and test with GMP whether it is prime."""
    found, sigma = factor(math, n)
    if found == 1:
        text = f"no factor of {n} by {CURVES} curves, B1 = {B1}, B2 = {B2}"
        return Result("factoring", text, "nothing: there is no result", right=True)
    cofactor, rest = divmod(gmpy2.mpz(n), found)
    prime = "prime" if gmpy2.is_prime(found) else "composite"
    how = (
        f"curve σ = {sigma}, B1 = {B1}, B2 = {B2}" if sigma else f"by division, as it is not above B1 = {B1}"
    )
    text = f"{found}, {prime}, of {len(str(found))} digits, divides a number of {len(str(n))} digits: {how}"
    return Result("factoring", text, "GMP", rest == 0 and cofactor > 1)
