# SPDX-License-Identifier: Apache-2.0
"""Cycles of an operation: on a board alone, on lanes that share a multiplier, on an engine."""

from __future__ import annotations

from types import ModuleType

from perle.cores.modexp.model import Command, Mode, cycles
from perle.generate.ip import Ip

# What an engine does between a start and its first product, and after its last one, is far below this.
ENGINE_SLACK = 20_000


def engine_model(ip: Ip) -> ModuleType:
    """Return the model of a family's engine."""
    own = ip.config.family.engine
    assert own is not None
    return ip.config.family.module(own.model)


def counted(ip: Ip) -> bool:
    """Tell whether `cost` is exact: not where the lanes of an engine wait for each other."""
    return not ip.has_engine or bool(getattr(engine_model(ip), "EXACT_CYCLES", True))


def cost(ip: Ip, op: Command, mode: Mode = Mode.WINDOW, elen: int = 0, exponent: int = 0) -> int:
    """Return the cycles that an operation's counter shows while the other lanes do nothing."""
    if ip.has_engine:
        return int(engine_model(ip).cycles(ip.config, op, mode, elen, exponent))
    return cycles(ip.config, op, mode, elen, exponent, alone=ip.lanes == 1)


def patience(ip: Ip, longest: int) -> int:
    """Return the cycles after which something is wrong, where the longest operation alone takes `longest`."""
    if not ip.has_engine:
        return longest * ip.lanes
    model = engine_model(ip)
    zeroize = model.zeroize_products(ip.config) * model.product_cycles(ip.config.params)
    return (longest + int(zeroize)) * ip.lanes + ENGINE_SLACK
