# SPDX-License-Identifier: Apache-2.0
"""Candidates for a question: measured parts that do the operation, and predictions for others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from perle.cores.registry import Config, Pipelined, families, resolve_any
from perle.report.choose.cost_model import Estimate
from perle.report.choose.pace import pace, parts
from perle.report.choose.predictor import CLOCK, Costs, Predictor, measured_costs
from perle.report.choose.question import AREAS, ENERGY, LATENCY, RATE, Limit, Operation, Question
from perle.results import metrics, names
from perle.results.view import Point, View

NS_PER_MS, PJ_PER_NJ = 1e6, 1e3
MOST_LANES = 64
"""Maximum number of lanes of a board."""


class Basis(StrEnum):
    """Origin of a candidate's figures."""

    measured = "measured"
    predicted = "predicted"
    alone = "multiplier alone"


@dataclass(frozen=True)
class Candidate:
    """A part of a configuration on a target.

    `errors`: by which factor, less one, a figure may be worse: if measured, that of the slowest seed.

    `clock_mhz` is the placed one. `seed_numbers`: none if the tools use no seeds. `basis` "multiplier alone":
    the question is about an exponentiation, but the areas do not include an exponentiator.
    """

    point: Point
    config: Config
    basis: Basis
    figures: Mapping[str, float]
    errors: Mapping[str, float] = field(default_factory=dict)
    clock_mhz: float | None = None
    seed_numbers: tuple[int, ...] = ()
    date: str = ""
    device: str = ""
    sources: str = ""
    note: str = ""

    @property
    def seeds(self) -> int:
        """Number of seeds, 0 if the tools use none."""
        return len(self.seed_numbers)

    @property
    def clock_used_mhz(self) -> float | None:
        """The clock of the figures: the placed one, up to what the multipliers are rated for."""
        return self.clock_mhz and metrics.rated(self.config, self.clock_mhz, self.point.target)

    @property
    def worst(self) -> dict[str, float]:
        """The figures in the worst case: of the slowest seed, or at the limit of the prediction's error."""
        return {
            name: value / (1 + off) if name == RATE else value * (1 + off)
            for name, value in self.figures.items()
            for off in [self.errors.get(name, 0.0)]
        }

    def doubts(self, limits: tuple[Limit, ...]) -> list[str]:
        """Return the limits that are met by the figures, but not in the worst case."""
        return [one.text for one in limits if one.excess(self.figures) <= 1 and one.excess(self.worst) > 1]


def candidates(question: Question, view: View) -> Iterator[Candidate]:
    """Yield all candidates that are wide enough for a question, whether within its limits or not."""
    for target in question.targets:
        there = [one for one in view.points() if one.target == target and _multiplier(one)]
        found = {}
        for point in there:
            one = _measured(question, point, view)
            if one is not None:
                found[point] = one
        yield from found.values()
        yield from _unmeasured(question, target, there, view)


def _multiplier(point: Point) -> bool:
    return point.core.partition(":")[0] in families()


def _measured(question: Question, point: Point, view: View) -> Candidate | None:
    config, costs = resolve_any(point.core), measured_costs(point, view)
    if point.part not in parts(question.operation) or config.width < question.width or not costs:
        return None
    runs = [one for one in view.runs(point) if not one.error]
    seeds = tuple(sorted({one.seed for one in runs if one.seed}))
    over = view.spread(point, names.FMAX)
    errors = {}
    if over is not None and over.count > 1:
        off = _slower(config, point, over.median, over.least)
        errors = {RATE: off, LATENCY: off}
    figures, _ = _figures(question, config, point, costs)
    return Candidate(
        *(point, config, Basis.measured, figures, errors, _clock(costs), seeds),
        date=max(one.date for one in runs),
        device=view.device(point),
        note=_lanes(question, config, point, costs),
    )


