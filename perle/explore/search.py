# SPDX-License-Identifier: Apache-2.0
"""A search in a space: some of its points are measured, each chosen by what those before it cost.

What searches compare is a stage of the sweep of the same space: the screen if it has one, else its target.
Runs, records and what is known are those of a sweep.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from perle.cores.registry import UnknownCoreError, resolve_any
from perle.explore.how import How
from perle.explore.objectives import USUAL, usual
from perle.explore.points import Place, Points, of_space
from perle.explore.space import Infeasible, Space, SpaceError
from perle.explore.stages import near_screen, staged
from perle.measure.runner import known
from perle.measure.target import Target, UnknownTargetError, chosen
from perle.results import Measurement, Store

if TYPE_CHECKING:
    from perle.explore.sweep import Outcome, Sweep


@dataclass
class Search:
    """A search in a space, as `perle.explore.stages.Plan` is all of it.

    `trials` points are measured at most, those counted that are recorded already; widths take turns.
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
        """How many points the space has, those that cannot be built included."""
        return sum(one.size for one in self.points)

    @property
    def seeds(self) -> int:
        """How many runs a point has."""
        return self.space.seeds if self.space.screen is None and self.target.seeded else 1

    @property
    def most(self) -> int:
        """How many runs there are at most in a stage."""
        return min(self.size, self.how.trials) * self.space.seeds * len(self.space.targets)

    @property
    def compared(self) -> tuple[str, ...]:
        """The figures that the search makes small."""
        return usual(self.target.name) if self.figures == USUAL else self.figures

    def last(self, outcome: Outcome) -> list[Measurement]:
        """Return what was found on the targets of the space, the screen left out."""
        names = {one.name for name in self.space.targets for one in chosen(name)}
        return [one for one in outcome.found if one.target in names]

    def carry_out(self, sweep: Sweep) -> Outcome:
        """Search, and return what came of it; what is near the front of a screen goes on."""
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
            sweep.run(", ".join(self.space.targets), later, outcome)
        return outcome


def search(space: Space, store: Store, how: How, figures: tuple[str, ...] = USUAL) -> Search:
    """Return a search; SpaceError where the space makes no sense, or compares more than one device."""
    points = of_space(space)
    names = (space.screen.target,) if space.screen is not None else space.targets
    try:
        devices = [one for name in names for one in chosen(name)]
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
    found.recorded += _recorded(found, store)
    return found


def _recorded(wanted: Search, store: Store) -> Iterator[tuple[Points, Place]]:
    """Yield the points all of whose runs are recorded, in the order of the names of their cores."""
    for core in sorted({one.core for one in store.load(wanted.target.name)}):
        try:
            config = resolve_any(core)
        except UnknownCoreError:  # it is gone
            continue
        for points in wanted.points:
            place = next(points.places(config), None)
            if place is not None:
                screened, runs, _ = staged(wanted.space, [config])
                compared = screened or runs
                if compared and all(known(store, run) is not None for run in compared):
                    yield points, place
