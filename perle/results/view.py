# SPDX-License-Identifier: Apache-2.0
"""A view of a store for reports: metrics of a part of a core on a target, from current measurements only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from msgspec.structs import replace

from perle.cores.registry import UnknownCoreError, resolve_any
from perle.results import Measurement, Spread, Store, names, spread
from perle.results.identity import current


@dataclass(frozen=True)
class Point:
    """A point: a part of a core (FAMILY:CONFIG) on a target."""

    core: str
    target: str
    part: str = "mul"

    @property
    def command(self) -> str:
        """The command that measures it, even if the core no longer exists."""
        try:
            first = "board" if resolve_any(self.core).family.kind == "active_memory" else "mul"
        except UnknownCoreError:
            first = ""
        part = "" if self.part == first else f" --part {self.part}"
        return f"perle measure {self.core} --target {self.target}{part}"

    def repeat(self, seeds: Iterable[int]) -> str:
        """Return the command that measures it with these seeds, and with those in between."""
        found = sorted(seeds)
        first = f" --first-seed {found[0]}" if found[0] > 1 else ""
        count = found[-1] - found[0] + 1
        return self.command + first + (f" --seeds {count}" if count > 1 else "")


def counted(one: Measurement) -> Measurement:
    """Add the total of LUTs and cells that occupy LUTs, if the target counts LUTs."""
    if names.LUT not in one.metrics:
        return one
    return replace(one, metrics={**one.metrics, names.LUTS: names.luts(one.target, one.metrics)})


class View:
    """The current measurements, read once."""

    def __init__(self, store: Store | None = None) -> None:
        self._runs: dict[Point, list[Measurement]] = defaultdict(list)
        for one in current((store or Store()).load()):
            self._runs[Point(one.core, one.target, one.part)].append(counted(one))

    def only(self, part: str) -> View:
        """Return the view of one part: as if no other part of any core had been measured."""
        return _Part(self, part)

    def runs(self, point: Point) -> list[Measurement]:
        """Return the runs of a point, one per seed, failed ones included."""
        return list(self._runs.get(point, ()))

    def points(self) -> Iterable[Point]:
        """Return every point that has runs."""
        return list(self._runs)

    def spread(self, point: Point, metric: str) -> Spread | None:
        """Return the spread of a metric over the seeds; None if it was not measured."""
        return spread(self.runs(point), metric)

    def metric(self, point: Point, metric: str) -> float | None:
        """Return a metric's median over the seeds; None if it was not measured."""
        found = self.spread(point, metric)
        return None if found is None else found.median

    def device(self, point: Point) -> str:
        """Return the description of the target, from one of its runs; its name if there is none."""
        said = [one.device for one in self.runs(point) if one.device]
        return said[0] if said else point.target

    def fault(self, point: Point) -> str:
        """Return why all runs of a point failed; empty if one succeeded or there is none."""
        runs = self.runs(point)
        return runs[0].error if runs and all(one.error for one in runs) else ""


class _Part(View):
    """A view of one part."""

    def __init__(self, whole: View, part: str) -> None:
        there = {one: whole.runs(one) for one in whole.points() if one.part == part}
        self._runs = defaultdict(list, there)
