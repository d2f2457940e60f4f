# SPDX-License-Identifier: Apache-2.0
"""Recorded runs that do not count for a question: stale ones, and those whose tools failed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from perle.cores.registry import resolve_any
from perle.report.choose.pace import parts
from perle.report.choose.predictor import REACH
from perle.report.choose.question import Question
from perle.report.failures import lacking, readable
from perle.results import Measurement, Store, names
from perle.results.identity import stale
from perle.results.view import Point, View


@dataclass(frozen=True)
class Unused:
    """Recorded measurements of a point that were not used, and why.

    `command` repeats them; it is empty if they would fail again because the device is too small.
    """

    point: Point
    why: str
    command: str


def stale_points(question: Question, store: Store) -> Iterable[Unused]:
    """Return the points with stale measurements, each once."""
    kept = _parts(question)
    found: dict[Point, str] = {}
    seeds = defaultdict(set)
    for run in store.load():
        if run.target in question.targets and run.part in kept:
            why = stale(run)
            if why:
                point = Point(run.core, run.target, run.part)
                found[point] = "; ".join(why)
                seeds[point].add(run.seed)
    return [Unused(point, why, point.repeat(seeds[point])) for point, why in found.items()]


def failed_points(question: Question, view: View, best: Point | None) -> Iterator[Unused]:
    """Yield the points where the tools failed, with all seeds or some: the best one, and relevant ones."""
    for point in view.points():
        asked = point.target in question.targets and point.part in _parts(question)
        runs = view.runs(point)
        failed = [one for one in runs if one.error]
        if failed and asked and (point == best or _relevant(question, point)):
            yield _failure(point, runs, failed)


def _parts(question: Question) -> tuple[str, ...]:
    return "mul", *parts(question.operation)


def _relevant(question: Question, point: Point) -> bool:
    """Whether a core is wide enough, at most REACH times, and its multipliers are within the limits."""
    config = resolve_any(point.core)
    count = {names.DSP: float(config.model.multipliers(config.params))}
    few = all(one.excess(count) <= 1 for one in question.limits if one.figure == names.DSP)
    return few and question.width <= config.width <= REACH * question.width


def _failure(point: Point, runs: list[Measurement], failed: list[Measurement]) -> Unused:
    some = "" if len(failed) == len(runs) else f"{len(failed)} of {len(runs)} seeds: "
    again = [one for one in failed if not lacking(one.error)]
    if again:
        command = f"{point.repeat(one.seed for one in again)} --again"
        return Unused(point, some + readable(again[0].error), command)
    return Unused(point, f"{some}does not fit: {_too_few(point) or lacking(failed[0].error)}", "")


def _too_few(point: Point) -> str:
    """Return how many multipliers a core has and its device, if that is fewer."""
    config = resolve_any(point.core)
    has = config.model.multipliers(config.params)
    there = names.CAPACITY.get(names.device(point.target), {}).get(names.DSP, has)
    return f"{has} of {there} multipliers" if has > there else ""
