# SPDX-License-Identifier: Apache-2.0
"""Latency and interval in cycles of an operation on a part, by the definitions that all reports share."""

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
    """Return the pace of an operation on a part; TooWideError if the modulus is wider than the core.

    `bits` as in `Question`; the number of engines that fill a device depends on `target`. For an
    exponentiation, a multiplier alone is treated as if it had an exponentiator, as in docs/metrics.md.
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
    """Return the pace on engines: the average interval under load, with the two halves of RSA in two lanes.

    With several engines the latency is that of the slowest, because an operation may run on any of them.
    """
    config = resolve(spec)
    own = config.family.engine
    assert own is not None, f"{spec} has no engine"
    model, engines = config.family.module(own.model), members(config, part, target)
    latency = max(
        model.cycles(one.config, Command.EXP, elen=width, **engine_load.sizes(one.config, width))
        for one in engines
    )
    loads = (engine_load.loaded(one, own, width) for one in engines)
    rate = sum(1 / engine_load.operation_cycles(one) for one in loads)
    return Pace(latency, 1 / rate if operation is Operation.rsa_crt else 1 / (2 * rate))
