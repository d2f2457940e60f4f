# SPDX-License-Identifier: Apache-2.0
"""Cycles of an operation on a part of a configuration; each by the definition that all reports share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from perle.cores.modexp.model import Command
from perle.cores.registry import Config, resolve
from perle.report import engine_load
from perle.report.choose.question import Operation
from perle.results import metrics
from perle.results.metrics import Halves
from perle.results.parts import members

MULTIPLIERS = ("mul", "mul_pair")
SYSTEMS = ("exp", "exp_pair", "engine", "engines")
"""Parts that compute products (MULTIPLIERS), and parts that compute exponentiations (SYSTEMS)."""


@dataclass(frozen=True)
class Pace:
    """`latency` of an operation, `interval` from one operation to the next, in cycles."""

    latency: float
    interval: float


def parts(operation: Operation) -> tuple[str, ...]:
    """Return the parts that do an operation."""
    return MULTIPLIERS if operation is Operation.mul else SYSTEMS


def pace(config: Config, part: str, operation: Operation, bits: int, target: str = "") -> Pace:
    """Return what an operation takes on a part; TooWideError where the modulus is wider than the core.

    `bits` as in `Question`; how many engines fill a device depends on `target`. A multiplier alone, where an
    exponentiation is asked, counts as one with an exponentiator around it, as in docs/metrics.md.
    """
    width = bits // 2 if operation is Operation.rsa_crt else bits
    if width > config.width:
        raise metrics.TooWideError(f"{config.spec} takes moduli of {config.width} bits, not of {width}")
    if operation is Operation.mul:
        return _product(config, part, bits)
    if part.startswith("engine"):
        return _engine(config.spec, part, operation, width, target)
    pair = part.endswith("_pair")
    if operation is Operation.rsa_crt:
        halves = Halves.TWO if pair else Halves.ONE
        taken = metrics.rsa_cycles(config, bits, halves, forwarded=True)
        return Pace(taken, taken)
    taken = metrics.exponentiation_cycles(config, bits, forwarded=True)
    return Pace(taken, taken / 2 if pair else taken)


def _product(config: Config, part: str, bits: int) -> Pace:
    each = metrics.product_interval(config, bits)
    return Pace(metrics.product_cycles(config, bits), each / 2 if part == "mul_pair" else each)


@cache
def _engine(spec: str, part: str, operation: Operation, width: int, target: str) -> Pace:
    """Return the same of engines: an interval over a load of many operations, both halves in two lanes.

    Of several engines the slowest one's latency: nobody chooses which of them an operation gets.
    """
    config = resolve(spec)
    own = config.family.engine
    assert own is not None, f"{spec} has no engine"
    model, engines = config.family.module(own.model), members(config, part, target)
    latency = max(model.cycles(one.config, Command.EXP, elen=width) for one in engines)
    loads = (engine_load.loaded(one, own, width) for one in engines)
    rate = sum(1 / engine_load.operation_cycles(one) for one in loads)
    return Pace(latency, 1 / rate if operation is Operation.rsa_crt else 1 / (2 * rate))