def _unmeasured(question: Question, target: str, there: list[Point], view: View) -> Iterator[Candidate]:
    """Yield candidates that were not measured: predicted parts, or if there is none, the multiplier alone."""
    predictor = Predictor(view, target)
    exact = [*predictor.at_width(question.width), *predictor.elsewhere(question.width)]
    wide = [resolve_any(one.core) for one in there if one.part == "mul"]
    configs = {one.spec: one for one in (*exact, *wide) if one.width >= question.width}
    for config in configs.values():
        whole = False
        for part in parts(question.operation):
            point = Point(config.spec, target, part)
            if view.runs(point):
                whole = True
                continue
            guess = predictor.predict(config, part)
            if guess is not None:
                whole = True
                costs, sources = guess
                yield _guessed(question, point, costs, Basis.predicted, sources)
        if question.operation is not Operation.mul and not whole:
            yield from _alone(question, Point(config.spec, target), predictor)


def _alone(question: Question, point: Point, predictor: Predictor) -> Iterator[Candidate]:
    config = resolve_any(point.core)
    guess = predictor.known(config, point.part)
    if guess is not None and not predictor.view.fault(point):
        yield _guessed(question, point, guess[0], Basis.alone, guess[1])


def _guessed(question: Question, point: Point, costs: Costs, basis: Basis, sources: str) -> Candidate:
    config = resolve_any(point.core)
    figures, errors = _figures(question, config, point, costs)
    note = _lanes(question, config, point, costs)
    return Candidate(point, config, basis, figures, errors, _clock(costs), sources=sources, note=note)


def _clock(costs: Costs) -> float | None:
    return costs[CLOCK].value if CLOCK in costs else None


def _figures(
    question: Question, config: Config, point: Point, costs: Costs
) -> tuple[dict[str, float], dict[str, float]]:
    """Return the areas, and rate, latency and energy of the operation, with their relative errors."""
    found = {name: costs[name] for name in AREAS if name in costs}
    clock = costs.get(CLOCK)
    if clock is not None:
        taken = pace(config, point.part, question.operation, question.bits, point.target)
        period = metrics.period(metrics.rated(config, clock.value, point.target))
        off = _slower(config, point, clock.value, clock.value / (1 + clock.error))
        found[RATE] = Estimate(metrics.rate(taken.interval, period), off)
        found[LATENCY] = Estimate(metrics.latency(taken.latency, period) / NS_PER_MS, off)
    energy = costs.get(names.PRODUCT_ENERGY)
    if energy is not None:
        found[ENERGY] = Estimate(_energy(question, config, energy.value), energy.error)
    errors = {name: one.error for name, one in found.items() if one.error}
    return {name: one.value for name, one in found.items()}, errors


def _slower(config: Config, point: Point, mhz: float, least: float) -> float:
    """Return by which factor, less one, a clock of `least` MHz is slower; both are limited to the rating."""
    return metrics.rated(config, mhz, point.target) / metrics.rated(config, least, point.target) - 1


def _energy(question: Question, config: Config, product_pj: float) -> float:
    if question.operation is Operation.mul:
        return product_pj / PJ_PER_NJ
    each = metrics.operation_energy(config, question.width, product_pj)
    return 2 * each if question.operation is Operation.rsa_crt else each


def _lanes(question: Question, config: Config, point: Point, costs: Costs) -> str:
    """Return a note on the rate with more lanes around a pipelined multiplier, whose area is not measured."""
    clock = costs.get(CLOCK)
    pipelined = (
        isinstance(config.model, Pipelined) and point.part in ("exp", "mul") and not config.family.engine
    )
    if question.operation is Operation.mul or clock is None or not pipelined:
        return ""
    period = metrics.period(metrics.rated(config, clock.value, point.target))
    rate = metrics.full_rsa_rate(config, 2 * question.width, period)
    rate = rate if question.operation is Operation.rsa_crt else 2 * rate
    lanes = -(-metrics.product_cycles(config) // metrics.product_interval(config))
    if lanes < 2:
        return ""
    used = min(lanes, MOST_LANES)
    return f"{used} lanes would do {rate * used / lanes:,.0f} per second; their area is not measured"
