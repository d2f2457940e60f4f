# SPDX-License-Identifier: Apache-2.0
"""Reproducible pseudo-random keys for measurements and tests, never for secrets."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from perle.host.key import Key

PUBLIC_EXPONENT = 65537
BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)


def is_prime(n: int) -> bool:
    """Whether an odd n > 37 passes a primality test to the bases 2 … 37: enough for random numbers."""
    s = ((n - 1) & (1 - n)).bit_length() - 1
    for base in BASES:
        x = pow(base, (n - 1) >> s, n)
        if x not in {1, n - 1} and all((x := x * x % n) != n - 1 for _ in range(s - 1)):
            return False
    return True


def prime(rng: Random, bits: int) -> int:
    """Return a prime of `bits` >= 8 bits, its two highest set; it is not 1 modulo the public exponent."""
    while True:
        found = 3 << (bits - 2) | rng.getrandbits(bits - 2) | 1
        if found % PUBLIC_EXPONENT != 1 and is_prime(found):
            return found


@dataclass(frozen=True)
class Numbers:
    """An RSA key in numbers: two different primes and the public exponent."""

    p: int
    q: int
    e: int = PUBLIC_EXPONENT

    @property
    def n(self) -> int:
        """The modulus."""
        return self.p * self.q

    @property
    def d(self) -> int:
        """The private exponent below (p − 1)(q − 1)."""
        return pow(self.e, -1, (self.p - 1) * (self.q - 1))

    @property
    def halves(self) -> tuple[int, int]:
        """The private exponent modulo p − 1 and modulo q − 1."""
        return self.d % (self.p - 1), self.d % (self.q - 1)

    def key(self) -> Key:
        """Return it as a key of libperle."""
        dp, dq = self.halves
        crt = {"dp": dp, "dq": dq, "qinv": pow(self.q, -1, self.p)}
        return Key.from_numbers(n=self.n, e=self.e, d=self.d, p=self.p, q=self.q, **crt)


def sample(seed: int | str, bits_p: int, bits_q: int) -> Numbers:
    """Return the key of a seed whose primes have these lengths."""
    rng = Random(seed)  # noqa: S311 - must be reproducible
    p = q = prime(rng, bits_p)
    while q == p:
        q = prime(rng, bits_q)
    return Numbers(p, q)
