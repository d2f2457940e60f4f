# SPDX-License-Identifier: Apache-2.0
"""Formatting of quantities for readers."""

from __future__ import annotations

ROUNDED = 0.9995
"""The smallest number that is 1 with three significant digits."""


def quantity(value: float) -> str:
    """Return a number with about three significant digits, thousands separated."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def brief(value: float) -> str:
    """Return a number with about two significant digits, thousands separated."""
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def seconds(value: float) -> str:
    """Return a time in s, ms, µs or ns, with three significant digits."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= scale * ROUNDED:
            return f"{quantity(value / scale)} {unit}"
    return f"{value / 1e-9:.3g} ns"
