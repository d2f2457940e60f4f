# SPDX-License-Identifier: Apache-2.0
"""Budgets: limits for metrics, in `perle/cores/<family>/budget.toml`, by configuration, part and target.

    tolerance = 0.05

    [w256.mul.ecp5_8]
    lut = 3120            # within the tolerance, in both directions: a core that shrank gets a new budget
    dsp = 17              # exactly
    fmax_mhz = 118.2      # at least

The files are written by `python -m perle.measure.budget --write` from the recorded measurements only.
`python -m perle.measure.check` runs tools again and compares.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from perle.cores.registry import FOLDERS
from perle.results import names
from perle.results.view import Point, View

FILE = "budget.toml"
TOLERANCE = 0.05

EXACT = {"dsp", "bram"}
NEAR = {"lut", "ff", "carry", "lutram", "srl", names.AREA}
AT_LEAST = {names.FMAX}
AT_MOST = {"period_ns_typ", "period_ns_slow", "period_ns_fast"}
BUDGETED = (*sorted(NEAR), *sorted(EXACT), *sorted(AT_LEAST), *sorted(AT_MOST))
"""Metrics that may have a budget, in the order in which budget files list them."""


class BudgetError(ValueError):
    """A budget file is malformed; the message names file and entry."""


@dataclass(frozen=True)
class Budget:
    """The limits for a part of a configuration on a target."""

    point: Point
    limits: Mapping[str, float]
    tolerance: float

    def faults(self, metrics: Mapping[str, float]) -> list[str]:
        """Return a line for every metric that exceeds its limit or is missing."""
        found = []
        for name, limit in self.limits.items():
            if name not in metrics:
                found.append(f"{name} was not measured")
            elif why := self._fault(name, metrics[name], limit):
                found.append(f"{name} is {metrics[name]:,g}, {why}")
        return found

    def _fault(self, name: str, value: float, limit: float) -> str:
        if name in EXACT:
            return "" if value == limit else f"the budget is exactly {limit:,g}"
        if name in AT_LEAST:
            return "" if value >= limit else f"the budget is {limit:,g} at least"
        if name in AT_MOST:
            return "" if value <= limit else f"the budget is {limit:,g} at most"
        off = abs(value - limit)
        return "" if off <= self.tolerance * limit else f"the budget is {limit:,g} ± {self.tolerance:.0%}"


def files(folders: Iterable[Path] = FOLDERS) -> dict[str, Path]:
    """Return the existing budget files, by family."""
    return {path.parent.name: path for folder in folders for path in sorted(folder.glob(f"*/{FILE}"))}


def load(family: str, path: Path) -> list[Budget]:
    """Return the budgets of a file; BudgetError for an unknown metric or a value that is not a number."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    try:
        tolerance = float(data.pop("tolerance"))
        return [
            Budget(Point(f"{family}:{config}", target, part), _limits(limits), tolerance)
            for config, parts in data.items()
            for part, targets in parts.items()
            for target, limits in targets.items()
        ]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BudgetError(f"{path}: {error}") from None


def _limits(limits: Mapping[str, object]) -> dict[str, float]:
    found = {}
    for name, value in limits.items():
        if name not in BUDGETED:
            raise ValueError(f"no budgets are kept for {name!r}")
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise TypeError(f"{name} = {value!r} is no number")
        found[name] = float(value)
    return found


def every(folders: Iterable[Path] = FOLDERS) -> list[Budget]:
    """Return all budgets of all families."""
    return [budget for family, path in files(folders).items() for budget in load(family, path)]


@dataclass(frozen=True)
class Verdict:
    """A budget compared with the current recorded measurements."""

    budget: Budget
    measured: bool
    faults: tuple[str, ...]


def stored(budgets: Iterable[Budget], view: View) -> list[Verdict]:
    """Compare budgets with the medians of recorded measurements; stale ones count as not measured."""
    verdicts = []
    for budget in budgets:
        medians = {name: view.metric(budget.point, name) for name in budget.limits}
        known = {name: value for name, value in medians.items() if value is not None}
        failed = view.fault(budget.point)
        if not known:
            verdicts.append(Verdict(budget, False, (failed,) if failed else ()))
        else:
            verdicts.append(Verdict(budget, True, tuple(budget.faults(known))))
    return verdicts


def proposed(point: Point, view: View, tolerance: float = TOLERANCE) -> Budget | None:
    """Return a budget from recorded runs: medians of areas, and the worst seed's clock less the tolerance."""
    limits = {}
    for name in BUDGETED:
        found = view.spread(point, name)
        if found is None:
            continue
        if name in AT_LEAST:
            limits[name] = _rounded(found.least * (1 - tolerance))
        elif name in AT_MOST:
            limits[name] = _rounded(found.most * (1 + tolerance))
        else:
            limits[name] = _rounded(found.median)
    return Budget(point, limits, tolerance) if limits else None


def _rounded(value: float) -> float:
    return round(value, 3)


HEAD = """\
# SPDX-License-Identifier: Apache-2.0
#
# What this family may cost, made of recorded measurements by `python -m perle.measure.budget --write`. Areas
# hold within the tolerance, counts of multipliers and memories exactly, clocks are limits.

"""


def text(budgets: Iterable[Budget], tolerance: float = TOLERANCE) -> str:
    """Return a family's file."""
    parts = [f"{HEAD}tolerance = {tolerance}\n"]
    for budget in sorted(budgets, key=lambda one: (one.point.core, one.point.part, one.point.target)):
        config = budget.point.core.partition(":")[2]
        lines = [f"[{config}.{budget.point.part}.{budget.point.target}]"]
        lines += [f"{name} = {value:g}" if value == int(value) else f"{name} = {value}" for name, value in
                  budget.limits.items()]  # fmt: skip
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)
