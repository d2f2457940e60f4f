# SPDX-License-Identifier: Apache-2.0
"""Binary to decimal: word by word, and by divide and conquer (Schönhage; Knuth, volume 2, section 4.4)."""

from __future__ import annotations

from random import Random

import gmpy2

from perle.apps.arithmetic import Arithmetic, Result, ends

DIGITS = 5000
STEP = 9  # decimal digits in a word of 32 bits
STRAIGHT = 8 * STEP
"""Numbers of at most this many decimal digits are converted one 32-bit word at a time."""


def straightforward(math: Arithmetic, n: int, digits: int) -> str:
    """Return `digits` decimal digits of n >= 0, by divisions by 10^9, each of a shorter number."""
    found = []
    for _ in range(-(-digits // STEP)):
        n, rest = math.divide(n, 10**STEP)
        found.append(f"{rest:0{STEP}d}")
    return "".join(reversed(found))[-digits:]


def divide_and_conquer(math: Arithmetic, n: int, digits: int) -> str:
    """Return the same by splitting n at 10^(72·2^k), and the parts recursively."""
    powers = [(STRAIGHT, 10**STRAIGHT)]
    while 2 * powers[-1][0] < digits:
        size, power = powers[-1]
        powers.append((2 * size, math.mul(power, power)))
    text = _halves(math, n, powers)
    return text.rjust(digits, "0")[-digits:]


def _halves(math: Arithmetic, n: int, powers: list[tuple[int, int]]) -> str:
    if not powers:
        return straightforward(math, n, STRAIGHT)
    _, power = powers[-1]
    high, low = math.divide(n, power)
    return _halves(math, high, powers[:-1]) + _halves(math, low, powers[:-1])


def run(math: Arithmetic, digits: int = DIGITS, *, fast: bool = True, seed: int = 1) -> Result:
    """Convert a number of `digits` digits; compare with GMP."""
    n = Random(seed).randrange(10 ** (digits - 1), 10**digits)  # noqa: S311
    convert = divide_and_conquer if fast else straightforward
    text = convert(math, n, digits)
    name = "decimal, divide and conquer" if fast else "decimal, straightforward"
    return Result(name, f"{digits} digits: {ends(text)}", "gmpy2.digits", text == gmpy2.digits(n))
