# SPDX-License-Identifier: Apache-2.0
"""Leakage by switching activity: fixed-versus-random t-test on the base of a power.

A trace is the number of bits of registers and memories that change in each clock cycle of the first products
of a power: the conversion to the Montgomery domain, then squarings and products for a fixed exponent. Modulus
and exponent are the same in all traces; the base is randomly either a fixed number or a random one. Welch's
t-test compares the two kinds of traces in each cycle; the largest |t| is recorded.

Everything is repeated with the fixed number and the random ones as messages of private RSA operations: the
base is then what the host library, which blinds it, makes a board raise to the private exponent (`loaded`).

No core masks its activity, so the first figure is large. The second one must not be larger than expected by
chance for that many cycles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf, sqrt
from random import Random
from statistics import NormalDist

from perle.boards.build import build_board
from perle.boards.simulated import RESULT
from perle.cores.registry import Config
from perle.host import Boards, Key
from perle.host.sample import Numbers
from perle.trust.watched import WatchedBench
from perle.verify.testbench import MUL, Op

EXPONENT = 0b11010
"""First bits of the private exponent."""
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


class LoadedError(Exception):
    """A board's result is not the power of the base that it was given."""


@contextmanager
def loaded(config: Config, numbers: Numbers, *, blinding: bool = True) -> Iterator[Callable[[int], int]]:
    """Yield a function from a message to the base that a board gets in a private operation on the message.

    A board's bases cannot be read, but its results can. They are powers of the bases, so their powers with
    the public exponent are the bases. The key has no primes here, so that there is one power per operation.
    """
    n, e = numbers.n, numbers.e
    with Boards(build_board(config)) as boards, Key.from_numbers(n=n, e=e, d=numbers.d) as key:
        bits = boards.info.word_bits
        words = -(-boards.info.operand_bits // bits)

        def base(message: int, blinded: bool = blinding) -> int:
            key.private(boards, message.to_bytes(key.size, "big"), blinding=blinded)
            power = sum(boards.read(RESULT + i * bits // 8) << (i * bits) for i in range(words))
            return pow(power, e, n)

        if base(n - 2, False) != n - 2:
            raise LoadedError(config.spec)
        yield base


def compare(
    config: Config, traces: int, rng: Random, m: int, given: Callable[[int], int] = int
) -> tuple[float, int]:
    """Return the largest |t| of that many traces, half of each kind on average, and the cycles of a trace.

    `given`: the base for a number; by default the number itself.
    """
    fixed = rng.randrange(m)
    with WatchedBench(config, 1) as bench:
        bench.load(m)
        for _ in range(WARM):  # the first product after a reset may have another latency
            cycles = len(trace(bench, m, fixed))
        kinds = [Sums([0] * cycles, [0] * cycles) for _ in range(2)]
        for _ in range(traces):
            kind = rng.getrandbits(1)
            kinds[kind].add(trace(bench, m, given(rng.randrange(m) if kind else fixed)))
    return max(welch(*kinds)), cycles
