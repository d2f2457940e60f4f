# SPDX-License-Identifier: Apache-2.0
"""Answer to a question: candidates within the limits, best first, and by how much others miss the limits."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from perle.report.choose.candidates import Basis, Candidate, candidates
from perle.report.choose.known import check
from perle.report.choose.question import AREAS, ENERGY, LATENCY, RATE, Limit, Objective, Question
from perle.report.choose.reach import Widest, widest
from perle.report.choose.unused import Unused, failed_points, stale_points
from perle.report.quantities import brief
from perle.results import Store, names
from perle.results.view import View

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
    """A candidate and the reason for its rank: how it compares with the best, or which limits it misses."""

    candidate: Candidate
    why: str
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Choice:
    """The answer. `fits`: measured candidates, best first; `unmeasured`: predicted ones, best first.

    `near`: those that miss a limit, nearest first. `seed_spread`: see the function. `widest`: what there is
    of other widths, if there is no candidate at all.
    """

    question: Question
    fits: tuple[Judged, ...]
    unmeasured: tuple[Judged, ...]
    near: tuple[Judged, ...]
    stale: tuple[Unused, ...]
    failed: tuple[Unused, ...]
    seed_spread: tuple[int, float] | None
    widest: Widest | None = None

    @property
    def best(self) -> Judged | None:
        """The best measured candidate; None if none is within the limits."""
        return self.fits[0] if self.fits else None

    @property
    def missing(self) -> str:
        """What should order the candidates by default but is not known of any; empty if it is."""
        shown = self.fits or self.unmeasured or self.near
        if not shown or self.question.objective is not Objective.rate:
            return ""
        return "" if any(RATE in one.candidate.figures for one in shown) else "clock"

    @property
    def text(self) -> str:
        """The question as one line of text, with what the candidates are really ordered by."""
        return self.question.text(f"{Objective.area} (no {self.missing} known)" if self.missing else "")


def choose(question: Question, store: Store | None = None) -> Choice:
    """Return the answer from the current measurements; UnknownFigureError if they lack what it is about."""
    store = store or Store()
    view = View(store)
    check(question, view)
    limits = question.all_limits
    fits: list[Candidate] = []
    near: list[Candidate] = []
    for one in candidates(question, view):
        (near if any(limit.excess(one.figures) > 1 for limit in limits) else fits).append(one)
    fits.sort(key=lambda one: _rank(one, question))
    near.sort(key=lambda one: (*_distance(one.figures, limits), *_rank(one, question)))
    measured = [one for one in fits if one.basis is Basis.measured]
    others = [one for one in fits if one.basis is not Basis.measured]
    best = measured[0] if measured else None
    return Choice(
        question,
        tuple(_beside(one, best, question) for one in measured),
        tuple(_beside(one, best, question) for one in others),
        tuple(Judged(one, "; ".join(_misses(one.figures, limits))) for one in near),
        tuple(stale_points(question, store)),
        tuple(failed_points(question, view, best.point if best else None)),
        seed_spread(view, question.targets),
        None if fits or near else widest(question, view),
    )


def share(figures: Mapping[str, float], target: str) -> float:
    """Return the largest share of a resource of the device; LUTs or µm² if the device's size is unknown."""
    there = names.CAPACITY.get(names.device(target))
    if there:
        return max((figures[name] / has for name, has in there.items() if name in figures), default=math.inf)
    return figures.get(names.LUTS, figures.get(names.AREA, math.inf))


def _rank(one: Candidate, question: Question) -> tuple[float, ...]:
    """Return the sort key, smallest for the best; ties are decided by area, then by rate."""
    area = share(one.figures, one.point.target)
    rate = -one.figures.get(RATE, 0.0)
    latency, energy = (one.figures.get(name, math.inf) for name in (LATENCY, ENERGY))
    first = {
        Objective.rate: rate,
        Objective.latency: latency,
        Objective.energy: energy,
        Objective.area: area,
    }[question.objective]
    return first, area, rate


def _distance(figures: Mapping[str, float], limits: Collection[Limit]) -> tuple[int, float, float]:
    """Return the sort key of candidates that miss limits, smallest for the nearest.

    It consists of the number of limits missed by an infinite factor, the worst finite factor, and the sum of
    the figures with infinite factors: those that are unknown, and those whose limit is zero.
    """
    off = [limit.excess(figures) for limit in limits]
    more = sum(figures.get(limit.figure, 0) for limit, by in zip(limits, off, strict=True) if math.isinf(by))
    return sum(map(math.isinf, off)), max(one for one in (1.0, *off) if not math.isinf(one)), more


def _misses(figures: Mapping[str, float], limits: Collection[Limit]) -> list[str]:
    """Return the missed limits in words, and how many copies side by side would meet all of them, if any."""
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
            said.append(f"{_factor(here / there)} × {what}")
        elif here and there == 0:
            said.append(f"{here:,.0f} of {what} against none")
    return Judged(one, ", ".join(said[:MOST_SAID]) or "no difference", doubts)


def _factor(value: float) -> str:
    """Return a factor with two digits, or as many as tell it from 1."""
    return f"{value:.2f}" if 0.9 < value < 1.1 else brief(value)


def seed_spread(view: View, targets: Iterable[str]) -> tuple[int, float] | None:
    """Return the number of points with several seeds, and the largest relative deviation from a median."""
    found = []
    for point in view.points():
        over = view.spread(point, names.FMAX) if point.target in targets else None
        if over is not None and over.count > 1:
            found.append(max(over.most / over.median - 1, 1 - over.least / over.median))
    return (len(found), max(found)) if found else None
