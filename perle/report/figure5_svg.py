# SPDX-License-Identifier: Apache-2.0
"""Figure 5 of chow2010 drawn from this repository's synthesis results, with the numbers printed in the paper.

`python -m perle.report.pictures --write` draws it. If every core is measured, a test checks that the
committed picture is up to date.
"""

from __future__ import annotations

from collections.abc import Mapping

from perle.cores.registry import CORES as FOLDER
from perle.report.papers import chow_figure5
from perle.report.papers.chow2010 import CORES, DEVICE
from perle.report.papers.table import Measured
from perle.report.svg import document
from perle.results.view import View

PICTURE = FOLDER / "karatsuba" / "figure5.svg"
WIDTH, HEIGHT, PANEL, LEFT, BASE, TALL = 960, 330, 310, 24, 270, 170
BAR, STEP = 52, 92
TITLE = "Resources of the paper's multipliers by width: LUTs, flip-flops, device multipliers"
DESC = (
    "Figure 5 of chow2010, redrawn. Three panels with a bar for each of 128, 256 and 512 bits: what a "
    "multiplier with leaves of 32 bits and step 4 takes here, for Virtex-6. A line across the bars "
    "of 512 bits is what the paper prints in table II; its other numbers it only draws."
)
STYLE = """
    .card { fill: #ffffff; stroke: #d1d9e0; }
    .bar { fill: #3b7dd8; }
    .printed { stroke: #c9750c; stroke-width: 3; }
    .axis { stroke: #818b98; }
    text { fill: #1f2328; }
    .name { font-weight: 600; }
    .note { fill: #59636e; font-size: 12px; }
    .published { fill: #c9750c; font-size: 12px; }
    @media (prefers-color-scheme: dark) {
      .card { fill: #0d1117; stroke: #3d444d; }
      text { fill: #e6edf3; }
      .note { fill: #9da7b1; }
    }
"""

Values = Mapping[tuple[str, str], float]
"""Amount of a resource, by operand width and resource."""


def measured() -> Values | None:
    """Return the values of the bars; None if a core is not measured."""
    figures = Measured(View())
    found = {
        (width, what): chow_figure5.figure(figures, width, what).value
        for what in chow_figure5.RESOURCES
        for width in CORES
    }
    values = {key: value for key, value in found.items() if value is not None}
    return values if len(values) == len(found) else None


def _text(kind: str, x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{text}</text>'


def _panel(values: Values, what: str, left: float) -> list[str]:
    printed = {width: chow_figure5.printed(width, what) for width in CORES}
    most = max(values[width, what] for width in CORES)
    scale = TALL / max(most, *(one for one in printed.values() if one is not None), 1)
    found = [_text("name", left, 76, what, "start")]
    for index, width in enumerate(CORES):
        value, middle = values[width, what], left + BAR / 2 + index * STEP
        top = BASE - value * scale
        place = f'x="{middle - BAR / 2:g}" y="{top:.1f}" width="{BAR}" height="{BASE - top:.1f}"'
        found.append(f'<rect class="bar" {place}/>')
        found.append(_text("", middle, top - 6, f"{value:,.0f}"))
        found.append(_text("note", middle, BASE + 18, f"{width} bits"))
        said = printed[width]
        if said is not None:
            y = BASE - said * scale
            begin, end = middle - BAR / 2 - 8, middle + BAR / 2 + 8
            found.append(f'<line class="printed" x1="{begin:g}" x2="{end:g}" y1="{y:.1f}" y2="{y:.1f}"/>')
            found.append(_text("published", begin - 4, y + 4, f"printed: {said:,.0f}", "end"))
    found.append(f'<line class="axis" x1="{left:g}" x2="{left + 2 * STEP + BAR:g}" y1="{BASE}" y2="{BASE}"/>')
    return found


def render(values: Values) -> str:
    """Return the SVG text."""
    parts = [
        part
        for n, what in enumerate(chow_figure5.RESOURCES)
        for part in _panel(values, what, LEFT + n * PANEL)
    ]
    cores = ", ".join(f"karatsuba:{names[0]}" for names in CORES.values())
    parts.append(
        _text("note", LEFT, HEIGHT - 14, f"Bars: {cores}, area only. Lines: the paper, {DEVICE}.", "start")
    )
    name = _text("name", LEFT, 36, TITLE, "start")
    made = "made of recorded runs by perle.report.figure5_svg"
    return document(made, TITLE, DESC, STYLE, (WIDTH, HEIGHT), [name, *parts])
