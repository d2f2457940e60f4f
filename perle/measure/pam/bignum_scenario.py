# SPDX-License-Identifier: Apache-2.0
"""Speed-up of long multiplication by a bus multiplier: modelled time in software over that with the board.

The modelled time of a word product in software follows from the paper's factor of 25 (`HostCost` in
host/src/pam/driver.hpp). The speed-up of long products therefore shows only how close the board comes to the
limit of the bus.
"""

from __future__ import annotations

from random import Random

from perle.cores.registry import resolve_memory
from perle.host.pam.bignum import Bignum
from perle.host.pam.spec import TIMING
from perle.host.pam.system import System

LONG = 1 << 16
"""Factor size in bits that is large enough for the bus alone to determine the time."""
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
