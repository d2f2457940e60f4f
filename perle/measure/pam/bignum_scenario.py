# SPDX-License-Identifier: Apache-2.0
"""What a bus multiplier gains in long multiplication: modelled time in software over that with the board.

The modelled software takes as long for a word product as the paper's factor of 25 implies (`HostCost` in
host/src/pam/driver.hpp): what long products gain here says how close the board comes to the bus's limit, no
more.
"""

from __future__ import annotations

from random import Random

from perle.cores.registry import resolve_memory
from perle.host.pam.bignum import Bignum
from perle.host.pam.spec import TIMING
from perle.host.pam.system import System

LONG = 1 << 16
"""Bits of factors so long that nothing but the bus counts."""
CLOCK_NS = 66


def raw_speedup(bits: int, *, seed: int = 1) -> float:
    """Speed-up of a product of two numbers of `bits` bits on the multiplier of fixed length, 512 bits."""
    rng = Random(seed)  # noqa: S311
    a, b = rng.getrandbits(bits), rng.getrandbits(bits)
    with (
        System([(resolve_memory("bus_mul:fixed512"), CLOCK_NS)], TIMING) as system,
        Bignum(system, TIMING) as board,
    ):
        found = board.mul(a, b)
        cost = board.cost
    if found != a * b:
        raise RuntimeError("a product is wrong")
    return cost.speedup
