# SPDX-License-Identifier: Apache-2.0
"""Operands for the tests of every family: edge cases and random ones."""

from __future__ import annotations

from random import Random

from perle.cores.registry import Config


def edge_moduli(width: int) -> list[int]:
    """Odd moduli at the edges of a width: extremes, both classes mod 4, short ones, sparse and dense ones."""
    top = 1 << width
    candidates = {
        top - 1,
        top // 2 + 1,
        top // 2 + 3,
        top // 2 - 1,
        top - 3,
        top // 4 + 1,
        3,
        5,
        7,
        (top - 1) // 3 | 1,
        (1 << (width // 2)) + 1,
        (1 << (width // 2)) - 1,
        top - (1 << (width // 2)) + 1,
        top - (1 << (width // 2)) - 1,
    }
    # ≡ 1 modulo a digit: then the quotient constant −1/M, and all ranges derived from it, are the largest
    candidates |= {top - (1 << k) + 1 for k in (8, 16, 17, 18)}
    return sorted(m for m in candidates if m >= 3 and m % 2 == 1 and m < top)


def random_modulus(rng: Random, width: int) -> int:
    """Return a random odd modulus, of full width three times in four."""
    bits = width if rng.random() < 0.75 else rng.randrange(2, width + 1)
    return max(3, rng.getrandbits(bits) | 1 | (1 << (bits - 1)))


def operand_limit(config: Config, m: int) -> int:
    """Return the exclusive upper bound of operands and products."""
    return config.model.operand_limit(config.params, m)


def edge_operands(m: int, limit: int) -> list[int]:
    """Operands at the edges of [0, M) and of [0, limit)."""
    return sorted({x for x in (0, 1, 2, m - 1, m, m + 1, limit // 2, limit - 2, limit - 1) if 0 <= x < limit})
