# SPDX-License-Identifier: Apache-2.0
"""Charts of a family's costs over the width: measured points, and the fitted power law."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from perle.cores.registry import Config, Family
from perle.report.choose.cost_model import FREE, Law, fitted, power_law
from perle.report.choose.predictor import CLOCK, measured_costs
from perle.report.site.figures import Chart, axis, look
from perle.results import metrics, names
from perle.results.view import Point, View

LOOSE = 0.5
"""Largest error by cross-validation of a law that is drawn: beyond it, costs follow no power of the width."""
COSTS = {names.LUTS: "LUTs", names.AREA: "area, µm²", "product_us": "latency of a product, µs"}
"""Costs that are drawn over the width."""


@dataclass(frozen=True)
class Series:
    """Configurations that differ in width only, on one target; `points`: width and value, by cost."""

    target: str
    others: str
    configs: tuple[Config, ...]
    points: dict[str, list[tuple[float, float]]]

    @property
    def name(self) -> str:
        """The name in the legend."""
        return f"{self.target}{self.others and f', {self.others}'}"


def series(family: Family, view: View) -> list[Series]:
    """Return all series of a family's multipliers with at least two widths."""
    groups: dict[tuple[str, str], list[tuple[Config, Point]]] = defaultdict(list)
    for config in map(family.config, family.configs):
        others = ", ".join(
            f"{name} = {value}"
            for name, value in config.params.items()
            if name != "Width" and value != family.params[name].default
        )
        for target in {point.target for point in view.points() if point.core == config.spec}:
            groups[target, others].append((config, Point(config.spec, target)))
    found = (_series(key, members, view) for key, members in sorted(groups.items()))
    return [one for one in found if any(len(points) > 1 for points in one.points.values())]


def _series(key: tuple[str, str], members: list[tuple[Config, Point]], view: View) -> Series:
    points: dict[str, list[tuple[float, float]]] = {name: [] for name in COSTS}
    for config, point in members:
        costs = {name: one.value for name, one in measured_costs(point, view).items()}
        if CLOCK in costs:
            clock = metrics.rated(config, costs[CLOCK], point.target)
            costs["product_us"] = metrics.product_cycles(config) / clock
        for name in COSTS:
            if name in costs:
                points[name].append((float(config.width), costs[name]))
    return Series(*key, tuple(config for config, _ in members), {k: sorted(v) for k, v in points.items()})


def law(points: list[tuple[float, float]]) -> Law | None:
    """Return the power law fitted to the points; None if they have fewer than three widths."""
    if len({width for width, _ in points}) < FREE:
        return None
    return fitted(points, 1.0, free=True)


def charts(family: Family, view: View) -> Iterator[Chart]:
    """Yield a chart for every cost that was measured at several widths."""
    all_of_them = series(family, view)
    for name, title in COSTS.items():
        members = [(index, one) for index, one in enumerate(all_of_them) if len(one.points[name]) > 1]
        data = [trace for index, one in members for trace in _traces(one, name, index)]
        if data:
            axes = {"xaxis": axis("widest modulus, bits", log=True), "yaxis": axis(title, log=True)}
            layout = {**axes, "showlegend": True}
            what = f"{title} of {family.name} over the width, measured, with the power law through it."
            heading = f"{title[0].upper()}{title[1:]} over the width"
            remarks = [said for _, one in members if (said := unfit(one, name))]
            yield Chart(f"law-{name}", heading, what, data, layout, remarks=remarks)


def unfit(one: Series, name: str) -> str:
    """Return what is said of a cost that no power law fits; empty if one does, or if none was fitted."""
    points = one.points[name]
    off = error(points)
    if law(points) is None or off is None or off <= LOOSE:
        return ""
    return (
        f"{one.name}: no line, because no power law fits; one through the other widths is wrong by a factor "
        f"of up to {1 + off:.2f} at the width that is left out."
    )


def error(points: list[tuple[float, float]]) -> float | None:
    """Return the largest relative error of a law at a width that it was not fitted to."""
    guess = power_law(points, points[-1][0], 1.0)
    return None if guess is None else guess.error


def _traces(one: Series, name: str, index: int) -> Iterator[dict[str, Any]]:
    points, marker = one.points[name], look(index)
    yield {
        "type": "scatter",
        "mode": "markers",
        "name": one.name,
        "legendgroup": one.name,
        "x": [width for width, _ in points],
        "y": [value for _, value in points],
        "hovertemplate": "%{x} bits: %{y:,.4~g}<extra>" + one.name + "</extra>",
        "marker": marker,
    }
    found = law(points)
    if found is not None and not unfit(one, name):
        ends = [points[0][0], points[-1][0]]
        yield {
            "type": "scatter",
            "mode": "lines",
            "name": text(found, points),
            "legendgroup": one.name,
            "x": ends,
            "y": [found.at(width) for width in ends],
            "hoverinfo": "skip",
            "line": {"color": marker["color"], "dash": "dot"},
        }


def text(found: Law, points: list[tuple[float, float]]) -> str:
    """Return a law as a formula of the width n in bits, with its error by cross-validation."""
    known = error(points)
    off = "" if known is None else f", ×÷ {1 + known:.2f}"
    return f"{found.factor:.3g} · n^{found.exponent:.2f}{off}"
