# SPDX-License-Identifier: Apache-2.0
"""The systems of shand1990's table 1, run in co-simulation: boards, bus and host in modelled time.

A row is a driver, its boards and their clocks. What is measured is a stream of private operations, from the
first access to the last, set-up for the key included; the clocks and the bus are the paper's, everything else
follows from the accesses and cycles of the simulated boards.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from perle.cores.bus_mul.model import Carry, Product, pipelined, results
from perle.cores.registry import Config, resolve_memory
from perle.hostdriver import boards as boards_of
from perle.hostdriver import names, private
from perle.hostkey import Key
from perle.hostsystem import Access, System, Time
from perle.hostunits import build_unit, units
from perle.spec import CrtKey, modexp, rsa_private

KEY_BITS, PRIME_BITS, OLD_KEY_BITS = 508, 254, 512
PUBLIC_EXPONENT = 65537
BLOCKS = 8
PS_PER_S = 10**12


@dataclass(frozen=True)
class Row:
    """A row: which driver, the boards' clocks in ns, and which configurations of their families."""

    number: int
    driver: str
    clocks: tuple[float, ...]
    configs: tuple[str, ...]
    key_bits: int = KEY_BITS


def _row(number: int, driver: str, config: str, clock: float, count: int = 1) -> Row:
    return Row(number, driver, (clock,) * count, (config,) * count)


def _units(number: int, driver: str, unit: str, clock: float, third: str) -> Row:
    return Row(number, driver, (clock, clock, 50), (unit, unit, third))


HARDWARE = (
    Row(2, "full_bignum", (75,), ("fixed512",), OLD_KEY_BITS),
    Row(3, "full_straight", (75,), ("fixed512",), OLD_KEY_BITS),
    _row(6, "bus_bignum", "variable512", 75),
    _row(7, "bus_assembly", "variable512", 75),
    _row(8, "bus_assembly", "variable512", 66),
    _row(9, "bus_chained", "variable512", 66, 3),
    _row(10, "reg_naive", "serial", 75, 3),
    _row(11, "reg_naive", "serial", 40, 3),
    _row(12, "reg_naive", "booth", 40, 3),
    _row(13, "reg_straight", "booth", 40, 3),
    _units(14, "mpu_partial", "ripple", 75, "serial"),
    _units(15, "mpu_interleaved", "ripple", 75, "serial"),
    _units(16, "mpu_interleaved", "ripple", 55, "serial"),
    _units(17, "mpu_interleaved", "ripple", 38, "booth"),
    _units(18, "mpu_interleaved", "fast", 38, "booth"),
    _units(19, "mpu_inlined", "fast", 38, "booth"),
)
SOFTWARE = {1: OLD_KEY_BITS, 4: KEY_BITS, 5: KEY_BITS}
"""Rows without hardware, and the bits of their keys; row 1 goes without the Chinese remainder theorem."""


@dataclass(frozen=True)
class Measured:
    """Bits a second of a row; modelled time, and where it went, for rows with hardware."""

    number: int
    baud: float
    time: Time | None = None


@dataclass(frozen=True)
class Numbers:
    """An RSA key in numbers."""

    p: int
    q: int

    @property
    def n(self) -> int:
        """The modulus."""
        return self.p * self.q

    @property
    def d(self) -> int:
        """The private exponent."""
        return pow(PUBLIC_EXPONENT, -1, (self.p - 1) * (self.q - 1))

    def key(self) -> Key:
        """Return the key for the host library."""
        p, q, d = self.p, self.q, self.d
        halves = {"dp": d % (p - 1), "dq": d % (q - 1), "qinv": pow(q, -1, p)}
        return Key.from_numbers(n=self.n, e=PUBLIC_EXPONENT, d=d, p=p, q=q, **halves)


def _is_prime(number: int) -> bool:
    return all(pow(base, number - 1, number) == 1 for base in (2, 3, 5, 7, 11, 13, 17))


def numbers(bits: int, seed: int) -> Numbers:
    """Return a key of `bits` bits for measurements: two primes of half of them, from a seed."""
    rng, half = Random(seed), bits // 2  # noqa: S311 - the same key every time
    primes: list[int] = []
    while len(primes) < 2:
        candidate = 3 << (half - 2) | rng.getrandbits(half - 2) | 1
        if candidate not in primes and (candidate - 1) % PUBLIC_EXPONENT and _is_prime(candidate):
            primes.append(candidate)
    return Numbers(*primes)


def members(
    row: Row, key: Numbers, progress: Callable[[str], None] | None = None
) -> list[tuple[Config | Path, float]]:
    """Return a row's boards and clocks; modular product units are built for the key's primes."""
    found: list[tuple[Config | Path, float]] = []
    for family, name, clock in zip(boards_of(row.driver), row.configs, row.clocks, strict=True):
        kind, _, prime = family.partition(":")
        if prime:
            unit = units(key.p, key.q, name)["pq".index(prime)]
            found.append((build_unit(unit, progress=progress), clock))
        else:
            found.append((resolve_memory(f"{kind}:{name}"), clock))
    return found


def hardware(
    row: Row, *, blocks: int = BLOCKS, seed: int = 1, progress: Callable[[str], None] | None = None
) -> Measured:
    """Run a row; every result is checked by the host library, and here against the key."""
    secret = numbers(row.key_bits, seed)
    rng = Random(seed)  # noqa: S311
    given = [rng.randrange(secret.n) for _ in range(blocks)]
    chosen = members(row, secret, progress)
    with System(chosen, "vme68020", progress=progress) as system, secret.key() as key:
        found, taken = private(system, row.driver, key, given)
    if [pow(block, PUBLIC_EXPONENT, secret.n) for block in found] != given:
        raise RuntimeError(f"row {row.number}: a result is wrong")
    return Measured(row.number, row.key_bits * blocks * PS_PER_S / taken.now_ps, taken)


def software(number: int, *, seconds: float = 0.5, seed: int = 1) -> Measured:
    """Measure a row without hardware on this machine: Python's own integers, one core."""
    bits = SOFTWARE[number]
    secret = numbers(bits, seed)
    p, q, d = secret.p, secret.q, secret.d
    key = CrtKey(secret.n, PUBLIC_EXPONENT, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p))
    block, done, begin = 3 ** (bits // 2), 0, time.perf_counter()
    while (passed := time.perf_counter() - begin) < seconds:
        if number == 1:
            modexp(block, d, secret.n)
        else:
            rsa_private(key, block)
        done += 1
    return Measured(number, bits * done / passed)


def product_rate(*, products: int = 64, clock_ns: float = 66, seed: int = 1) -> float:
    """Bits of product a second: the fixed bus multiplier, products of 512 × 512 + 1024 bits back to back."""
    config = resolve_memory("bus_mul:fixed512")
    rng = Random(seed)  # noqa: S311
    work = [
        Product(rng.getrandbits(512), rng.getrandbits(512), rng.getrandbits(1024), 16)
        for _ in range(products)
    ]
    sequence = pipelined(config.params, work, Carry.APART)
    with System([(config, clock_ns)], "vme68020") as system:
        reads = system.run(Access(0, 4 * addr, data if write else None) for write, addr, data in sequence)
        taken = system.time.now_ps
    wanted = [(one.a * one.b + one.s) % (1 << 1024) for one in work]
    if results(config.params, work, reads, Carry.APART) != wanted:
        raise RuntimeError("a product is wrong")
    return 1024 * products * PS_PER_S / taken


def available() -> list[Row]:
    """Return the rows whose drivers there are."""
    known = set(names())
    return [row for row in HARDWARE if row.driver in known]
