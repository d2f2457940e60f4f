# SPDX-License-Identifier: Apache-2.0
"""Interfaces of a family's model: functions that predict the results and cycles of its hardware."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable


class Model(Protocol):
    """Interface of `cores/<family>/model.py`; `params` is a configuration's complete parameter set."""

    def operand_bits(self, params: dict[str, int]) -> int:
        """Bits of an operand: operands and redundant results are below 2^operand_bits."""

    def r_exp(self, params: dict[str, int]) -> int:
        """RExp: the Montgomery radix is R = 2^RExp."""

    def multipliers(self, params: dict[str, int]) -> int:
        """Device multipliers of a core."""

    def mul_cycles(self, params: dict[str, int]) -> int:
        """Latency of OpMul in clock cycles, from acceptance to response."""

    def reduce_cycles(self, params: dict[str, int]) -> int:
        """Latency of OpReduce in clock cycles, from acceptance to response."""

    def constants(self, params: dict[str, int], m: int) -> dict[str, int]:
        """Return the family's constants of a modulus, by name, without M itself."""

    def operand_limit(self, params: dict[str, int], m: int) -> int:
        """Exclusive upper bound of operands and products."""

    def mont(self, params: dict[str, int], m: int, x: int, y: int) -> int:
        """Return the redundant product, computed with the core's own steps."""

    def mont_value(self, params: dict[str, int], m: int, x: int, y: int) -> int:
        """Return the same as `mont`, by a closed formula (fast)."""

    def reduce(self, params: dict[str, int], m: int, x: int) -> int:
        """Return the canonical x·R^-1 mod M, computed with the core's own steps."""


@runtime_checkable
class WidthAtRunTime(Protocol):
    """Additional interface of families whose operand width, n, is an input of every operation."""

    def constants(self, params: dict[str, int], m: int, n: int | None = None) -> dict[str, int]:
        """Return the constants of a modulus for operations on n bits."""

    def mul_cycles_for(self, params: dict[str, int], n: int) -> int:
        """Latency of OpMul on n bits, in clock cycles."""

    def reduce_cycles_for(self, params: dict[str, int], n: int) -> int:
        """Latency of OpReduce on n bits, in clock cycles."""

    def r_exp_for(self, params: dict[str, int], n: int) -> int:
        """RExp on n bits: R = 2^RExp."""

    def mont_value(self, params: dict[str, int], m: int, x: int, y: int, n: int | None = None) -> int:
        """Return the redundant product on n bits."""


@runtime_checkable
class Pipelined(Protocol):
    """Additional interface of families with several operations in flight."""

    def admits(self, params: dict[str, int], taken: Sequence[int], now: int) -> bool:
        """Tell whether a request is accepted in cycle `now`; `taken`: cycles of the latest acceptances."""

    def interval(self, params: dict[str, int]) -> int:
        """Average initiation interval in cycles when a request is always pending."""


@runtime_checkable
class Forwarding(Protocol):
    """Additional interface of families whose multiplier can respond before a product's carries are resolved.

    It does so only for an exponentiator that does not share it, and only when another operation follows; the
    module is `Family.forwarding`.
    """

    def early_cycles(self, params: dict[str, int]) -> int:
        """Latency of OpMul in clock cycles, from acceptance to response, when another operation follows."""
