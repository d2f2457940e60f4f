# SPDX-License-Identifier: Apache-2.0
"""A user's question: an operation and its size, targets, limits, and the objective."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from perle.report.quantities import brief, quantity, seconds
from perle.results import names

RATE, LATENCY, ENERGY = "rate", "latency_ms", "energy_nj"
"""Derived figures of a candidate; its other figures are metrics: LUTs, flip-flops, multipliers, block
memories, area in µm²."""

TITLES = {
    RATE: "rate",
    LATENCY: "latency",
    ENERGY: "energy",
    names.LUTS: "LUT",
    names.FF: "flip-flops",
    names.DSP: "multipliers",
    names.BRAM: "block memories",
    names.AREA: "area",
}
MS_PER_S = 1e3
UNITS = {RATE: "/s", LATENCY: " ms", ENERGY: " nJ", names.AREA: " µm²"}
AREAS = (names.LUTS, names.FF, names.DSP, names.BRAM, names.AREA)


class Operation(StrEnum):
    """The operation; its size is that of the modulus, or for RSA that of the key."""

    mul = "mul"
    modexp = "modexp"
    rsa_crt = "rsa-crt"
    rsa = "rsa"

    @property
    def words(self) -> str:
        """Description of the operation."""
        return {
            Operation.mul: "one modular product",
            Operation.modexp: "x^e mod M in constant time, e as wide as M",
            Operation.rsa_crt: "RSA private operation by the Chinese remainder theorem",
            Operation.rsa: "RSA private operation without the Chinese remainder theorem",
        }[self]


class Objective(StrEnum):
    """The objective by which candidates are ranked."""

    rate = "rate"
    latency = "latency"
    area = "area"
    energy = "energy"


FIGURES = {Objective.rate: RATE, Objective.latency: LATENCY, Objective.energy: ENERGY}
"""The figure that an objective optimizes; area is several."""


@dataclass(frozen=True)
class Limit:
    """A lower (`at_least`) or upper bound of a figure; `what` is its origin if that is not the user."""

    figure: str
    bound: float
    at_least: bool = False
    what: str = ""

    @classmethod
    def known(cls, figure: str) -> Limit:
        """Return a limit that every value keeps, so that the figure only has to be known."""
        return cls(figure, 0, at_least=True) if figure == RATE else cls(figure, math.inf)

    @property
    def text(self) -> str:
        """The limit as text."""
        return (
            f"{TITLES[self.figure]} {'≥' if self.at_least else '≤'} {self._with_unit(self.bound)}{self.what}"
        )

    def _with_unit(self, value: float) -> str:
        if self.figure == LATENCY and value:
            return seconds(value / MS_PER_S)
        return f"{quantity(value) if value else 0}{UNITS.get(self.figure, '')}"

    def excess(self, figures: Mapping[str, float]) -> float:
        """Return the factor by which the figure misses the bound: at most 1 if met, infinity if unknown."""
        value = figures.get(self.figure)
        if value is None:
            return math.inf
        above, below = (self.bound, value) if self.at_least else (value, self.bound)
        return above / below if below else math.inf if above else 1.0

    def miss(self, figures: Mapping[str, float]) -> str:
        """Return in words by how much the figure misses the limit; empty if it is met."""
        if self.excess(figures) <= 1:
            return ""
        value = figures.get(self.figure)
        if value is None:
            limit = "" if self == Limit.known(self.figure) else f", limit: {self.text}"
            return f"{TITLES[self.figure]} is not known{limit}"
        off = abs(value - self.bound)
        part = f" ({brief(100 * off / self.bound)} %)" if self.bound else ""
        way = "below" if self.at_least else "above"
        here, bound, by = map(self._with_unit, (value, self.bound, off))
        return f"{TITLES[self.figure]} {here} is {by}{part} {way} {bound}{self.what}"


@dataclass(frozen=True)
class Question:
    """An operation on `bits` bits on any of the targets, within limits; `best`: the objective, if stated."""

    operation: Operation
    bits: int
    targets: tuple[str, ...]
    limits: tuple[Limit, ...] = ()
    best: Objective | None = None

    @property
    def width(self) -> int:
        """Width in bits of the modulus in the hardware."""
        return self.bits // 2 if self.operation is Operation.rsa_crt else self.bits

    @property
    def objective(self) -> Objective:
        """The objective; by default the least area if speed or energy is limited, else the highest rate."""
        if self.best is not None:
            return self.best
        stated = any(one.figure in (RATE, LATENCY, ENERGY) for one in self.limits)
        return Objective.area if stated else Objective.rate

    @property
    def all_limits(self) -> tuple[Limit, ...]:
        """The user's limits, the resources of the device, and that what the user wants best is known."""
        there = names.CAPACITY.get(names.device(self.targets[0]), {})
        device = (Limit(figure, has, what=", all of the device") for figure, has in there.items())
        return *self.limits, *device, *map(Limit.known, self._stated)

    @property
    def _stated(self) -> tuple[str, ...]:
        """The figure of the objective, if it was stated and is one figure."""
        return (FIGURES[self.best],) if self.best in FIGURES else ()

    @property
    def figures(self) -> tuple[str, ...]:
        """The figures that the user asks about."""
        return *(one.figure for one in self.limits), *self._stated

    @property
    def place(self) -> str:
        """The target, or the device at all its speed grades."""
        return self.targets[0] if len(self.targets) == 1 else names.device(self.targets[0])

    def text(self, best: str = "") -> str:
        """Return the question as one line of text, with `best` instead of the objective if it is given."""
        halves = f" (halves of {self.width})" if self.width != self.bits else ""
        said = [f"{self.bits} bits{halves}", self.operation.words, " or ".join(self.targets)]
        wanted = "; ".join(one.text for one in self.limits) or "no limits"
        return f"{', '.join(said)}; {wanted}; best {best or self.objective}"
