# SPDX-License-Identifier: Apache-2.0
"""Performance of an engine with many lanes under a load of many exponentiations, by its family's model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, cast

from perle.cores.modexp.model import Command
from perle.cores.registry import Config, Engine
from perle.results.parts import Member

LOAD, LOAD_GAP = 700, 1000
"""Number of exponentiations of the simulated load, and cycles in which the host reads a lane's result and
starts it again."""


class Loaded(Protocol):
    """Result of an engine's model for a load."""

    @property
    def cycles(self) -> float:
        """Of all of it."""

    @property
    def eta(self) -> float:
        """Utilisation of the multipliers."""


@dataclass(frozen=True)
class Work:
    """What an engine does with a load of many exponentiations, loading included, in cycles of its clock."""

    multipliers: int
    interval: float
    eta: float
    operation: float
    """Average cycles per RSA private operation, which is two exponentiations."""


def loaded(member: Member, own: Engine, bits: int) -> Loaded:
    """Return the load of an engine, as the model has it: exponentiations with exponents of `bits` bits."""
    config, model = member.config, member.config.family.module(own.model)
    half = model.products(config, Command.EXP, elen=bits)
    return cast(Loaded, model.load(config, member.engine_lanes, LOAD, half, gap=LOAD_GAP))


def operation_cycles(found: Loaded) -> float:
    """Return the cycles between two operations of RSA in a load, two exponentiations each."""
    return 2 * found.cycles / LOAD


def work(config: Config, own: Engine) -> Work:
    """Return what the engine of a configuration does, with the lanes that saturate it."""
    model, found = config.family.module(own.model), loaded(Member(config), own, config.width)
    used, interval = model.multipliers(config.params), model.interval(config.params)
    return Work(used, interval, found.eta, operation_cycles(found))
