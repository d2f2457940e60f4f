# SPDX-License-Identifier: Apache-2.0
"""Cycles of an operation: on a single board, on lanes that share a multiplier, on an engine."""

from __future__ import annotations

from types import ModuleType

from perle.cores.modexp.model import Command, Mode, cycles
from perle.generate.ip import Ip

# Upper bound of an engine's cycles before the first and after the last product of an operation.
ENGINE_SLACK = 20_000


def engine_model(ip: Ip) -> ModuleType:
    """Return the model of a family's engine."""
    own = ip.config.family.engine
    assert own is not None
    return ip.config.family.module(own.model)


def counted(ip: Ip) -> bool:
    """Return whether `cost` is exact; it is not if the lanes of an engine wait for each other."""
    return not ip.has_engine or bool(getattr(engine_model(ip), "EXACT_CYCLES", True))


def cost(ip: Ip, op: Command, mode: Mode = Mode.WINDOW, elen: int = 0, exponent: int = 0) -> int:
    """Return the cycles that the counter shows for an operation while the other lanes are idle."""
    if ip.has_engine:
        return int(engine_model(ip).cycles(ip.config, op, mode, elen, exponent))
    return cycles(ip.config, op, mode, elen, exponent, alone=ip.lanes == 1)


def patience(ip: Ip, longest: int) -> int:
    """Return a time limit in cycles; `longest` is the duration of the longest operation on an idle IP."""
    if not ip.has_engine:
        return longest * ip.lanes
    model = engine_model(ip)
    zeroize = model.zeroize_products(ip.config) * model.product_cycles(ip.config.params)
    return (longest + int(zeroize)) * ip.lanes + ENGINE_SLACK
