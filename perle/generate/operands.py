# SPDX-License-Identifier: Apache-2.0
"""Moduli and operands of test vectors: edge cases first, then reproducible pseudo-random numbers."""

from __future__ import annotations

from hashlib import shake_256


class Draw:
    """Pseudo-random numbers from a hash of a name, which no version of a generator can change."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._count = 0

    def bits(self, count: int) -> int:
        """Return a number of at most `count` bits."""
        self._count += 1
        raw = shake_256(f"{self._name} {self._count}".encode()).digest(-(-count // 8))
        return int.from_bytes(raw, "big") & ((1 << count) - 1)

    def below(self, limit: int) -> int:
        """Return a number below `limit`, uniform up to one part in 2^64."""
        return self.bits(limit.bit_length() + 64) % limit

    def modulus(self, bits: int) -> int:
        """Return an odd number of exactly `bits` bits."""
        return self.bits(bits) | 1 << (bits - 1) | 1


def moduli(width: int, draw: Draw) -> dict[int, str]:
    """Return odd moduli and their descriptions, the most useful ones first."""
    full = 1 << width
    found = {
        full - 1: f"2^{width} - 1",
        draw.modulus(width): f"random, {width} bits",
        full // 2 + 1: f"2^{width - 1} + 1",
        # ≡ 1 modulo a digit: needs the largest multiple of M in a high-radix core
        full - (1 << 17) + 1: f"2^{width} - 2^17 + 1",
        full - 3: f"2^{width} - 3",
        3: "the least",
        draw.modulus(max(2, width // 2 + 1)): f"random, {max(2, width // 2 + 1)} bits",
        full - (1 << 16) + 1: f"2^{width} - 2^16 + 1",
        full - (1 << 18) + 1: f"2^{width} - 2^18 + 1",
    }
    return {m: what for m, what in found.items() if 3 <= m < full and m % 2}


def pairs(m: int, limit: int, draw: Draw) -> list[tuple[int, int]]:
    """Return pairs of operands below `limit`, including the edges of [0, M) and of the redundant range."""
    edges = [x for x in (limit - 1, m - 1, m, 0, 1, limit // 2) if x < limit]
    drawn = [(draw.below(limit), draw.below(limit)) for _ in range(12)]
    squares = [(x, x) for x in edges]
    mixed = [(x, y) for x in edges for y in edges if x != y]
    return [*squares[:2], *drawn[:2], *squares[2:], *drawn[2:], *mixed]
