# SPDX-License-Identifier: Apache-2.0
"""A running search: gets points from studies as workers become free, and reports their costs to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from perle.cores.registry import Config, UnknownCoreError
from perle.explore.objectives import costs, vector
from perle.explore.points import Place
from perle.explore.space import Infeasible
from perle.explore.stages import compared, staged
from perle.explore.study import Study
from perle.measure.runner import Wanted, timed_out
from perle.results import Measurement

if TYPE_CHECKING:
    from perle.explore.search import Search
    from perle.explore.sweep import Outcome, Sweep

PATIENCE = 1000
"""The search of a width ends after this many successive points that cannot be built."""


@dataclass
class _Point:
    """A point that was given out: the number of missing runs, and the measurements so far."""

    study: Study
    place: Place
    left: int
    found: list[Measurement] = field(default_factory=list)


class Way:
    """A running search: a study per width, and the points whose runs are not all done."""

    def __init__(self, wanted: Search, sweep: Sweep, outcome: Outcome) -> None:
        how = wanted.how
        each = max(1, how.trials // len(wanted.points))
        self._wanted, self._sweep, self._outcome = wanted, sweep, outcome
        count = len(wanted.compared)
        self._studies = [Study(points, how.method, each, count, how.seed) for points in wanted.points]
        self._open: dict[str, _Point] = {}
        self._taken: set[str] = set()
        self.later: dict[str, list[Wanted]] = {}

    def runs(self) -> Iterator[Wanted]:
        """Yield the runs of recorded points, then those of points that studies select."""
        wanted = self._wanted
        for points, place in wanted.recorded:
            study = next(one for one in self._studies if one.points is points)
            yield from self._begin(study, study.take(place))
        going = list(self._studies)
        while going and sum(one.begun for one in self._studies) < wanted.how.trials:
            study = min(going, key=lambda one: one.begun)
            runs = self._next(study)
            if not runs:
                going.remove(study)
            yield from runs

    def heard(self, run: Wanted, found: Measurement | None) -> None:
        """Take the result of a run, and report the point to its study when all its runs are done.

        A point without a result is infeasible if a run failed, but not if all were ended by timeouts.
        """
        core = run.config.spec
        point = self._open[core]
        point.left -= 1
        if found is not None:
            point.found.append(found)
        if point.left:
            return
        del self._open[core]
        good = [one for one in point.found if not one.error]
        figures = self._wanted.compared
        if good:
            costs(good[0], figures)  # SpaceError if the target lacks a figure
            point.study.tell(point.place, vector(good, figures))
        elif any(not timed_out(one) for one in point.found):
            point.study.tell_infeasible(point.place)
        else:
            point.study.tell_lost(point.place)

    def _next(self, study: Study) -> list[Wanted]:
        """Return the runs of the next point that can be built; [] if none is left, or none is found."""
        for _ in range(PATIENCE):
            place = study.ask()
            if place is None:
                return []
            runs = self._begin(study, place)
            if runs:
                return runs
        return []

    def _begin(self, study: Study, place: Place) -> list[Wanted]:
        try:
            config = study.points.config(place)
        except UnknownCoreError as error:
            self._infeasible(study, place, Infeasible(study.points.text(place), str(error)))
            return []
        if config.spec in self._taken:  # another start has the same configuration
            study.tell_lost(place)
            return []
        return self._built(study, place, config)

    def _built(self, study: Study, place: Place, config: Config) -> list[Wanted]:
        self._taken.add(config.spec)
        screened, runs, left = staged(self._wanted.space, [config])
        needed = compared(self._wanted.space, screened, runs)
        if not (needed and runs):
            self._infeasible(study, place, *left)
            return []
        self._wanted.infeasible.extend(left)
        study.begun += 1
        self.later[config.spec] = runs
        self._open[config.spec] = _Point(study, place, len(needed))
        return needed

    def _infeasible(self, study: Study, place: Place, *left: Infeasible) -> None:
        study.tell_infeasible(place)
        self._wanted.infeasible.extend(left)
        self._sweep.infeasible(left, self._outcome)
