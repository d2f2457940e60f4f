# SPDX-License-Identifier: Apache-2.0
"""The systems of shand1990's table 1 in co-simulation: boards, bus and host in modelled time.

A row is a driver, its boards and their clocks. Measured is a stream of private operations from the first
access to the last, including the set-up for the key. Clocks and bus are those of the paper; everything else
results from the accesses and cycles of the simulated boards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from perle.cores.registry import resolve_memory
from perle.host.pam.driver import boards, names, private
from perle.host.pam.spec import ROWS, TIMING, Members, Row, assemble
from perle.host.pam.system import Access, System, Time
from perle.host.sample import Numbers, sample
from perle.measure.pam import software_scenario
from perle.measure.pam.board_work import LOGGED, Work, work
from perle.measure.pam.software_scenario import Modelled
from perle.pam.bus_mul.model import Carry, Product, pipelined, results
from perle.pam.mod_product.model import steps

PRIME_BITS = 254
BLOCKS = 8
PS_PER_S = 10**12


HARDWARE = ROWS
SOFTWARE = software_scenario.KEYS
"""Rows of table 1 without hardware, with the size of their keys in bits."""


@dataclass(frozen=True)
class Measured:
    """Bits per second of a row; with hardware also the boards' work, otherwise the program's cost."""

    number: int
    baud: float
    key_bits: int
    blocks: int = 1
    time: Time | None = None
    work: Work | None = None
    program: Modelled | None = None


def numbers(bits: int, seed: int) -> Numbers:
    """Return a key of `bits` bits for measurements, with two primes of bits/2 bits, from a seed."""
    return sample(seed, bits // 2, bits // 2)


def members(row: Row, key: Numbers, progress: Callable[[str], None] | None = None) -> Members:
    """Return a row's boards and clocks; modular product units are built for the key's primes."""
    return assemble(row, lambda which: key.p if which == "p" else key.q, progress)


def hardware(
    row: Row, *, blocks: int = BLOCKS, seed: int = 1, progress: Callable[[str], None] | None = None
) -> Measured:
    """Run a row; every result is checked by the host library, and here with the key."""
    secret = numbers(row.key_bits, seed)
    rng = Random(seed)  # noqa: S311
    given = [rng.randrange(secret.n) for _ in range(blocks)]
    chosen = members(row, secret, progress)
    with System(chosen, TIMING, progress=progress) as system, secret.key() as key:
        system.record(LOGGED)
        found, taken = private(system, row.driver, key, given)
        log = system.log()
    if [pow(block, secret.e, secret.n) for block in found] != given:
        raise RuntimeError(f"row {row.number}: a result is wrong")
    done = work(row.driver, secret, log, row.clocks, blocks, taken.now_ps)
    unit = resolve_memory(f"{boards(row.driver)[0].partition(':')[0]}:{row.configs[0]}").params
    if unit.get("Fast"):  # simulated in one cycle instead of steps
        done = replace(done, resolve=done.cycles - 1 - steps(unit))
    baud = row.key_bits * blocks * PS_PER_S / taken.now_ps
    return Measured(row.number, baud, row.key_bits, blocks, taken, done)


def software(number: int, *, seed: int = 1) -> Measured:
    """Run the program of a row without hardware on a model of its processor."""
    done = software_scenario.run(number, seed=seed)
    return Measured(number, done.baud, done.key_bits, program=done)


def product_rate(*, products: int = 64, clock_ns: float = 66, seed: int = 1) -> float:
    """Bits of product per second: fixed bus multiplier, 512 × 512 + 1024 bits back to back."""
    config = resolve_memory("bus_mul:fixed512")
    rng = Random(seed)  # noqa: S311
    work = [
        Product(rng.getrandbits(512), rng.getrandbits(512), rng.getrandbits(1024), 16)
        for _ in range(products)
    ]
    sequence = pipelined(config.params, work, Carry.APART)
    with System([(config, clock_ns)], TIMING) as system:
        reads = system.run(Access(0, 4 * addr, data if write else None) for write, addr, data in sequence)
        taken = system.time.now_ps
    wanted = [(one.a * one.b + one.s) % (1 << 1024) for one in work]
    if results(config.params, work, reads, Carry.APART) != wanted:
        raise RuntimeError("a product is wrong")
    return 1024 * products * PS_PER_S / taken


def available() -> list[Row]:
    """Return the rows for which there are drivers."""
    known = set(names())
    return [row for row in HARDWARE if row.driver in known]
