# SPDX-License-Identifier: Apache-2.0
"""Number of products per command of an engine; all engines run the same programs as `perle_modexp`."""

from __future__ import annotations

from perle.cores.modexp.model import Command, Mode, count
from perle.cores.registry import Config


def window_bits(config: Config) -> int:
    """w, bits of a window digit: those of the family's engine, or of a configuration with `Powers`, 2^w."""
    own = config.family.engine
    assert own is not None
    powers = config.params.get("Powers")
    return powers.bit_length() - 1 if powers else own.window_bits


def products(
    config: Config, command: Command, mode: Mode = Mode.WINDOW, elen: int = 0, exponent: int = 0
) -> int:
    """Products of an operation, including the one that leaves the Montgomery domain."""
    scanned = exponent if mode is Mode.PAPER else exponent & ((1 << elen) - 1)
    found = count(config, command, mode, elen, scanned.bit_count(), window_bits(config))
    return found.products + found.reduces


def zeroize_products(config: Config) -> int:
    """Products by zero in a zeroization, one for each entry of the result memories."""
    return (1 << window_bits(config)) + 1
