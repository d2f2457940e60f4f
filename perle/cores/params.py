# SPDX-License-Identifier: Apache-2.0
"""Legal values of a family's parameters: each within its range, and together as the family's rules allow.

Ranges and rules are in `core.toml`. The hardware itself checks a few of the rules when it is elaborated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import CodeType

WIDEST_FACTOR = 18
"""Width in bits of the widest unsigned factor that a multiplier of any supported device takes."""


@dataclass(frozen=True)
class Param:
    """One SystemVerilog parameter: default, legal range, description."""

    default: int
    lo: int
    hi: int
    doc: str


def _power_of_two(value: int) -> bool:
    return value > 0 and value & (value - 1) == 0


def _ceil_div(a: int, b: int) -> int:
    return -(-a // b)


FUNCTIONS = {"bits": int.bit_length, "ceil_div": _ceil_div, "max": max, "power_of_two": _power_of_two}
"""Functions that the rules in core.toml may call."""


@dataclass(frozen=True)
class Rule:
    """A condition on parameters: a Python expression with their names and FUNCTIONS, and an error message."""

    holds: str
    says: str

    @cached_property
    def _code(self) -> CodeType:
        return compile(self.holds, "core.toml", "eval")

    @property
    def names(self) -> tuple[str, ...]:
        """Parameters in the rule's expression."""
        return tuple(name for name in self._code.co_names if name not in FUNCTIONS)

    def allows(self, values: Mapping[str, int]) -> bool:
        """Whether the rule holds for these values, each of which is in its range."""
        # eval is safe: core.toml is source code of the project, not external data.
        return bool(eval(self._code, {"__builtins__": {}, **FUNCTIONS}, dict(values)))  # noqa: S307


def fault(params: Mapping[str, Param], rules: Iterable[Rule], values: Mapping[str, int]) -> str:
    """Return what is wrong with a complete set of values; an empty string if they are legal."""
    for key, value in values.items():
        if not params[key].lo <= value <= params[key].hi:
            return f"{key} = {_short(value)} is outside {_short(params[key].lo)}…{_short(params[key].hi)}"
    for rule in rules:
        if not rule.allows(values):
            return f"{rule.says}: {', '.join(f'{name} = {_short(values[name])}' for name in rule.names)}"
    return ""


def _short(value: int) -> str:
    """Return a number for a message; of a long one only its bit length."""
    return str(value) if value < 1 << 64 else f"a number of {value.bit_length()} bits"
