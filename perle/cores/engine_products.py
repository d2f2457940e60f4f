# SPDX-License-Identifier: Apache-2.0
"""How many products the commands of an engine take: every engine runs the programs of the exponentiator."""

from __future__ import annotations

from perle.cores.modexp.model import Command, Mode, count
from perle.cores.registry import Config


def window_bits(config: Config) -> int:
    """w, bits of a window digit."""
    own = config.family.engine
    assert own is not None
    return own.window_bits


def products(
    config: Config, command: Command, mode: Mode = Mode.WINDOW, elen: int = 0, exponent: int = 0
) -> int:
    """Products of an operation, including the one that leaves the domain."""
    scanned = exponent if mode is Mode.PAPER else exponent & ((1 << elen) - 1)
    found = count(config, command, mode, elen, scanned.bit_count(), window_bits(config))
    return found.products + found.reduces


def zeroize_products(config: Config) -> int:
    """Products by zero of a zeroization, one for every number of results."""
    return (1 << window_bits(config)) + 1
