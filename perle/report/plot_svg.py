# SPDX-License-Identifier: Apache-2.0
"""Plots as SVG text: named series of points, with linear or logarithmic axes and a dark colour scheme.

The output is deterministic, so that a test can check that a committed picture is up to date.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from perle.report.svg import document

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 960, 420, 80, 30, 60, 56
LINE, LETTER = 12, 8
"""Height of a label's line and width of its letters, in pixels."""
COLOURS = ("#3b7dd8", "#2d9d5c", "#c9750c", "#8250df", "#cf222e", "#59636e")
STYLE = """
    .card { fill: #ffffff; stroke: #d1d9e0; }
    .grid { stroke: #d1d9e0; stroke-width: 0.5; }
    .curve { fill: none; stroke-width: 1.5; }
    text { fill: #1f2328; font: 12px sans-serif; }
    .name { font-weight: 600; font-size: 15px; }
    @media (prefers-color-scheme: dark) {
      .card { fill: #0d1117; stroke: #3d444d; }
      .grid { stroke: #3d444d; }
      text { fill: #e6edf3; }
    }
"""


@dataclass(frozen=True)
class Dot:
    """A point of a series, with an optional label."""

    x: float
    y: float
    label: str = ""


@dataclass(frozen=True)
class Series:
    """Points with one name and colour, connected by lines if `joined`."""

    name: str
    dots: Sequence[Dot]
    joined: bool = True


@dataclass(frozen=True)
class Axis:
    """An axis: its quantity and unit, whether it is logarithmic, and its ticks (default: from the data)."""

    name: str
    log: bool = False
    ticks: Sequence[float] = ()


def _ticks(axis: Axis, values: Sequence[float]) -> list[float]:
    low, high = min(values), max(values)
    if axis.ticks:
        return list(axis.ticks)
    if axis.log:
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        return [10.0**power for power in range(first, max(last, first + 1) + 1)]
    step = 10.0 ** math.floor(math.log10((high - low) or 1))
    return [step * n for n in range(math.floor(low / step), math.ceil(high / step) + 1)]


def _scale(axis: Axis, ticks: Sequence[float], begin: float, end: float) -> Callable[[float], float]:
    low, high = ticks[0], ticks[-1]
    if axis.log:
        low, high = math.log10(low), math.log10(high)
    return lambda value: (
        begin + (end - begin) * ((math.log10(value) if axis.log else value) - low) / (high - low)
    )


def _drawn(
    one: Series,
    colour: str,
    legend: float | None,
    to: tuple[Callable[[float], float], Callable[[float], float]],
    taken: list[tuple[float, float]],
) -> list[str]:
    """Return the elements of a series; `taken`: places of labels, to which its own are added.

    `legend` is the place of its name below the plot; None if the axis has its name.
    """
    to_x, to_y = to
    places = [(to_x(dot.x), to_y(dot.y), escape(dot.label)) for dot in one.dots]
    found = []
    if one.joined:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in places)
        found.append(f'<polyline class="curve" stroke="{colour}" points="{points}"/>')
    for x, y, label in places:
        found.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>')
        if label:
            near_end = x > WIDTH - RIGHT - LETTER * len(label)
            anchor, at = ("end", x - 8) if near_end else ("start", x + 8)
            above = y - 7
            crowded = any(
                abs(above - other) < LINE and abs(at - left) < LETTER * len(label) for left, other in taken
            )
            place = y + 17 if crowded else above  # below the dot
            taken.append((at, place))
            found.append(f'<text x="{at:.1f}" y="{place:.1f}" text-anchor="{anchor}">{label}</text>')
    if legend is not None:
        found.append(f'<circle cx="{legend + 4:g}" cy="{HEIGHT - 18}" r="4" fill="{colour}"/>')
        found.append(f'<text x="{legend + 14:g}" y="{HEIGHT - 14}">{escape(one.name)}</text>')
    return found


def render(made: str, title: str, what: str, x: Axis, y: Axis, series: Sequence[Series]) -> str:
    """Return the SVG text; `made` names its generator, `what` is its description for screen readers."""
    parts, to = _frame(x, y, series, (TOP, HEIGHT - BOTTOM))
    parts.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 14}" text-anchor="end">{escape(x.name)}</text>')
    taken: list[tuple[float, float]] = []
    for index, one in enumerate(series):
        parts += _drawn(one, COLOURS[index % len(COLOURS)], LEFT + 190 * index, to, taken)
    return document(made, title, what, STYLE, (WIDTH, HEIGHT), [_title(title), *parts])


PANEL, BETWEEN = 240, 60
"""Height of a panel of `stacked`, and the room between two, in pixels."""


def stacked(made: str, title: str, what: str, x: Axis, panels: Sequence[tuple[Axis, Sequence[Dot]]]) -> str:
    """Return the SVG text of plots one above the other, each with an axis of its own for its one quantity."""
    parts = [_title(title)]
    for index, (y, dots) in enumerate(panels):
        top = TOP + index * (PANEL + BETWEEN)
        one = Series(y.name, dots, joined=False)
        frame, to = _frame(x, y, [one], (top, top + PANEL))
        parts += [*frame, *_drawn(one, COLOURS[index % len(COLOURS)], None, to, [])]
    height = TOP + len(panels) * (PANEL + BETWEEN) - BETWEEN + BOTTOM
    parts.append(f'<text x="{WIDTH - RIGHT}" y="{height - 14}" text-anchor="end">{escape(x.name)}</text>')
    return document(made, title, what, STYLE, (WIDTH, height), parts)


def _title(title: str) -> str:
    return f'<text class="name" x="{LEFT}" y="28">{escape(title)}</text>'


def _frame(
    x: Axis, y: Axis, series: Sequence[Series], rows: tuple[float, float]
) -> tuple[list[str], tuple[Callable[[float], float], Callable[[float], float]]]:
    """Return grid, ticks and name of the vertical axis between two rows of the picture, and the scales."""
    top, bottom = rows
    dots = [dot for one in series for dot in one.dots]
    across, up = _ticks(x, [dot.x for dot in dots]), _ticks(y, [dot.y for dot in dots])
    to_x, to_y = _scale(x, across, LEFT, WIDTH - RIGHT), _scale(y, up, bottom, top)
    parts = []
    for tick in across:
        at = to_x(tick)
        parts.append(f'<line class="grid" x1="{at:.1f}" x2="{at:.1f}" y1="{top:g}" y2="{bottom:g}"/>')
        parts.append(f'<text x="{at:.1f}" y="{bottom + 18:g}" text-anchor="middle">{tick:g}</text>')
    for tick in up:
        at = to_y(tick)
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{tick:g}</text>')
    parts.append(f'<text x="{LEFT}" y="{top - 10:g}">{escape(y.name)}</text>')
    return parts, (to_x, to_y)
