# SPDX-License-Identifier: Apache-2.0
"""Strong probable-prime test of (2^P + 1)/3: exponentiations, the main cost of a primality proof."""

from __future__ import annotations

from collections.abc import Sequence

import gmpy2

from perle.apps.arithmetic import Arithmetic, Result

EXPONENT = 3539
"""The number (2^3539 + 1)/3, the largest known prime without a special form when the paper was written."""
BASES = (3, 5, 7)
"""Bases of the Miller-Rabin test. Base 2 would prove nothing: its order modulo a divisor of 2^P + 1 divides
2P, and so N − 1 if P is prime."""
SMALL_FACTORS = 10_000
LEAST_EXPONENT, MOST_EXPONENT = 29, 20_000
"""Range of the exponent P. From 29 on, N exceeds 10^8, so that there are composites near it without a factor
below SMALL_FACTORS."""


def wagstaff(exponent: int) -> int:
    """Return (2^P + 1)/3 for odd P from 29 to 20,000; ValueError for any other P."""
    if not LEAST_EXPONENT <= exponent <= MOST_EXPONENT or exponent % 2 == 0:
        raise ValueError(f"the exponent has to be odd, {LEAST_EXPONENT} to {MOST_EXPONENT}, not {exponent}")
    return ((1 << exponent) + 1) // 3


def strong_probable_prime(math: Arithmetic, n: int, bases: Sequence[int] = BASES) -> bool:
    """Whether odd n > 3 passes the strong test of Miller and Rabin for every base, as a prime does."""
    d, squarings = n - 1, 0
    while d % 2 == 0:
        d, squarings = d // 2, squarings + 1
    return all(_passes(math, n, base, d, squarings) for base in bases)


def _passes(math: Arithmetic, n: int, base: int, d: int, squarings: int) -> bool:
    x = math.powmod(base, d, n)
    if x in (1, n - 1):
        return True
    for _ in range(squarings - 1):
        x = math.mulmod(x, x, n)
        if x == n - 1:
            return True
    return False


def composite_neighbour(n: int) -> int:
    """Return the first odd number above n that is composite without a factor below 10,000."""
    small = gmpy2.primorial(SMALL_FACTORS)
    candidate = n + 2
    while gmpy2.gcd(candidate, small) != 1 or gmpy2.is_prime(candidate):
        candidate += 2
    return candidate


def run(math: Arithmetic, exponent: int = EXPONENT, bases: Sequence[int] = BASES) -> Result:
    """Test (2^P + 1)/3 and a composite near it; compare with GMP's own test."""
    n = wagstaff(exponent)
    other = composite_neighbour(n)
    found = [strong_probable_prime(math, number, bases) for number in (n, other)]
    words = ["a strong probable prime" if passed else "composite" for passed in found]
    digits = len(gmpy2.digits(n))
    return Result(
        "primes",
        f"(2^{exponent}+1)/3 of {digits} digits is {words[0]} for bases {', '.join(map(str, bases))}; "
        f"that + {other - n} is {words[1]}",
        "gmpy2.is_prime",
        found == [gmpy2.is_prime(n), gmpy2.is_prime(other)],
    )
