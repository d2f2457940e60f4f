# SPDX-License-Identifier: Apache-2.0
"""Throughput of an engine with many lanes for a long series of exponentiations, by its family's model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Protocol, cast

from perle.cores.modexp.model import Command
from perle.cores.registry import Config, Engine
from perle.results.parts import Member

LOAD, LOAD_GAP = 700, 1000
"""Number of exponentiations of the simulated load, and cycles in which the host reads a lane's result and
starts it again."""
PRIMES = (512, 1024)
"""Bits of the primes of RSA-1024 and RSA-2048."""


class Loaded(Protocol):
    """Result of an engine's model for a load."""

    @property
    def cycles(self) -> float:
        """Clock cycles of the whole load."""

    @property
    def eta(self) -> float:
        """Utilization η of the multipliers."""


@dataclass(frozen=True)
class Work:
    """Performance of an engine for a long series of exponentiations, loading included; times in cycles."""

    multipliers: int
    interval: float
    eta: float
    operation: float
    """Average cycles per RSA private operation, which is two exponentiations."""


def sizes(config: Config, bits: int) -> dict[str, int]:
    """Return the argument for an engine's model if the time depends on the bits of the modulus."""
    return {"bits": bits} if config.params.get("Narrow") else {}


def widths(config: Config) -> tuple[int, ...]:
    """Return the bits of moduli for which an engine's rates are shown: the widest, or RSA primes up to it."""
    shorter = [bits for bits in PRIMES if bits < config.width] if config.params.get("Narrow") else []
    return (*shorter, config.width)


def loaded(member: Member, own: Engine, bits: int) -> Loaded:
    """Return the model's result for a load of LOAD exponentiations, exponents and moduli of `bits` bits."""
    return _load(member.config, own.model, member.engine_lanes, bits)


@cache
def _load(config: Config, name: str, lanes: int, bits: int) -> Loaded:
    model = config.family.module(name)
    half = model.products(config, Command.EXP, elen=bits)
    load = model.load(config, lanes, LOAD, half, gap=LOAD_GAP, **sizes(config, bits))
    return cast(Loaded, load)


def operation_cycles(found: Loaded) -> float:
    """Return the average cycles per RSA private operation of a load; each is two exponentiations."""
    return 2 * found.cycles / LOAD


def work(member: Member, own: Engine, bits: int) -> Work:
    """Return the performance of an engine, with moduli and exponents of `bits` bits."""
    config, model = member.config, member.config.family.module(own.model)
    found = loaded(member, own, bits)
    used, interval = model.capacity(timed(config, bits), member.engine_lanes)
    return Work(used, interval, found.eta, operation_cycles(found))


def timed(config: Config, bits: int) -> dict[str, int]:
    """Return the parameters that decide the time of a product."""
    return {**config.params, "Width": bits} if config.params.get("Narrow") else config.params
