# SPDX-License-Identifier: Apache-2.0
"""Elements of the papers' tables: printed numbers, and figures from recorded measurements.

Nothing here runs a tool. If a figure has no current measurement, its row names the command that measures it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from perle.papers import Claim, Paper
from perle.report.failures import readable
from perle.results import metrics
from perle.results.names import FMAX, PERIOD
from perle.results.view import Point, View

MODEL = "the model, cycle by cycle"


@dataclass(frozen=True)
class Compared:
    """A row: its label, the printed number if any, the measured one, and a note if they differ."""

    label: str
    printed: float | None
    measured: float | None
    unit: str
    note: str


@dataclass(frozen=True)
class Row(Compared):
    """A row that also names both devices."""

    printed_on: str = ""
    measured_on: str = ""


@dataclass(frozen=True)
class Conclusion:
    """A conclusion from several rows, in the paper and here; `same` is None if a figure is missing.

    `cause` explains a difference. It is set only if a count or another measurement proves the explanation.
    """

    what: str
    printed: str
    measured: str | None
    same: bool | None
    reason: str = ""
    cause: str = ""


@dataclass(frozen=True)
class Page:
    """A table of a paper."""

    name: str
    title: str
    rows: tuple[Compared, ...]
    conclusions: tuple[Conclusion, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Figure:
    """A number and the device that it was measured on, or the reasons why it is missing."""

    value: float | None
    device: str = ""
    missing: tuple[str, ...] = ()


def exact(value: float, device: str = MODEL) -> Figure:
    """Return a figure that needs no measurement."""
    return Figure(value, device)


def missing(why: str) -> Figure:
    """Return a missing figure with the reason."""
    return Figure(None, "", (why,))


def combined(function: Callable[..., float], *parts: Figure) -> Figure:
    """Return function(*parts) as a figure; it is missing if one of the parts is."""
    device = " + ".join(dict.fromkeys(part.device for part in parts if part.device not in {"", MODEL}))
    lacking = tuple(dict.fromkeys(why for part in parts for why in part.missing))
    values = [part.value for part in parts if part.value is not None]
    if lacking or len(values) < len(parts):
        return Figure(None, device, lacking)
    return Figure(function(*values), device or MODEL)


class Measured:
    """Recorded figures, by point and metric."""

    def __init__(self, view: View) -> None:
        self._view = view

    def __call__(self, core: str, target: str, metric: str, part: str = "mul") -> Figure:
        """Return the median of a metric over the seeds."""
        point = Point(core, target, part)
        value = self._view.metric(point, metric)
        device = self._device(point)
        if value is not None:
            return Figure(value, device)
        fault = readable(self._view.fault(point))
        if fault:
            return Figure(None, device, (f"{point.core} on {target} failed: {fault}",))
        if self._view.runs(point):
            return Figure(None, device, (f"{target} does not measure {metric}",))
        return Figure(None, device, (f"not measured: {point.command}",))

    def _device(self, point: Point) -> str:
        """Return the description of the target: if the point has no run, from a run of any other point."""
        others = (one for one in self._view.points() if one.target == point.target)
        said = (self._view.device(one) for one in (point, *others))
        return next((device for device in said if device != point.target), point.target)

    def period(self, core: str, target: str, part: str = "mul") -> Figure:
        """Return the clock period of a point in ns, on an FPGA or in a silicon process."""
        point = Point(core, target, part)
        if self._view.metric(point, PERIOD) is not None:
            return self(core, target, PERIOD, part)
        return combined(metrics.period, self(core, target, FMAX, part))


def row(
    claim: Claim, figure: Figure, *, label: str = "", scale: float = 1, printed_on: str = "", note: str = ""
) -> Row:
    """Return a row with a printed claim, and the figure times `scale`, in the claim's unit."""
    why = "; ".join((*figure.missing, *([note] if note else [])))
    value = None if figure.value is None else figure.value * scale
    return Row(label or claim.what, float(claim.number), value, claim.unit, why, printed_on, figure.device)


