# SPDX-License-Identifier: Apache-2.0
"""Selects the next point of a space to measure: an Optuna study over the points of one width.

No point is given out twice. A repeated suggestion is reported to the sampler as failed, so it learns nothing
from it. After REPEATS such suggestions a random point that is left is taken instead.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution, IntDistribution
from optuna.samplers import BaseSampler, NSGAIISampler, TPESampler
from optuna.trial import Trial, TrialState

from perle.explore.how import Method
from perle.explore.points import START, Place, Points

REPEATS = 10
"""After this many successive suggestions of known points, a random point is used instead."""
LARGEST_POPULATION, LEAST_POPULATION, GENERATIONS = 50, 4, 6
"""NSGA-II: largest and smallest population, and the minimum number of generations between these limits."""
STARTUP = 10
"""TPE: maximum number of random points at the start."""


class Study:
    """The points of one width that were given out, and their results.

    `trials`: about how many points will be measured; `figures`: number of figures of a cost; `seed`: seed of
    all random choices, so that the same answers in the same order give the same points.
    """

    def __init__(self, points: Points, method: Method, trials: int, figures: int, seed: int) -> None:
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self.points, self.begun = points, 0
        self._figures = figures
        self._random = random.Random(seed)  # noqa: S311 - to be repeated
        self._study = optuna.create_study(
            directions=["minimize"] * figures, sampler=_sampler(method, trials, seed)
        )
        self._distributions = {name: _distribution(name, count) for name, count in points.genes.items()}
        self._trials: dict[Place, Trial] = {}
        self._seen: set[Place] = set()

    def ask(self) -> Place | None:
        """Return a point that was not given out yet; None if all were."""
        for _ in range(REPEATS):
            trial = self._study.ask(self._distributions)
            place = self.points.place(trial.params)
            if place not in self._seen:
                return self._given(place, trial)
            self._study.tell(trial, state=TrialState.FAIL)
        left = self._any()
        return None if left is None else self.take(left)

    def take(self, place: Place) -> Place:
        """Give out a point that was selected elsewhere, such as a recorded one."""
        genes = self.points.described(place)
        self._study.enqueue_trial({name: genes[name] for name in self._distributions})
        return self._given(place, self._study.ask(self._distributions))

    def tell(self, place: Place, costs: Sequence[float]) -> None:
        """Report the costs of a point; smaller is better."""
        self._study.tell(self._trials.pop(place), list(costs))

    def tell_infeasible(self, place: Place) -> None:
        """Report that a point cannot be built, so that similar ones are suggested less often."""
        trial = self._trials.pop(place)
        trial.set_constraint("built", 1.0)
        self._study.tell(trial, [math.inf] * self._figures)

    def tell_lost(self, place: Place) -> None:
        """Report that there is no result for a point."""
        self._study.tell(self._trials.pop(place), state=TrialState.FAIL)

    def seen(self, place: Place) -> bool:
        """Whether a point was given out."""
        return place in self._seen

    def _given(self, place: Place, trial: Trial) -> Place:
        self._seen.add(place)
        self._trials[place] = trial
        return place

    def _any(self) -> Place | None:
        """Return the first point not given out, from a random one on; None if all were."""
        size = self.points.size
        if len(self._seen) == size:
            return None
        first = self._random.randrange(size)
        places = (self.points.numbered((first + step) % size) for step in range(size))
        return next(place for place in places if place not in self._seen)


def _distribution(name: str, count: int) -> BaseDistribution:
    if name == START:
        return CategoricalDistribution(list(range(count)))
    return IntDistribution(0, count - 1)


def _sampler(method: Method, trials: int, seed: int) -> BaseSampler:
    if method is Method.tpe:
        return TPESampler(seed=seed, multivariate=True, n_startup_trials=min(STARTUP, max(1, trials // 3)))
    size = min(LARGEST_POPULATION, max(LEAST_POPULATION, trials // GENERATIONS))
    return NSGAIISampler(seed=seed, population_size=size)
