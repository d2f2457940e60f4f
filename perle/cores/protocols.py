# SPDX-License-Identifier: Apache-2.0
"""What the model of a family offers to everything that counts, drives or checks its hardware."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable


class Model(Protocol):
    """What `cores/<family>/model.py` offers; `params` is a configuration's complete parameter set."""

    def operand_bits(self, params: dict[str, int]) -> int:
        """Bits of an operand: operands and redundant results are below 2^operand_bits."""

    def r_exp(self, params: dict[str, int]) -> int:
        """RExp: the Montgomery radix is R = 2^RExp."""

    def multipliers(self, params: dict[str, int]) -> int:
        """Device multipliers of a core."""

    def mul_cycles(self, params: dict[str, int]) -> int:
        """Clock cycles of OpMul, from acceptance to response."""

    def reduce_cycles(self, params: dict[str, int]) -> int:
        """Clock cycles of OpReduce, from acceptance to response."""

    def constants(self, params: dict[str, int], m: int) -> dict[str, int]:
        """Return the family's constants of a modulus, by name, without M itself."""

    def operand_limit(self, params: dict[str, int], m: int) -> int:
        """Exclusive upper bound of the range in which operands and products live."""

    def mont(self, params: dict[str, int], m: int, x: int, y: int) -> int:
        """Return the redundant product exactly as the core forms it."""

    def mont_value(self, params: dict[str, int], m: int, x: int, y: int) -> int:
        """Return what `mont` returns, in closed form (fast)."""

    def reduce(self, params: dict[str, int], m: int, x: int) -> int:
        """Return the canonical x·R^-1 mod M exactly as the core forms it."""


@runtime_checkable
class WidthAtRunTime(Protocol):
    """What the model of a family also offers whose operand width, n, is an input of every operation."""

    def constants(self, params: dict[str, int], m: int, n: int | None = None) -> dict[str, int]:
        """Return the constants of a modulus for operations on n bits."""

    def mul_cycles_for(self, params: dict[str, int], n: int) -> int:
        """Clock cycles of OpMul on n bits."""

    def reduce_cycles_for(self, params: dict[str, int], n: int) -> int:
        """Clock cycles of OpReduce on n bits."""

    def r_exp_for(self, params: dict[str, int], n: int) -> int:
        """RExp on n bits: R = 2^RExp."""

    def mont_value(self, params: dict[str, int], m: int, x: int, y: int, n: int | None = None) -> int:
        """Return the redundant product on n bits."""


@runtime_checkable
class Pipelined(Protocol):
    """What the model of a family also offers that keeps several operations in flight."""

    def admits(self, params: dict[str, int], taken: Sequence[int], now: int) -> bool:
        """Tell whether a request is taken in cycle `now`; `taken`: when those before it were, lately."""

    def interval(self, params: dict[str, int]) -> int:
        """Cycles from one product to the next when requests never wait, on average."""


@runtime_checkable
class Forwarding(Protocol):
    """What the model of a family also offers whose multiplier answers before a product is resolved.

    Only to an exponentiator that is alone with it, and only where another operation follows; the module that
    does so is `Family.forwarding`.
    """

    def early_cycles(self, params: dict[str, int]) -> int:
        """Clock cycles of OpMul when another operation follows, from acceptance to response."""
