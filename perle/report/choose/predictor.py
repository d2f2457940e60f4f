# SPDX-License-Identifier: Apache-2.0
"""Predictions of area, clock and energy of unmeasured parts, by a cost model fitted to measured ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from perle.cores.registry import Config, UnknownCoreError, families, resolve_any
from perle.report.choose.cost_model import Estimate, Sized, added, power_law, scaled
from perle.report.choose.question import AREAS
from perle.results import metrics, names
from perle.results.view import Point, View

CLOCK = "clock_mhz"
"""Clock frequency in MHz from place and route, or if there is none, from static timing analysis."""

Costs = dict[str, Estimate]
Guess = tuple[Costs, str]
"""Predicted costs, and a description of the measurements that they come from."""

EXPONENTS = {**dict.fromkeys(AREAS, 1.0), CLOCK: 0.0, names.PRODUCT_ENERGY: 2.0}
"""Assumed exponents of the power laws of costs over the size of a core, used where there are only two points.
Energy per product grows as elements times iterations."""
REACH = 2
"""Costs are predicted for widths from 1/REACH of the narrowest measured core to REACH times the widest."""
CO_PLACED = "engines"


def measured_costs(point: Point, view: View) -> Costs:
    """Return the measured costs of a point as medians over its seeds."""
    found = {name: view.metric(point, name) for name in (*AREAS, names.PRODUCT_ENERGY)}
    fmax, period = view.metric(point, names.FMAX), view.metric(point, names.PERIOD)
    found[CLOCK] = metrics.fmax(period) if fmax is None and period else fmax
    return {name: Estimate(value) for name, value in found.items() if value is not None}


def size(config: Config) -> int:
    """Return the size of a core: its number of multipliers, or its bits if it has none."""
    return config.model.multipliers(config.params) or config.width


class Predictor:
    """Predictions for a target from the measurements on it; for exponentiators, on its device family."""

    def __init__(self, view: View, target: str) -> None:
        self.view, self.target = view, target
        self._points = [one for one in view.points() if one.core.partition(":")[0] in families()]

    def at_width(self, width: int) -> list[Config]:
        """Return the named configurations of that width that differ from a measured one in width only."""
        found = {}
        for point in self._points:
            if point.target == self.target and point.part != CO_PLACED:
                config = _widened(resolve_any(point.core), width)
                if config is not None:
                    found[config.spec] = config
        return list(found.values())

    def elsewhere(self, width: int) -> list[Config]:
        """Return the configurations of at least that width measured on other devices of the family."""
        among = names.siblings(self.target)
        specs = dict.fromkeys(one.core for one in self._points if one.target in among)
        return [config for config in map(resolve_any, specs) if config.width >= width]

    def known(self, config: Config, part: str) -> Guess | None:
        """Return the measured costs, or a prediction from another device or from other widths."""
        costs = measured_costs(Point(config.spec, self.target, part), self.view)
        if costs:
            return costs, config.name
        return self._of_siblings(config, part) or self._of_widths(config, part)

    def predict(self, config: Config, part: str) -> Guess | None:
        """Return predicted costs of a part; None if there is no basis for it, or if its multiplier failed."""
        if part == CO_PLACED or self.view.fault(Point(config.spec, self.target)):
            return None
        found = self._of_siblings(config, part) or self._of_widths(config, part)
        return found if found is not None or part != "exp" else self._with_exponentiator(config)

    def _of_siblings(self, config: Config, part: str) -> Guess | None:
        """Return the costs measured on another device of the family: areas are equal, clocks differ."""
        off = self._clocks_differ
        if off is None:
            return None
        for target in names.siblings(self.target):
            costs = measured_costs(Point(config.spec, target, part), self.view)
            if CLOCK in costs:
                clock = Estimate(costs[CLOCK].value, off)
                return {**costs, CLOCK: clock}, f"{config.name} on {target}"
        return None

    @cached_property
    def _clocks_differ(self) -> float | None:
        """Largest relative difference of clocks between devices of the family; None if too few are known."""
        clocks: dict[tuple[str, str], list[float]] = {}
        for point in self._points:
            if point.target in (self.target, *names.siblings(self.target)) and point.part != CO_PLACED:
                clock = measured_costs(point, self.view).get(CLOCK)
                if clock is not None:
                    clocks.setdefault((point.core, point.part), []).append(clock.value)
        found = [max(one) / min(one) - 1 for one in clocks.values() if len(one) > 1]
        return max(found) if len(found) > 1 else None

    def _series(self, config: Config, part: str) -> list[tuple[Config, Costs]]:
        """Return the measured configurations that differ from this one in width only, narrowest first."""
        found = []
        for point in self._points:
            other = resolve_any(point.core)
            if (point.target, point.part) == (self.target, part) and _like(config, other):
                costs = measured_costs(point, self.view)
                if costs and other.width != config.width:
                    found.append((other, costs))
        return sorted(found, key=lambda one: one[0].width)

    def _of_widths(self, config: Config, part: str) -> Guess | None:
        series = self._series(config, part)
        widths = [one.width for one, _ in series]
        if len(widths) < 2 or not widths[0] <= REACH * config.width <= REACH**2 * widths[-1]:
            return None
        costs = {}
        for name, exponent in EXPONENTS.items():
            points = [(float(size(one)), each[name].value) for one, each in series if name in each]
            guess = _exact(config, part, series) if name == names.DSP else None
            guess = guess or power_law(points, size(config), exponent)
            if guess is not None:
                costs[name] = guess
        return (costs, ", ".join(one.name for one, _ in series)) if costs else None

    def _with_exponentiator(self, config: Config) -> Guess | None:
        """Return a multiplier's costs plus an exponentiator's, from cores measured with and without one."""
        multiplier, pairs = self.known(config, "mul"), list(self._pairs())
        own = [one for one in pairs if one[0].family.name == config.family.name]
        used = own if len(own) > 1 else pairs
        if multiplier is None or len(used) < 2:
            return None
        costs = {}
        for name, alone in multiplier[0].items():
            points: list[Sized] = []
            for one, mul, exp in used:
                if name in mul and name in exp:
                    more = exp[name].value - mul[name].value
                    ratio = exp[name].value / mul[name].value if name == CLOCK else 0.0
                    points.append((1.0, ratio) if name == CLOCK else (float(one.operand_bits), more))
            at = 1.0 if name == CLOCK else config.operand_bits
            rest = power_law(points, at, 0.0 if name == CLOCK else 1.0, fixed=True)
            if rest is not None:
                costs[name] = scaled(alone, rest) if name == CLOCK else added(alone, rest)
        around = ", ".join(one.spec for one, _, _ in used)
        return (costs, f"{multiplier[1]}; exponentiators of {around}") if costs else None

    def _pairs(self) -> Iterator[tuple[Config, Costs, Costs]]:
        """Yield the cores that were measured on the device both alone and with their exponentiator."""
        kind = self.target.partition("_")[0]
        for point in self._points:
            if point.part == "exp" and point.target.partition("_")[0] == kind:
                alone = measured_costs(Point(point.core, point.target), self.view)
                if alone:
                    yield resolve_any(point.core), alone, measured_costs(point, self.view)


def _exact(config: Config, part: str, series: list[tuple[Config, Costs]]) -> Estimate | None:
    """Return the model's number of multipliers if it equals the tools' count for all measured widths."""
    each = 2 if part.endswith("_pair") else 1
    known = [(one, costs[names.DSP].value) for one, costs in series if names.DSP in costs]
    counted = all(value == each * one.model.multipliers(one.params) for one, value in known)
    return Estimate(each * config.model.multipliers(config.params)) if known and counted else None


def _others(config: Config) -> dict[str, int]:
    return {name: value for name, value in config.params.items() if name != "Width"}


def _like(config: Config, other: Config) -> bool:
    return config.family.name == other.family.name and _others(config) == _others(other)


def _widened(config: Config, width: int) -> Config | None:
    """Return the named configuration that differs from this one in width only, if there is one."""
    wanted = {**config.params, "Width": width}
    try:
        named = [config.family.config(name) for name in (*config.family.configs, f"w{width}")]
    except UnknownCoreError:
        named = [config.family.config(name) for name in config.family.configs]
    return next((one for one in named if one.params == wanted), None)
