# SPDX-License-Identifier: Apache-2.0
"""Charts for plotly.js: traces and axes. The page sets the colours of text and grid.

Every trace has a colour and a symbol of its own, so that colours alone need not be distinguished.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

COLOURS = (
    *("#3b7dd8", "#2d9d5c", "#c9750c", "#8250df", "#cf222e"),
    *("#59838e", "#b5489a", "#7d8a12", "#1b9aaa", "#a0622d", "#d4a017", "#7a7f87"),
)
SYMBOLS = (
    *("circle", "square", "diamond", "triangle-up", "cross"),
    *("x", "triangle-down", "star", "pentagon", "hexagon", "octagon", "hexagram"),
)
ROW = 26
"""Height of a row in pixels."""


@dataclass(frozen=True)
class Chart:
    """A chart: its `id` on the page, `what` as the description for screen readers, `height` in pixels.

    `remarks` stand below it.
    """

    id: str
    title: str
    what: str
    data: Sequence[dict[str, Any]]
    layout: dict[str, Any] = field(default_factory=dict)
    height: int = 420
    remarks: Sequence[str] = ()

    @property
    def figure(self) -> dict[str, Any]:
        """Return the arguments for plotly.js."""
        return {"data": list(self.data), "layout": {"height": self.height, **self.layout}}


def axis(title: str, *, log: bool = False, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return an axis, logarithmic if `log`."""
    kind: dict[str, Any] = {"type": "log"} if log else {}
    return {"title": {"text": title}, **kind, **more}


def style(index: int) -> tuple[str, str]:
    """Return colour and symbol of the trace with that index: no two are the same before the hundredth."""
    again, colour = divmod(index, len(COLOURS))
    return COLOURS[colour], SYMBOLS[(colour + again) % len(SYMBOLS)]


def look(index: int, *, hollow: bool = False) -> dict[str, Any]:
    """Return the marker of the trace with that index."""
    colour, symbol = style(index)
    return {"color": colour, "symbol": symbol + ("-open" if hollow else ""), "size": 11}


@dataclass(frozen=True)
class Dot:
    """A row of a chart: label, value, group, and the text shown when the pointer is on it (`said`)."""

    label: str
    value: float
    group: str
    said: str = ""


def dots(
    id: str,  # noqa: A002
    title: str,
    what: str,
    unit: str,
    rows: Iterable[Dot],
    looks: Mapping[str, dict[str, Any]],
) -> Chart:
    """Return a chart with one dot per row on a logarithmic axis, largest on top; `looks`: markers of groups.

    There are no bars, because their lengths would be meaningless on a logarithmic axis.
    """
    ordered = sorted(rows, key=lambda one: one.value)
    data = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": group,
            "y": [one.label for one in ordered if one.group == group],
            "x": [one.value for one in ordered if one.group == group],
            "text": [one.said for one in ordered if one.group == group],
            "hovertemplate": "%{y}<br>%{x:,.4~g} " + unit + "<br>%{text}<extra></extra>",
            "marker": marker,
        }
        for group, marker in looks.items()
        if any(one.group == group for one in ordered)
    ]
    names = [one.label for one in ordered]
    rows_axis = {"type": "category", "categoryorder": "array", "categoryarray": names, "automargin": True}
    layout = {"xaxis": axis(unit, log=True), "yaxis": rows_axis, "showlegend": True}
    return Chart(id, title, what, data, layout, 130 + ROW * len(names))


def ratios(id: str, title: str, rows: Sequence[tuple[str, float, str]]) -> Chart:  # noqa: A002
    """Return the chart of measured / printed; `rows` are label, ratio and pointer text, a line marks 1."""
    labels = [f"{number}. {label}" for number, (label, _, _) in enumerate(rows, 1)]
    data = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": "measured / printed",
            "x": [ratio for _, ratio, _ in rows],
            "y": labels,
            "text": [said for _, _, said in rows],
            "hovertemplate": "%{y}<br>%{text}<extra></extra>",
            "marker": look(0),
        }
    ]
    one = {"type": "line", "x0": 1, "x1": 1, "yref": "paper", "y0": 0, "y1": 1, "line": {"dash": "dash"}}
    layout = {
        "xaxis": axis("measured / printed", log=True),
        "yaxis": {"type": "category", "autorange": "reversed", "automargin": True},
        "shapes": [one],
        "showlegend": False,
    }
    what = "A dot a row of the table: the measured number divided by the printed one; 1 is the same."
    return Chart(id, title, what, data, layout, 120 + ROW * len(rows))
