# SPDX-License-Identifier: Apache-2.0
"""Families whose hardware takes the width of a modulus at run time, as its constant `bits`."""

from __future__ import annotations

from typing import Protocol, cast

from perle.cores.registry import Config


class RunTimeWidth(Protocol):
    """What their model knows of operations on n bits; without n its functions speak of the full width."""

    def r_exp_for(self, params: dict[str, int], n: int) -> int:
        """RExp on n bits: R = 2^RExp."""

    def mul_cycles_for(self, params: dict[str, int], n: int) -> int:
        """Cycles of OpMul on n bits."""

    def reduce_cycles_for(self, params: dict[str, int], n: int) -> int:
        """Cycles of OpReduce on n bits."""

    def constants(self, params: dict[str, int], m: int, n: int) -> dict[str, int]:
        """Return the constants of a modulus for operations on n bits."""

    def mont_value(self, params: dict[str, int], m: int, x: int, y: int, n: int) -> int:
        """Return the redundant product on n bits."""


def run_time_width(config: Config) -> RunTimeWidth | None:
    """Return the family's model where the width is chosen at run time; None where it is fixed."""
    return cast(RunTimeWidth, config.model) if hasattr(config.model, "r_exp_for") else None
