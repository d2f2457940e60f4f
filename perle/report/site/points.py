# SPDX-License-Identifier: Apache-2.0
"""The points of the Pareto explorer: measured and predicted parts, each for operations of one size.

A point is for one operation of one size, so that a chart never mixes keys of different sizes. Of a measured
multiplier that no system was measured with, RSA has two: the multiplier alone, and with a predicted
exponentiator. The rate of a multiplier alone is that of the table of all systems: with as many exponentiators
as keep it busy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from perle.cores.registry import Config, families, resolve_any
from perle.report import headline
from perle.report.choose.candidates import Basis, Candidate, candidates
from perle.report.choose.choice import share
from perle.report.choose.commands import build, measure
from perle.report.choose.pace import SYSTEMS, pace
from perle.report.choose.question import ENERGY, LATENCY, RATE, Operation, Question
from perle.results import metrics, names
from perle.results.view import View

OPERATIONS = (Operation.mul, Operation.rsa_crt)
US_PER_MS = 1000


@dataclass(frozen=True)
class Size:
    """An operation and its size: products with moduli of `bits` bits, or RSA with a key of that size."""

    operation: Operation
    bits: int

    @property
    def key(self) -> str:
        """Its name in the page's data."""
        return f"{self.operation}-{self.bits}"

    @property
    def title(self) -> str:
        """Its name in the page's menu."""
        what = "RSA-{} private operation" if self.operation is Operation.rsa_crt else "product of {} bits"
        return what.format(self.bits)


@dataclass(frozen=True)
class Drawn:
    """A candidate for an operation of one size, with the cycles of one operation."""

    size: Size
    candidate: Candidate
    cycles: float

    @property
    def device(self) -> str:
        """The device without its speed grade, which areas do not depend on."""
        return names.device(self.candidate.point.target)

    @property
    def predicted(self) -> bool:
        """Whether its figures are predicted; those of a multiplier alone may also be."""
        one = self.candidate
        return one.basis is Basis.predicted or (one.basis is Basis.alone and one.sources != one.config.name)

    @property
    def basis(self) -> str:
        """Origin of its figures."""
        basis = self.candidate.basis
        return f"{basis}, {Basis.predicted}" if self.predicted and basis is Basis.alone else str(basis)

    @property
    def command(self) -> str:
        """The command that measures it."""
        one = self.candidate
        return one.point.command if one.basis is Basis.measured else measure(one)

    def row(self) -> dict[str, Any]:
        """Return the point's data for the page, in LUTs, µm², µs, 1/s and nJ; unknown figures are None."""
        one = self.candidate
        figures = one.figures
        latency, mhz = figures.get(LATENCY), one.clock_used_mhz
        taken = share(figures, one.point.target) if self.device in names.CAPACITY else None
        return {
            "size": self.size.key,
            "core": one.point.core,
            "family": one.config.family.name,
            "part": one.point.part,
            "target": one.point.target,
            "device": self.device,
            "basis": self.basis,
            "lut": figures.get(names.LUTS),
            "dsp": figures.get(names.DSP),
            "um2": figures.get(names.AREA),
            "share": taken,
            "cycles": self.cycles,
            "us": None if latency is None else latency * US_PER_MS,
            "rate": figures.get(RATE),
            "nj": figures.get(ENERGY),
            "mhz": mhz,
            "placed": None if one.clock_mhz == mhz else one.clock_mhz,
            "seeds": one.seeds,
            "command": self.command,
            "build": "; ".join(build(one)),
            "from": one.sources,
        }


def sizes(view: View) -> list[Size]:
    """Return the operations for all measured widths, except RSA with keys that are too short."""
    widths = sorted({config.width for config in _measured(view)})
    products = [Size(Operation.mul, width) for width in widths]
    return products + [Size(Operation.rsa_crt, 2 * w) for w in widths if 2 * w >= headline.LEAST_KEY]


def _measured(view: View) -> Iterator[Config]:
    for point in view.points():
        if point.core.partition(":")[0] in families():
            yield resolve_any(point.core)


def drawn(view: View, among: Iterable[Size]) -> list[Drawn]:
    """Return the candidates for each size on every target: cores of exactly the required width."""
    targets = sorted({point.target for point in view.points()})
    multipliers = view.only("mul")
    found = []
    for size in among:
        for target in targets:
            question = Question(size.operation, size.bits, (target,))
            those = list(candidates(question, view))
            if size.operation is not Operation.mul:
                known = {one.point for one in those}
                alone = (one for one in candidates(question, multipliers) if one.point not in known)
                those += [one for one in alone if _lacks_system(one, view)]
            fitting = (one for one in those if one.config.width == question.width and _fits(one))
            found += [_drawn(size, one) for one in fitting]
    return found


def _drawn(size: Size, one: Candidate) -> Drawn:
    cycles = pace(one.config, one.point.part, size.operation, size.bits, one.point.target).latency
    if one.basis is Basis.alone and one.clock_used_mhz is not None:
        rate = headline.saturated(one.config, size.bits, metrics.period(one.clock_used_mhz))
        one = replace(one, figures={**one.figures, RATE: rate})
    return Drawn(size, one, cycles)


def _lacks_system(one: Candidate, view: View) -> bool:
    """Return whether a multiplier alone was measured, and nothing on its target that has it and does RSA."""
    systems = (replace(one.point, part=part) for part in SYSTEMS)
    measured = any(view.metric(system, names.FMAX) is not None for system in systems)
    return one.sources == one.config.name and not measured


def _fits(one: Candidate) -> bool:
    """Return whether a candidate fits the device; a prediction may exceed it, a measured one was placed."""
    return names.device(one.point.target) not in names.CAPACITY or share(one.figures, one.point.target) <= 1


def devices(view: View) -> Mapping[str, str]:
    """Return the description in the records of every device, without the speed grade."""
    found: dict[str, str] = {}
    for point in view.points():
        kind = names.device(point.target)
        said = view.device(point)
        found.setdefault(kind, said.partition(", speed")[0])
    return dict(sorted(found.items()))
