# SPDX-License-Identifier: Apache-2.0
"""Montgomery products in software, on one core of this machine or on all: GMP through gmpy2.

Timed is x^(2^k) mod M inside GMP: k squarings with Montgomery reduction, and a table of powers that takes a
few per cent of the time. The Python interpreter is not included. gmpy2 is imported only when needed.
Rates are by processor time, so that other work on this machine does not make software look slower.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import get_context
from random import Random

from perle.flow.tools import ToolMissing

SQUARINGS = 20_000
PACKAGE = "gmpy2==2.3.2"


def per_second(work: Callable[[], object], seconds: float) -> float:
    """Return calls of `work` per second of this thread's processor time, measured for `seconds`."""
    begin, used, count = time.perf_counter(), time.thread_time(), 0
    while not count or time.perf_counter() - begin < seconds:
        work()
        count += 1
    return count / (time.thread_time() - used)


def worker(bits: int, seconds: float, seed: int) -> float:
    """Return squarings per second of one core's time for a modulus of `bits` bits, measured for `seconds`."""
    gmpy2 = import_module("gmpy2")
    mpz = gmpy2.mpz
    rng = Random(seed)  # noqa: S311 - operands to measure with
    m = mpz(rng.getrandbits(bits) | 1 | 1 << (bits - 1))
    x, exponent = mpz(rng.randrange(1, int(m))), mpz(1) << SQUARINGS
    return SQUARINGS * per_second(lambda: gmpy2.powmod(x, exponent, m), seconds)


def cores() -> int:
    """Return the number of cores of this machine."""
    return os.cpu_count() or 1


def _needed() -> None:
    if find_spec("gmpy2") is None:
        raise ToolMissing("gmpy2", f"pip install {PACKAGE}")


def single(bits: int, seconds: float = 0.5) -> float:
    """Return products per second of one thread; ToolMissing without gmpy2."""
    _needed()
    return worker(bits, seconds, 0)


def rate(bits: int, seconds: float = 0.5) -> float:
    """Return products per second of all cores together; ToolMissing without gmpy2."""
    _needed()
    count = cores()
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        return sum(pool.map(worker, [bits] * count, [seconds] * count, range(count)))
