# SPDX-License-Identifier: Apache-2.0
"""Paillier's encryption on boards: sums of numbers that nobody can read but the owner of the key.

    python docs/examples/paillier.py --board sim:orup:w512 --bits 256 3 4

encrypts both numbers for a new key of that many bits, multiplies the ciphertexts, and decrypts their sum.
With n = p·q and g = n + 1 (Paillier 1999, scheme 1; the generator of most implementations):

    encryption    c = (1 + m·n)·r^n mod n², for 0 ≤ m < n and a random unit r
    decryption    m_p = (c^(p−1) mod p² − 1)/p · h_p mod p, with h_p = −q^-1 mod p, the inverse of
                  (g^(p−1) mod p² − 1)/p; m_q alike; m by the Chinese remainder theorem

Boards have to be as wide as n², twice as wide as the key: 4096 bits for a key of 2048.
"""

from __future__ import annotations

import argparse
import secrets
from dataclasses import dataclass, field
from math import gcd

import gmpy2

from perle.host import Boards

LEAST_BITS = 16


@dataclass(frozen=True)
class PublicKey:
    """The modulus n."""

    n: int

    def encrypt(self, boards: Boards, message: int) -> int:
        """Return a ciphertext of 0 ≤ message < n; raises ValueError outside of that."""
        if not 0 <= message < self.n:
            raise ValueError("the message is not from 0 to n − 1")
        square = self.n**2
        while gcd(r := 1 + secrets.randbelow(self.n - 1), self.n) != 1:
            pass
        # r is secret: constant time, by default
        hiding = boards.modexp(r, self.n, square).value
        return boards.mulmod(1 + message * self.n, hiding, square).value

    def add(self, boards: Boards, one: int, other: int) -> int:
        """Return a ciphertext of the sum of two messages modulo n."""
        return boards.mulmod(one, other, self.n**2).value


@dataclass(frozen=True)
class PrivateKey:
    """Two primes of equal length."""

    public: PublicKey
    p: int = field(repr=False)
    q: int = field(repr=False)

    def decrypt(self, boards: Boards, ciphertext: int) -> int:
        """Return the message of a ciphertext; raises ValueError for what is none."""
        if not 0 < ciphertext < self.public.n**2 or gcd(ciphertext, self.public.n) != 1:
            raise ValueError("this is no ciphertext of this key")
        of_p, of_q = _half(boards, ciphertext, self.p, self.q), _half(boards, ciphertext, self.q, self.p)
        return of_q + (of_p - of_q) * pow(self.q, -1, self.p) % self.p * self.q


def _half(boards: Boards, ciphertext: int, p: int, q: int) -> int:
    """Return the message modulo p."""
    square = p * p
    power = boards.modexp(ciphertext % square, p - 1, square, bits=p.bit_length()).value
    return (power - 1) // p * -pow(q, -1, p) % p


def generate(bits: int) -> PrivateKey:
    """Return a new key whose n has `bits` bits, an even number of them."""
    if bits < LEAST_BITS or bits % 2:
        raise ValueError(f"a key has an even number of bits, at least {LEAST_BITS}")
    while True:
        p, q = _prime(bits // 2), _prime(bits // 2)
        # the highest two bits of both are ones, so n has all its bits; equal lengths make it a unit of phi(n)
        if p != q:
            return PrivateKey(PublicKey(p * q), p, q)


def _prime(bits: int) -> int:
    while True:
        candidate = secrets.randbits(bits) | 3 << (bits - 2) | 1
        if gmpy2.is_prime(candidate, 40):
            return candidate


def main() -> None:
    """Encrypt numbers, add the ciphertexts, decrypt the sum."""
    parser = argparse.ArgumentParser(description="Add encrypted numbers on boards.")
    parser.add_argument("--board", default="sim:orup:w512", help="as wide as two keys")
    parser.add_argument("--bits", type=int, default=256, help="of the key")
    parser.add_argument("numbers", type=int, nargs="+")
    asked = parser.parse_args()
    key = generate(asked.bits)
    with Boards(asked.board) as boards:
        total = key.public.encrypt(boards, 0)
        for number in asked.numbers:
            total = key.public.add(boards, total, key.public.encrypt(boards, number))
        print(key.decrypt(boards, total))  # noqa: T201 - the result


if __name__ == "__main__":
    main()
