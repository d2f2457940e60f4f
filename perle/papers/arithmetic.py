# SPDX-License-Identifier: Apache-2.0
"""Exact arithmetic over a paper's claims: + - * / ** %, ceil(), floor(), and the paper's own formulas.

`evaluate("mul(n=b/17)", {"b": Fraction(544)}, {"mul": Formula("2*(n + 5)", ("n",))})` is 74. Expressions
are data, so nothing but arithmetic is understood: no attribute, no index, no other call.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction


class ExpressionError(ValueError):
    """The expression is not arithmetic over known names."""


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1:
        raise ExpressionError(f"exponent {exponent} is not an integer")
    return base**exponent.numerator


_OPERATORS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
}

_ROUNDINGS: dict[str, Callable[[Fraction], int]] = {"ceil": math.ceil, "floor": math.floor}


@dataclass(frozen=True)
class Formula:
    """A formula as printed, and the symbols it is a function of."""

    text: str
    symbols: tuple[str, ...]


@dataclass(frozen=True)
class _Scope:
    numbers: Mapping[str, Fraction]
    formulas: Mapping[str, Formula]

    def value(self, node: ast.expr) -> Fraction:
        match node:
            case ast.Constant(value=int() | float() as number):
                return Fraction(str(number))
            case ast.Name(id=name) if name in self.numbers:
                return self.numbers[name]
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return _OPERATORS[type(op)](self.value(left), self.value(right))
            case ast.Call(func=ast.Name(id=name), args=[inner], keywords=[]) if name in _ROUNDINGS:
                return Fraction(_ROUNDINGS[name](self.value(inner)))
            case ast.Call(func=ast.Name(id=name), args=[], keywords=named) if name in self.formulas:
                return self.call(name, {str(each.arg): self.value(each.value) for each in named})
        raise ExpressionError(f"{ast.unparse(node)!r} is not arithmetic over known names")

    def call(self, name: str, arguments: Mapping[str, Fraction]) -> Fraction:
        formula = self.formulas[name]
        if set(arguments) != set(formula.symbols):
            raise ExpressionError(f"{name} takes exactly {', '.join(formula.symbols)}")
        return evaluate(formula.text, arguments, {})


def evaluate(expr: str, numbers: Mapping[str, Fraction], formulas: Mapping[str, Formula]) -> Fraction:
    """Return the exact value of `expr`."""
    return _Scope(numbers, formulas).value(ast.parse(expr, mode="eval").body)
