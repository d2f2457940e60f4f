# SPDX-License-Identifier: Apache-2.0
"""A search in a space: measures some of its points, each selected from the results so far.

A search compares points in one stage of a sweep: the screen if the space has one, otherwise its target. Runs
and records are the same as those of a sweep.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from perle.cores.registry import UnknownCoreError, resolve_any
from perle.explore.how import How
from perle.explore.objectives import USUAL, check, usual
from perle.explore.points import Place, Points, of_space
from perle.explore.space import Infeasible, Space, SpaceError
from perle.explore.stages import compared, near_screen, staged, telling
from perle.measure.runner import known
from perle.measure.target import Target, UnknownTargetError, chosen
from perle.results import Measurement, Store, names

if TYPE_CHECKING:
    from perle.explore.sweep import Outcome, Sweep


@dataclass
class Search:
    """A search in a space; `perle.explore.stages.Plan` is a sweep of the whole space.

    At most `trials` points are measured, recorded ones included; widths take turns.
    """

    space: Space
    how: How
    figures: tuple[str, ...]
    target: Target
    points: list[Points]
    recorded: list[tuple[Points, Place]]
    infeasible: list[Infeasible] = field(default_factory=list)

    @property
    def size(self) -> int:
        """The number of points of the space, including those that cannot be built."""
        return sum(one.size for one in self.points)

    @property
    def seeds(self) -> int:
        """The number of runs of a point."""
        return self.space.seeds if self.space.screen is None and self.target.seeded else 1

    @property
    def most(self) -> int:
        """The largest number of runs in a stage."""
        return min(self.size, self.how.trials) * self.space.seeds * len(self.space.targets)

    @property
    def compared(self) -> tuple[str, ...]:
        """The figures that the search minimizes."""
        if self.figures != USUAL:
            return self.figures
        name = self.target.name
        return usual(name, self.space.part, clocked=self.target.seeded or name in names.PROCESSES)

    def last(self, outcome: Outcome) -> list[Measurement]:
        """Return the measurements on the targets of the space, without the screen."""
        last = {one.name for name in self.space.targets for one in chosen(name)}
        return [one for one in outcome.found if one.target in last]

    def carry_out(self, sweep: Sweep) -> Outcome:
        """Search, continue with results near the front of a screen, and return the outcome."""
        from perle.explore.sweep import Outcome  # noqa: PLC0415 - packages of the extra `explore`
        from perle.explore.way import Way  # noqa: PLC0415

        outcome = Outcome()
        way = Way(self, sweep, outcome)
        title = f"search on {self.target.name}"
        total = min(self.size, max(self.how.trials, len(self.recorded))) * self.seeds
        found = sweep.run(title, way.runs(), outcome, total=total, heard=way.heard, ahead=1)
        if self.space.screen is not None:
            kept = near_screen(self.space, found, self.figures)
            later = [run for core in way.later if core in kept for run in way.later[core]]
            sweep.run(", ".join(self.space.targets), later, outcome, heard=telling(self.figures))
        return outcome


def search(
    space: Space, store: Store, how: How, figures: tuple[str, ...] = USUAL, timeout: float = 0
) -> Search:
    """Return a search; SpaceError if the space is invalid, or would compare more than one device.

    `timeout`: that of a run, in seconds.
    """
    check(figures, space.part)
    points = of_space(space)
    compared_on = (space.screen.target,) if space.screen is not None else space.targets
    try:
        devices = [one for name in compared_on for one in chosen(name)]
        for name in space.targets:
            chosen(name)
    except UnknownTargetError as error:
        raise SpaceError(str(error)) from None
    if len(devices) != 1:
        raise SpaceError(
            f"a search compares on one device, not on {', '.join(one.name for one in devices)}: "
            "one target, or a screen"
        )
    found = Search(space, how, figures, devices[0], points, [])
    found.recorded += _recorded(found, store, timeout)
    return found


def _recorded(wanted: Search, store: Store, timeout: float) -> Iterator[tuple[Points, Place]]:
    """Yield the points whose runs are all recorded, ordered by the name of the core."""
    for core in sorted({one.core for one in store.load(wanted.target.name)}):
        try:
            config = resolve_any(core)
        except UnknownCoreError:  # a core that no longer exists
            continue
        for points in wanted.points:
            place = next(points.places(config), None)
            if place is not None:
                screened, runs, _ = staged(wanted.space, [config])
                needed = compared(wanted.space, screened, runs)
                if needed and all(known(store, run, timeout) is not None for run in needed):
                    yield points, place
