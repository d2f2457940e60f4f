# SPDX-License-Identifier: Apache-2.0
"""π and the sine to any number of decimals, with long integers. A real x is represented by ⌊x·2^bits⌋."""

from __future__ import annotations

import math as floating
from collections.abc import Callable
from typing import Any

import gmpy2
import mpmath

from perle.apps.arithmetic import Arithmetic, Result, ends

PI_DIGITS, SIN_DIGITS, SIN_ARGUMENT = 5000, 1000, 10
GUARD_BITS = 64
BITS_PER_DIGIT = floating.log2(10)

# Chudnovsky, 1988: 1/π = 12·Σ (−1)^k (6k)! (A + B·k) / ((3k)! (k!)^3 C^(3k + 3/2)), 14 decimals a term.
A, B, C = 13591409, 545140134, 640320
BITS_PER_TERM = 47

# Taylor's series is for x/3^k: then sin 3x = 3·sin x − 4·sin^3 x, k times; each triples the error.
TRIPLINGS = 16


def decimals(value: Callable[[int], int], digits: int, error_bits: int) -> int:
    """Return x·10^digits, truncated, where value(bits) is x·2^bits with an error of at most ±2^error_bits.

    More bits are used until the error cannot change a digit.
    """
    bits, scale = floating.ceil(digits * BITS_PER_DIGIT) + GUARD_BITS, int(10**digits)
    while True:
        near, error = value(bits), 1 << error_bits
        low, high = ((side * scale) >> bits for side in (abs(near) - error, abs(near) + error))
        if low == high:
            return low if near >= 0 else -low
        bits += GUARD_BITS


def pi(math: Arithmetic, bits: int) -> int:
    """Return π·2^bits within 2^8: Chudnovsky's series by binary splitting, a square root and a quotient."""
    _, q, t = _split(math, 0, bits // BITS_PER_TERM + 2)
    # π = Q·426880·√10005 / T
    root = square_root(math, math.shift(10005, 2 * bits))
    return math.divide(math.mul(math.mul(q, 426880), root), t)[0]


def _split(math: Arithmetic, first: int, last: int) -> tuple[int, int, int]:
    """Return P, Q, T of the terms first … last − 1."""
    if last - first == 1:
        k = first
        if k == 0:
            return 1, 1, A
        p = math.mul(math.mul(6 * k - 5, 2 * k - 1), 6 * k - 1)
        q = math.mul(math.mul(k, k), math.mul(k, C**3 // 24))
        t = math.mul(p, A + B * k)
        return p, q, -t if k % 2 else t
    middle = (first + last) // 2
    p1, q1, t1 = _split(math, first, middle)
    p2, q2, t2 = _split(math, middle, last)
    return math.mul(p1, p2), math.mul(q1, q2), math.add(math.mul(q2, t1), math.mul(p1, t2))


def square_root(math: Arithmetic, n: int) -> int:
    """Return ⌊√n⌋ by Newton's iteration, from a root of half as many bits (Zimmermann)."""
    if n.bit_length() <= 2 * GUARD_BITS:
        return floating.isqrt(n)
    low = (n.bit_length() - 1) // 4
    start = square_root(math, math.shift(n, -2 * low))
    x = math.shift(start, low)
    x = math.shift(math.add(x, math.divide(n, x)[0]), -1)
    while math.add(n, -math.mul(x, x)) < 0:
        x -= 1
    return x


def sine(math: Arithmetic, x: int, bits: int) -> int:
    """Return sin(x/2^bits)·2^bits for |x| <= 2^(bits + 4), within 2^40."""
    x = math.divide(abs(x), 3**TRIPLINGS)[0] * (1 if x >= 0 else -1)
    square = math.shift(math.mul(x, x), -bits)
    term = total = x
    i = 1
    while term:
        product = math.shift(math.mul(term, square), -bits)
        quotient = math.divide(abs(product), (i + 1) * (i + 2))[0]
        term = -quotient if product > 0 else quotient
        total = math.add(total, term)
        i += 2
    for _ in range(TRIPLINGS):
        cube = math.shift(math.mul(math.shift(math.mul(total, total), -bits), total), -bits)
        total = math.add(math.mul(total, 3), -math.shift(cube, 2))
    return total


def _compared(name: str, found: int, digits: int, real: Callable[[], Any]) -> Result:
    """Compare with mpmath's value, computed with more digits and truncated too."""
    with mpmath.workdps(digits + GUARD_BITS):
        right = int(real() * mpmath.mpf(10) ** digits)
    text = gmpy2.digits(abs(found)).zfill(digits + 1)
    shown = f"{'-' if found < 0 else ''}{text[:-digits]}.{ends(text[-digits:])}"
    return Result(name, f"{digits} decimals: {shown}", "mpmath", found == right)


def run_pi(math: Arithmetic, digits: int = PI_DIGITS) -> Result:
    """Compute π to `digits` decimals; compare with mpmath."""
    found = decimals(lambda bits: pi(math, bits), digits, 8)
    return _compared("pi", found, digits, lambda: mpmath.mp.pi)


def run_sin(math: Arithmetic, digits: int = SIN_DIGITS, argument: int = SIN_ARGUMENT) -> Result:
    """Compute sin(10) to `digits` decimals, truncated; compare with mpmath."""
    found = decimals(lambda bits: sine(math, argument << bits, bits), digits, 40)
    return _compared(f"sin({argument})", found, digits, lambda: mpmath.sin(argument))
