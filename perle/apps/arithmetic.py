# SPDX-License-Identifier: Apache-2.0
"""The interface of a bignum library for applications, and their results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class Arithmetic(Protocol):
    """Calls of a bignum library; `perle.host.pam.bignum.Bignum` is one."""

    def mul(self, a: int, b: int) -> int:
        """Return a·b, of any sign."""

    def divide(self, a: int, b: int) -> tuple[int, int]:
        """Return ⌊a/b⌋ and the remainder; a >= 0, b >= 1."""

    def mulmod(self, a: int, b: int, m: int) -> int:
        """Return a·b mod m; a, b >= 0, m >= 1."""

    def powmod(self, x: int, e: int, m: int) -> int:
        """Return x^e mod m; x, e >= 0, m >= 1."""

    def add(self, a: int, b: int) -> int:
        """Return a + b, of any sign."""

    def shift(self, a: int, bits: int) -> int:
        """Return ⌊a·2^bits⌋, of any sign."""


@dataclass(frozen=True)
class Result:
    """The result of an application as text, and whether an independent library has the same result."""

    name: str
    computed: str
    checked_against: str
    right: bool


def ends(digits: str, shown: int = 20) -> str:
    """Return first and last digits of a long number."""
    return digits if len(digits) <= 2 * shown else f"{digits[:shown]}…{digits[-shown:]}"