def computed(
    label: str, printed: float | None, figure: Figure, unit: str, *, printed_on: str = "", note: str = ""
) -> Row:
    """Return a row whose left number is computed from printed ones (see `note`); None: nothing is printed."""
    why = "; ".join((*figure.missing, *([note] if note else [])))
    return Row(label, printed, figure.value, unit, why, printed_on, figure.device)


TIE = 0.05
"""Relative difference up to which two numbers count as equal."""


TOLERANCE = 0.2
"""Difference up to which a measured number is near a printed one, relative to the printed one."""


def near(printed: float, measured: float) -> bool:
    """Whether a measured number differs from the printed one by at most TOLERANCE of the printed one."""
    return abs(measured / printed - 1) <= TOLERANCE


def order(values: Mapping[str, float]) -> str:
    """Return the names in ascending order, separated by `<`, or by `≈` between numbers that are equal."""
    names = sorted(values, key=lambda name: values[name])
    text = names[0]
    for before, name in pairwise(names):
        text += f" {'≈' if values[name] <= values[before] * (1 + TIE) else '<'} {name}"
    return text


def _side(ratio: float) -> int:
    """Return 0 if two numbers of this ratio are equal, 1 if the first is larger, -1 if it is smaller."""
    return 0 if 1 / (1 + TIE) <= ratio <= 1 + TIE else 1 if ratio > 1 else -1


def _turned(printed: Mapping[str, float], ours: Mapping[str, float]) -> list[tuple[str, str]]:
    """Return the pairs with another order than printed: reversed, or equal on only one of the two sides."""
    names = list(printed)
    pairs = [(one, two) for index, one in enumerate(names) for two in names[index + 1 :]]
    return [(a, b) for a, b in pairs if _side(printed[a] / printed[b]) != _side(ours[a] / ours[b])]


Factors = Mapping[str, tuple[Mapping[str, float], Mapping[str, Figure]]]
"""Factors of a compared quantity: name → printed and measured values of each system."""


Cause = tuple[str, Mapping[str, Figure]]
"""Explanation of a difference: its text, and a quantity that orders the systems as printed."""


def ordering(
    what: str,
    printed: Mapping[str, float],
    ours: Mapping[str, Figure],
    factors: Factors | None = None,
    cause: Cause | None = None,
) -> Conclusion:
    """Compare the printed and the measured order. If they differ, the reason has the ratios of those pairs.

    The conclusion still holds if each such pair is equal on one of the two sides, and its ratio, that of the
    larger printed number to the smaller one, is near the printed one; it does not hold if an order is
    reversed. For the other pairs, a cause is accepted if its quantity orders all of them as printed. If a
    figure is missing there is no conclusion, only the order of the others.
    """
    lacking = [name for name in printed if ours[name].value is None]
    values = {name: figure.value for name, figure in ours.items() if figure.value is not None}
    if lacking:
        rest = order(values) if len(values) > 1 else None
        return Conclusion(what, order(printed), rest, None, _lacking(lacking))
    turned = _turned(printed, values)
    reasons = [_ratios(pair, printed, values, factors or {}) for pair in turned]
    text = f"ours orders {order(values)}, the paper {order(printed)}: " + "; ".join(reasons) if turned else ""
    far = [pair for pair in turned if not _holds(*_downward(pair, printed, values))]
    if turned and not far:
        text += f": {WITHIN}"
    known = _causes(cause, printed, far) if far and cause else ""
    return Conclusion(what, order(printed), order(values), not far, text, known)


def _causes(cause: Cause, printed: Mapping[str, float], pairs: list[tuple[str, str]]) -> str:
    """Return the text of a cause if its quantity orders every pair as printed, otherwise an empty string."""
    words, figures = cause
    values = {name: figure.value for name, figure in figures.items() if figure.value is not None}
    if any(name not in values for pair in pairs for name in pair):
        return ""
    turned = _turned(printed, values)
    return "" if any(pair in turned for pair in pairs) else f"{words}: {order(values)}"


WITHIN = f"within {TOLERANCE:.0%} of what is printed"


