# SPDX-License-Identifier: Apache-2.0
"""The stages of a sweep: with a screen, first synthesis of everything, then the runs near its front."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from perle.cores.registry import Config
from perle.explore import front
from perle.explore.objectives import USUAL, check, costs
from perle.explore.space import Infeasible, Space, all_configs, runs_on
from perle.measure.runner import Wanted, known
from perle.results import Measurement, Store

if TYPE_CHECKING:
    from perle.explore.sweep import Outcome, Sweep


@dataclass(frozen=True)
class Plan:
    """The runs of a space: first `screened`, if it has a screen, then those of `runs` near the front.

    `recorded`: the texts of runs that are; `figures`: those that define the front.
    """

    space: Space
    screened: tuple[Wanted, ...]
    runs: tuple[Wanted, ...]
    infeasible: tuple[Infeasible, ...]
    recorded: frozenset[str]
    figures: tuple[str, ...] = USUAL

    @property
    def most(self) -> int:
        """The largest number of runs in a stage."""
        return max(len(self.screened), len(self.runs))

    def last(self, outcome: Outcome) -> list[Measurement]:
        """Return the measurements on the targets of the space, without the screen."""
        names = {one.target.name for one in self.runs}
        return [one for one in outcome.found if one.target in names]

    def carry_out(self, sweep: Sweep) -> Outcome:
        """Measure all stages, and return the outcome."""
        from perle.explore.sweep import Outcome  # noqa: PLC0415 - it needs packages of the extra `explore`

        outcome = Outcome()
        sweep.infeasible(self.infeasible, outcome)
        runs: Sequence[Wanted] = self.runs
        if self.space.screen is not None and self.screened:
            title = f"screen on {self.space.screen.target}"
            found = sweep.run(title, self.screened, outcome, heard=telling(self.figures))
            kept = near_screen(self.space, found, self.figures)
            runs = [one for one in runs if one.config.spec in kept]
        sweep.run(", ".join(self.space.targets), runs, outcome, heard=telling(self.figures))
        return outcome


def telling(figures: Sequence[str]) -> Callable[[Wanted, Measurement | None], None]:
    """Return what a stage calls with each result: it raises SpaceError if a successful run lacks a figure."""

    def heard(_run: Wanted, found: Measurement | None) -> None:
        if found is not None and not found.error:
            costs(found, figures)

    return heard


def plan(space: Space, store: Store, figures: tuple[str, ...] = USUAL, timeout: float = 0) -> Plan:
    """Return the plan of a space, with the timeout of a run in seconds; SpaceError for an invalid space."""
    check(figures, space.part)
    screened, runs, left = staged(space, *all_configs(space))
    recorded = {one.text for one in (*screened, *runs) if known(store, one, timeout) is not None}
    return Plan(space, tuple(screened), tuple(runs), tuple(left), frozenset(recorded), figures)


def staged(
    space: Space, configs: Sequence[Config], left: Sequence[Infeasible] = ()
) -> tuple[list[Wanted], list[Wanted], list[Infeasible]]:
    """Return the runs of the screen, those after it, and `left` with points that cannot be built added."""
    runs, out = runs_on(space, configs, left, space.targets, space.seeds)
    screened: list[Wanted] = []
    if space.screen is not None:
        feasible = list({one.config.spec: one.config for one in runs}.values())
        screened, out = runs_on(space, feasible, out, (space.screen.target,), 1)
    return screened, runs, out


def compared(space: Space, screened: list[Wanted], runs: list[Wanted]) -> list[Wanted]:
    """Return the runs that points are compared by: those of the screen if there is one."""
    return runs if space.screen is None else screened


def near_screen(space: Space, found: Sequence[Measurement], figures: Sequence[str]) -> set[str]:
    """Return the cores near the front of a space's screen, which continue."""
    if space.screen is None:
        return set()
    return {core for core, _ in front.worth(found, space.screen.near, figures)}
