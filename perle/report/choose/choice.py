# SPDX-License-Identifier: Apache-2.0
"""The answer: the best candidate within the limits, the next ones, and by how much others miss the limits."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from perle.cores.registry import resolve_any
from perle.report.choose.candidates import Basis, Candidate, candidates
from perle.report.choose.pace import parts
from perle.report.choose.question import AREAS, ENERGY, LATENCY, RATE, Limit, Objective, Question
from perle.report.quantities import brief
from perle.results import Store, names
from perle.results.identity import stale
from perle.results.view import Point, View

ALIKE = 0.02
"""Relative difference up to which two figures count as equal."""
COMPARED = {
    RATE: "the rate",
    LATENCY: "the latency",
    ENERGY: "the energy",
    names.LUTS: "the LUTs",
    names.AREA: "the area",
    names.DSP: "the multipliers",
    names.BRAM: "the memories",
}
MOST_SAID = 4


@dataclass(frozen=True)
class Judged:
    """A candidate with why it is where it is: beside the best, or the limits that it misses."""

    candidate: Candidate
    why: str
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Unused:
    """Recorded measurements of a point that were not used, and why."""

    point: Point
    why: str


@dataclass(frozen=True)
class Choice:
    """`fits`: measured, best first; `unmeasured`: predicted, best first; `near`: nearest misses first."""

    question: Question
    fits: tuple[Judged, ...]
    unmeasured: tuple[Judged, ...]
    near: tuple[Judged, ...]
    stale: tuple[Unused, ...]
    failed: tuple[Unused, ...]
    seed_spread: tuple[int, float] | None

    @property
    def best(self) -> Judged | None:
        """The best measured one; None if nothing measured is within the limits."""
        return self.fits[0] if self.fits else None


def choose(question: Question, store: Store | None = None) -> Choice:
    """Return the answer from the current measurements."""
    store = store or Store()
    view = View(store)
    limits = question.all_limits
    fits: list[Candidate] = []
    near: list[Candidate] = []
    for one in candidates(question, view):
        (near if any(limit.excess(one.figures) > 1 for limit in limits) else fits).append(one)
    fits.sort(key=lambda one: _rank(one, question))
    near.sort(key=lambda one: _distance(one.figures, limits))
    measured = [one for one in fits if one.basis is Basis.measured]
    others = [one for one in fits if one.basis is not Basis.measured]
    best = measured[0] if measured else None
    return Choice(
        question,
        tuple(_beside(one, best, question) for one in measured),
        tuple(_beside(one, best, question) for one in others),
        tuple(Judged(one, "; ".join(_misses(one.figures, limits))) for one in near),
        tuple(_stale(question, store)),
        tuple(_failed(question, view)),
        seed_spread(view, question.targets),
    )


def share(figures: Mapping[str, float], target: str) -> float:
    """Return the largest share of what the device has; LUTs or µm² where the device is not fixed."""
    there = names.CAPACITY.get(names.device(target))
    if there:
        return max((figures[name] / has for name, has in there.items() if name in figures), default=math.inf)
    return figures.get(names.LUTS, figures.get(names.AREA, math.inf))


def _rank(one: Candidate, question: Question) -> tuple[float, ...]:
    """Return what sorts the best first; what decides between equals is area, or the rate."""
    area = share(one.figures, one.point.target)
    rate = -one.figures.get(RATE, 0.0)
    latency, energy = (one.figures.get(name, math.inf) for name in (LATENCY, ENERGY))
    return {
        Objective.rate: (rate, area),
        Objective.latency: (latency, area),
        Objective.energy: (energy, area),
        Objective.area: (area, rate),
    }[question.objective]


def _distance(figures: Mapping[str, float], limits: Collection[Limit]) -> tuple[int, float, float]:
    """Return what sorts the nearest first: limits missed without a factor, the worst factor, and by how many.

    A figure that is not known, and more than none at all, have no factor.
    """
    off = [limit.excess(figures) for limit in limits]
    more = sum(figures.get(limit.figure, 0) for limit, by in zip(limits, off, strict=True) if math.isinf(by))
    return sum(map(math.isinf, off)), max(one for one in (1.0, *off) if not math.isinf(one)), more


def _misses(figures: Mapping[str, float], limits: Collection[Limit]) -> list[str]:
    """Return the limits that are missed, and how many of a kind, each with its area, would keep them all."""
    said = [said for limit in limits if (said := limit.miss(figures))]
    wanted = max((one.bound for one in limits if one.figure == RATE), default=0.0)
    count = math.ceil(wanted / figures[RATE]) if figures.get(RATE) else 1
    together = {name: count * value if name in (RATE, *AREAS) else value for name, value in figures.items()}
    if count > 1 and all(limit.excess(together) <= 1 for limit in limits):
        said.append(f"{count} side by side would do, if they keep the clock")
    return said


def _beside(one: Candidate, best: Candidate | None, question: Question) -> Judged:
    doubts = tuple(one.doubts(question.all_limits))
    if best is None or one is best:
        return Judged(one, "", doubts)
    said = []
    for name, what in COMPARED.items():
        here, there = one.figures.get(name), best.figures.get(name)
        if here is not None and there and abs(here / there - 1) > ALIKE:
            said.append(f"{brief(here / there)} × {what}")
        elif here and there == 0:
            said.append(f"{here:,.0f} of {what} against none")
    return Judged(one, ", ".join(said[:MOST_SAID]) or "as the best", doubts)


def _stale(question: Question, store: Store) -> Iterable[Unused]:
    """Return the stale measurements, each point once."""
    kept = ("mul", *parts(question.operation))
    found = {}
    for run in store.load():
        if run.target in question.targets and run.part in kept:
            why = stale(run)
            if why:
                found[Point(run.core, run.target, run.part)] = "; ".join(why)
    return [Unused(point, why) for point, why in found.items()]


def _failed(question: Question, view: View) -> Iterable[Unused]:
    """Return the points that are wide enough but for which the tools failed."""
    kept = ("mul", *parts(question.operation))
    for point in view.points():
        fault = view.fault(point)
        asked = point.target in question.targets and point.part in kept
        if fault and asked and resolve_any(point.core).width >= question.width:
            yield Unused(point, fault.splitlines()[0])


def seed_spread(view: View, targets: Iterable[str]) -> tuple[int, float] | None:
    """Return how many points have several seeds, and the largest relative distance of one from its median."""
    found = []
    for point in view.points():
        over = view.spread(point, names.FMAX) if point.target in targets else None
        if over is not None and over.count > 1:
            found.append(max(over.most / over.median - 1, 1 - over.least / over.median))
    return (len(found), max(found)) if found else None
