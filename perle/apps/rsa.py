# SPDX-License-Identifier: Apache-2.0
"""RSA by calls of a bignum library, as in a program linked with it: c^d mod n, Chinese remainder theorem."""

from __future__ import annotations

from random import Random

import gmpy2

from perle.apps.arithmetic import Arithmetic, Result, ends
from perle.host.sample import Numbers, sample

BITS = (512, 1024)


def private(math: Arithmetic, secret: Numbers, block: int) -> int:
    """Return c^d mod n: a power modulo each prime, then x = x_q + q·((x_p − x_q)/q mod p)."""
    p, q = secret.p, secret.q
    parts = []
    for prime, d in zip((p, q), secret.halves, strict=True):
        parts.append(math.powmod(math.divide(block, prime)[1], d, prime))
    difference = math.divide(math.add(math.add(parts[0], p), -math.divide(parts[1], p)[1]), p)[1]
    h = math.mulmod(difference, pow(q, -1, p), p)
    return math.add(parts[1], math.mul(h, q))


def run(math: Arithmetic, bits: int, blocks: int = 2, seed: int = 1) -> Result:
    """Decrypt `blocks` blocks; check them with GMP's encryption."""
    secret, rng = sample(seed, bits // 2, bits // 2), Random(seed)  # noqa: S311
    given = [rng.randrange(secret.n) for _ in range(blocks)]
    found = [private(math, secret, block) for block in given]
    again = [gmpy2.powmod(block, secret.e, secret.n) for block in found]
    return Result(
        f"rsa {bits}",
        f"{blocks} private operations; the first gives {ends(f'{found[0]:x}')}",
        "gmpy2.powmod with the public exponent",
        again == given,
    )
