# SPDX-License-Identifier: Apache-2.0
"""Leakage by switching activity: fixed-versus-random t-test on the base of a power.

A trace is the number of bits of registers and memories that change in each clock cycle of the first products
of a power: the conversion to the Montgomery domain, then squarings and products for a fixed exponent. Modulus
and exponent are the same in all traces; the base is randomly either a fixed number or a random one. Welch's
t-test compares the two kinds of traces in each cycle; the largest |t| is recorded. Everything is repeated
with blinded bases, each multiplied by a random factor, as the host library does with the messages of private
RSA operations.

No core masks its activity, so the first figure is large. The second one must not be larger than expected by
chance for that many cycles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from random import Random
from statistics import NormalDist

from perle.cores.registry import Config
from perle.trust.watched import WatchedBench
from perle.verify.testbench import MUL, Op

EXPONENT = 0b11010
"""First bits of the private exponent."""
E = 65537
MOST = 100_000
WARM = 3
CHANCE = 1e-3
"""Probability of at least one false positive over all cycles if there is no leakage."""


@dataclass
class Sums:
    """Sums over the traces of one kind, for each cycle."""

    total: list[int]
    squares: list[int]
    count: int = 0

    def add(self, trace: Sequence[int]) -> None:
        """Add a trace."""
        self.count += 1
        self.total = [a + b for a, b in zip(self.total, trace, strict=True)]
        self.squares = [a + b * b for a, b in zip(self.squares, trace, strict=True)]

    def moments(self, i: int) -> tuple[float, float]:
        """Return the mean of a cycle, and the variance of the mean."""
        mean = self.total[i] / self.count
        return mean, max(0.0, (self.squares[i] - mean * self.total[i]) / (self.count - 1)) / self.count


def welch(one: Sums, other: Sums) -> list[float]:
    """Return |t| of each cycle."""
    found = []
    for i in range(len(one.total)):
        (mean, error), (mean2, error2) = one.moments(i), other.moments(i)
        spread = sqrt(error + error2)
        found.append(abs(mean - mean2) / spread if spread else inf if mean != mean2 else 0.0)
    return found


def limit(cycles: int) -> float:
    """Return the |t| that by chance is exceeded in any of that many cycles with probability CHANCE only."""
    return NormalDist().inv_cdf(1 - CHANCE / (2 * cycles))


def trace(bench: WatchedBench, m: int, base: int) -> list[int]:
    """Return the changed bits in each cycle of the first products of a power; the result is checked."""
    config = bench.config
    r = pow(2, config.model.r_exp(config.params), m)

    def product(x: int, y: int) -> int:
        return bench.run([Op(MUL, x, y)])[0].z

    bench.record(MOST)
    x = product(base, r * r % m)
    power = x
    for digit in bin(EXPONENT)[3:]:
        power = product(power, power)
        if digit == "1":
            power = product(power, x)
    found = bench.recorded()
    if power % m != pow(base, EXPONENT, m) * r % m:
        raise ValueError(f"{config.spec}: a wrong power of {base:#x} mod {m:#x}")
    return found


def compare(config: Config, traces: int, rng: Random, *, blinded: bool) -> tuple[float, int]:
    """Return the largest |t| of that many traces, half of each kind on average, and the cycles of a trace."""
    m = rng.getrandbits(config.width) | 1 << (config.width - 1) | 1
    fixed = rng.randrange(m)
    with WatchedBench(config, 1) as bench:
        bench.load(m)
        for _ in range(WARM):  # the first product after a reset may have another latency
            cycles = len(trace(bench, m, fixed))
        kinds = [Sums([0] * cycles, [0] * cycles) for _ in range(2)]
        for _ in range(traces):
            kind = rng.getrandbits(1)
            base = rng.randrange(m) if kind else fixed
            if blinded:
                base = base * pow(rng.randrange(1, m), E, m) % m
            kinds[kind].add(trace(bench, m, base))
    return max(welch(*kinds)), cycles
