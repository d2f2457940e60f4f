# SPDX-License-Identifier: Apache-2.0
"""Convolution of integer sequences by one long product (Kronecker's substitution).

c_k = Σ a_i·b_(k−i) is the digit k, to base 2^w, of Σ a_i·2^(w·i) times Σ b_j·2^(w·j), if all |c_k| < 2^(w−1).
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import gmpy2

from perle.apps.arithmetic import Arithmetic, Result

SAMPLES = 1024
TAPS = 64
SAMPLE_BITS = 16
WORD_BITS = 32
"""A digit occupies whole 32-bit host words, so that placing it only changes an address."""


def digit_bits(a: Sequence[int], b: Sequence[int]) -> int:
    """Return the bits w of a digit, a multiple of 32, with min(len)·max|a|·max|b| < 2^(w−1)."""
    bound = min(len(a), len(b)) * max(map(abs, a)) * max(map(abs, b))
    return -(-(bound.bit_length() + 1) // WORD_BITS) * WORD_BITS


def pack(math: Arithmetic, digits: Sequence[int], w: int) -> int:
    """Return Σ digits[i]·2^(w·i), of any signs; computed by halves, so that additions stay short."""
    if len(digits) == 1:
        return digits[0]
    half = len(digits) // 2
    high = math.shift(pack(math, digits[half:], w), half * w)
    return math.add(pack(math, digits[:half], w), high)


def unpack(math: Arithmetic, value: int, count: int, w: int) -> list[int]:
    """Return the `count` digits of `pack`, each in −2^(w−1) … 2^(w−1) − 1 (made positive by an offset)."""
    lift, size = 1 << w - 1, w // 8
    lifts = int.from_bytes(lift.to_bytes(size, "little") * count, "little")
    lifted = math.add(value, lifts).to_bytes(size * count, "little")
    digits = (lifted[size * i : size * (i + 1)] for i in range(count))
    return [math.add(int.from_bytes(digit, "little"), -lift) for digit in digits]


def convolve(math: Arithmetic, a: Sequence[int], b: Sequence[int]) -> list[int]:
    """Return the len(a) + len(b) − 1 sums of the convolution; a and b of any signs, neither of them empty."""
    w = digit_bits(a, b)
    product = math.mul(pack(math, a, w), pack(math, b, w))
    return unpack(math, product, len(a) + len(b) - 1, w)


def term_by_term(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """Return the same sums from GMP's products of single terms."""
    sums = [gmpy2.mpz(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(map(gmpy2.mpz, a)):
        for j, y in enumerate(b):
            sums[i + j] += x * y
    return [int(one) for one in sums]


def run(math: Arithmetic, samples: int = SAMPLES, seed: int = 1) -> Result:
    """Filter signed 16-bit samples with 64 taps of 16 bits."""
    random = Random(seed)  # noqa: S311
    limit = 1 << SAMPLE_BITS - 1
    signal, taps = ([random.randrange(-limit, limit) for _ in range(count)] for count in (samples, TAPS))
    found = convolve(math, signal, taps)
    w = digit_bits(signal, taps)
    text = (
        f"{len(found)} sums of {samples} samples and {TAPS} taps: "
        f"one product of {samples * w} by {TAPS * w} bits; the first is {found[0]}, the last {found[-1]}"
    )
    return Result("convolution", text, "gmpy2, term by term", found == term_by_term(signal, taps))