def _downward(
    pair: tuple[str, str], printed: Mapping[str, float], ours: Mapping[str, float]
) -> tuple[float, float]:
    """Return the printed and the measured ratio of a pair, the one with the larger printed number first."""
    small, large = sorted(pair, key=lambda name: (printed[name], ours[name]))
    return printed[large] / printed[small], ours[large] / ours[small]


def _holds(printed: float, ours: float) -> bool:
    """Whether a measured ratio is near the printed one, and does not order the two systems otherwise."""
    return near(printed, ours) and _side(printed) * _side(ours) >= 0


def excess(claim: Claim, figure: Figure) -> Conclusion:
    """Compare by how many percent a system exceeds another, which the paper prints, by their ratio."""
    said = f"{float(claim.number):+g} %"
    if figure.value is None:
        return Conclusion(claim.what, said, None, None, "no figure: the rows tell why")
    printed, ours = (1 + percent / 100 for percent in (float(claim.number), figure.value))
    same = _holds(printed, ours)
    text = f"the ratio is {ours:.2f} here, {printed:.2f} printed" + (f": {WITHIN}" if same else "")
    return Conclusion(claim.what, said, f"{figure.value:+.1f} %", same, text)


def contradicted(pages: Iterable[Page]) -> list[str]:
    """Return the conclusions that do not hold here, or cannot be drawn, and have no proved cause."""
    return [
        f"{page.name}, {one.what}: {one.reason}"
        for page in pages
        for one in page.conclusions
        if not one.same and not one.cause
    ]


def counts(what: str, printed: Mapping[str, float], ours: Mapping[str, float]) -> Conclusion:
    """Compare counts that depend on no device, such as cycles: they hold if all equal the printed ones."""
    off = [name for name in printed if ours[name] != printed[name]]
    said, found = (", ".join(f"{side[name]:,.0f}" for name in printed) for side in (printed, ours))
    reason = f"other than printed for: {', '.join(off)}" if off else ""
    return Conclusion(what, said, found, not off, reason)


def _lacking(names: list[str]) -> str:
    return f"no figure of {', '.join(names)}: the rows tell why"


def _ratios(
    pair: tuple[str, str], printed: Mapping[str, float], ours: Mapping[str, float], factors: Factors
) -> str:
    one, two = pair
    text = f"{one}/{two} is {ours[one] / ours[two]:.2f} here, {printed[one] / printed[two]:.2f} printed"
    moved: dict[str, tuple[float, float]] = {}
    for name, (theirs, mine) in factors.items():
        above, below = mine[one].value, mine[two].value
        if above is not None and below is not None:
            moved[name] = (above / below, theirs[one] / theirs[two])
    if not moved:
        return text
    most = max(moved, key=lambda name: max(moved[name][0] / moved[name][1], moved[name][1] / moved[name][0]))
    return f"{text}, mostly by {most} ({moved[most][0]:.2f} here, {moved[most][1]:.2f} printed)"


def alike(what: str, one: Mapping[str, Figure], two: Mapping[str, Figure]) -> Conclusion:
    """Compare the orders by two quantities, which are the same according to the paper."""
    said = "the same order"
    lacking = [name for name in one if one[name].value is None or two[name].value is None]
    if lacking:
        return Conclusion(what, said, None, None, _lacking(lacking))
    first, second = ({name: side[name].value or 0.0 for name in one} for side in (one, two))
    turned = _turned(first, second)
    pairs = "; ".join(
        f"{a}/{b} is {first[a] / first[b]:.2f} and {second[a] / second[b]:.2f}" for a, b in turned
    )
    reason = f"{order(first)} and {order(second)}: {pairs}" if turned else ""
    return Conclusion(what, said, "another order" if turned else said, not turned, reason)


def claims(paper: Paper, pattern: str, names: Iterable[str]) -> dict[str, float]:
    """Return the printed numbers of several claims; `{}` in `pattern` is replaced by each name."""
    return {name: float(paper[pattern.format(name)].number) for name in names}
