# SPDX-License-Identifier: Apache-2.0
"""Diffie–Hellman in the named groups of RFC 3526 and RFC 7919, with powers on boards.

    from perle.host import Boards
    from perle.host.dh import group, generate

    with Boards("sim:orup:w2048") as boards:
        mine = generate(boards, group("ffdhe2048"))
        secret = mine.shared(boards, public_value_of_the_peer)

Powers with a secret exponent take constant time on the board (`Mode.WINDOW`). As with all secrets in Python,
integers stay in memory until Python reuses it.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from functools import cache

import gmpy2
import mpmath

from perle.host.boards import Boards, Mode

# The 64 highest and lowest bits of every prime are ones. Between them are digits of a constant, plus an
# offset that makes the prime a safe prime, as printed in the RFCs.
_ONES = 64
_RFC3526 = {1536: 741804, 2048: 124476, 3072: 1690314, 4096: 240904}
_RFC7919 = {2048: 560316, 3072: 2625351, 4096: 5736041}
# RFC 7919, appendix A: bits of the exponent for the strength of the group (a little over twice the strength).
_EXPONENT_BITS = {1536: 200, 2048: 225, 3072: 275, 4096: 325}

NAMES = (*(f"modp{bits}" for bits in _RFC3526), *(f"ffdhe{bits}" for bits in _RFC7919))


class PeerError(ValueError):
    """The peer's public value is invalid: outside 2 … p − 2, or not a power of the generator."""


@dataclass(frozen=True)
class Group:
    """The powers of g = 2 modulo a safe prime p, q = (p − 1)/2 of them: squares, for p ≡ 7 (mod 8)."""

    name: str
    p: int
    exponent_bits: int
    g: int = 2

    @property
    def bits(self) -> int:
        """Bits of the prime, and the width of board needed."""
        return self.p.bit_length()

    @property
    def q(self) -> int:
        """The order of the group, a prime."""
        return self.p >> 1

    def check(self, public: int) -> None:
        """Raise PeerError for an invalid public value (RFC 7919, 5.1; SP 800-56A, 5.6.2.3.1)."""
        if not 1 < public < self.p - 1:
            raise PeerError("the peer's value is not from 2 to p − 2")
        # It is a square if and only if public^q = 1. The value is public, so the time need not be constant.
        if gmpy2.jacobi(public, self.p) != 1:
            raise PeerError("the peer's value is no power of the generator")


@cache
def group(name: str) -> Group:
    """Return a group by its name: one of NAMES.

    p = 2^n − 2^(n−64) + (⌊2^(n−130)·c⌋ + k)·2^64 − 1, with c = π in RFC 3526 and c = e in RFC 7919.
    Raises ValueError for any other name.
    """
    if name not in NAMES:
        raise ValueError(f"{name}: no such group; there are {', '.join(NAMES)}")
    modp = name.startswith("modp")
    n = int(name.removeprefix("modp" if modp else "ffdhe"))
    digits = n - 2 - 2 * _ONES
    with mpmath.workprec(n):
        constant = int(mpmath.floor(mpmath.ldexp(mpmath.pi if modp else mpmath.e, digits)))
    middle = constant + (_RFC3526 if modp else _RFC7919)[n]
    return Group(name, (1 << n) - (1 << (n - _ONES)) + (middle << _ONES) - 1, _EXPONENT_BITS[n])


@dataclass(frozen=True)
class KeyPair:
    """A secret exponent and its public value g^x mod p."""

    group: Group
    public: int
    _exponent: int = field(repr=False)

    def shared(self, boards: Boards, peer: int) -> bytes:
        """Return the secret shared with a peer, as long as p, most significant byte first.

        The peer's value is validated first. The power is checked unless the boards were opened with
        `check=False`. Raises PeerError, PerleError.
        """
        self.group.check(peer)
        secret = _power(boards, self.group, peer, self._exponent)
        return secret.to_bytes((self.group.bits + 7) // 8, "big")


def generate(boards: Boards, where: Group) -> KeyPair:
    """Return a new pair; the exponent is from the system's random numbers, with its highest bit set.

    Raises PerleError, for example if the boards are narrower than the group.
    """
    exponent = secrets.randbits(where.exponent_bits) | 1 << (where.exponent_bits - 1)
    return KeyPair(where, _power(boards, where, where.g, exponent), exponent)


def _power(boards: Boards, where: Group, base: int, exponent: int) -> int:
    return boards.modexp(base, exponent, where.p, mode=Mode.WINDOW, bits=where.exponent_bits).value
