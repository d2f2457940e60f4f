# SPDX-License-Identifier: Apache-2.0
"""What is right: the oracle every model, core and board is held to.

Plain exact integer arithmetic, no dependency, no cleverness. Units are integers; `r` is the Montgomery
radix R itself (a power of two), not its logarithm.
"""

from __future__ import annotations

from dataclasses import dataclass


class IllegalModulusError(ValueError):
    """The modulus is even, zero or one: Montgomery arithmetic is not defined for it."""


class OperandRangeError(ValueError):
    """An operand is negative or not below the modulus."""


def check_modulus(m: int, width: int | None = None) -> None:
    """Raise IllegalModulusError unless `m` is odd, at least 3 and (if given) below 2^width."""
    if m <= 0:
        raise IllegalModulusError("modulus is zero or negative")
    if m % 2 == 0:
        raise IllegalModulusError("modulus is even")
    if m == 1:
        raise IllegalModulusError("modulus is one")
    if width is not None and m.bit_length() > width:
        raise IllegalModulusError(f"modulus has {m.bit_length()} bits, more than {width}")


def check_operand(name: str, value: int, m: int) -> None:
    """Raise OperandRangeError unless 0 <= value < m."""
    if value < 0:
        raise OperandRangeError(f"{name} is negative")
    if value >= m:
        raise OperandRangeError(f"{name} is not below the modulus")


def mont(x: int, y: int, m: int, r: int) -> int:
    """x·y·R^-1 mod M, in [0, M)."""
    check_modulus(m)
    return x * y * pow(r, -1, m) % m


def mulmod(x: int, y: int, m: int) -> int:
    """x·y mod M, in [0, M)."""
    check_modulus(m)
    return x * y % m


def modexp(base: int, exponent: int, m: int) -> int:
    """base^exponent mod M, in [0, M); the exponent is at least 0."""
    check_modulus(m)
    if exponent < 0:
        raise OperandRangeError("exponent is negative")
    return pow(base, exponent, m)


@dataclass(frozen=True)
class CrtKey:
    """An RSA private key: n = p·q, dp = d mod p−1, dq = d mod q−1, qinv = q^-1 mod p."""

    n: int
    e: int
    p: int
    q: int
    dp: int
    dq: int
    qinv: int


def rsa_private(key: CrtKey, c: int) -> int:
    """c^d mod n by Garner's recombination; `c` is in [0, n)."""
    check_operand("message", c, key.n)
    sp = modexp(c % key.p, key.dp, key.p)
    sq = modexp(c % key.q, key.dq, key.q)
    return sq + key.q * ((sp - sq) * key.qinv % key.p)
