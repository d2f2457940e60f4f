# SPDX-License-Identifier: Apache-2.0
"""RSA by bignum calls, as of a program that is relinked: c^d mod n, Chinese remainder theorem."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import gmpy2

from perle.apps.arithmetic import Arithmetic, Result, ends

PUBLIC_EXPONENT = 65537
BITS = (512, 1024)


@dataclass(frozen=True)
class Key:
    """Two primes; everything else follows."""

    p: int
    q: int

    @property
    def n(self) -> int:
        """The modulus."""
        return self.p * self.q


def key(bits: int, seed: int = 1) -> Key:
    """Return a key for measurements, the same for every run: not for secrets."""
    rng, half = Random(seed), bits // 2  # noqa: S311
    primes: list[int] = []
    while len(primes) < 2:
        prime = int(gmpy2.next_prime(3 << (half - 2) | rng.getrandbits(half - 2)))
        if prime.bit_length() == half and (prime - 1) % PUBLIC_EXPONENT and prime not in primes:
            primes.append(prime)
    return Key(*primes)


def private(math: Arithmetic, secret: Key, block: int) -> int:
    """c^d mod n: a power modulo each prime, then x = x_q + q·((x_p − x_q)/q mod p)."""
    p, q = secret.p, secret.q
    parts = []
    for prime in (p, q):
        d = pow(PUBLIC_EXPONENT, -1, prime - 1)
        parts.append(math.powmod(math.divide(block, prime)[1], d, prime))
    difference = math.divide(math.add(math.add(parts[0], p), -math.divide(parts[1], p)[1]), p)[1]
    h = math.mulmod(difference, pow(q, -1, p), p)
    return math.add(parts[1], math.mul(h, q))


def run(math: Arithmetic, bits: int, blocks: int = 2, seed: int = 1) -> Result:
    """Decrypt some blocks; GMP encrypts them again."""
    secret, rng = key(bits, seed), Random(seed)  # noqa: S311
    given = [rng.randrange(secret.n) for _ in range(blocks)]
    found = [private(math, secret, block) for block in given]
    again = [gmpy2.powmod(block, PUBLIC_EXPONENT, secret.n) for block in found]
    return Result(
        f"rsa {bits}",
        f"{blocks} private operations; the first gives {ends(f'{found[0]:x}')}",
        "gmpy2.powmod with the public exponent",
        again == given,
    )
