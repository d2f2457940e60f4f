# SPDX-License-Identifier: Apache-2.0
"""The waveform of a product, drawn from its record: `waveform.json` in a family's folder.

`python -m perle.cli.waveforms --write` records it from a simulation.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from perle.report.svg import document

RECORD = "waveform.json"
COLUMN, CUT, LEFT, RIGHT = 31, 30, 130, 12
"""Widths in pixels of a cycle, of cycles that are left out, of the names and of the margin."""
TOP, ROW, HIGH = 76, 26, 16
LETTER = 6.0
STYLE = """
    .card { fill: #ffffff; stroke: #d1d9e0; }
    .grid { stroke: #d1d9e0; stroke-width: 0.5; }
    .wave { fill: none; stroke: #3b7dd8; stroke-width: 1.3; }
    .word { fill: #eaf2fd; stroke: #3b7dd8; stroke-width: 1; }
    .nothing { fill: #818b98; opacity: 0.12; }
    text { fill: #1f2328; }
    .value { font-family: ui-monospace, monospace; font-size: 10px; }
    .cycle { fill: #59636e; font-size: 10px; }
    .head { font-weight: 600; font-size: 13px; }
    .bits { fill: #59636e; font-size: 10px; }
    @media (prefers-color-scheme: dark) {
      .card { fill: #0d1117; stroke: #3d444d; }
      .grid { stroke: #3d444d; }
      .word { fill: #16263d; }
      text { fill: #e6edf3; }
      .cycle, .bits { fill: #9da7b1; }
    }
"""
WHAT = (
    "A row a signal, a column a clock cycle, counted from the one in which the product begins; words are in "
    "hexadecimal, grey where they mean nothing. A gap with a number stands for so many cycles left out."
)


def read(folder: Path) -> dict[str, Any] | None:
    """Return a family's record; None if it has none."""
    path = folder / RECORD
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None


def draw(record: Mapping[str, Any]) -> str:
    """Return the SVG text of a record."""
    at, signals = list(_places(record["columns"])), record["signals"]
    width, height = across(record), TOP + ROW * len(signals) + 8
    what = "response of a product after" if record.get("early") else "a product in"
    title = f"{record['board']}: {what} {record['cycles']:,} cycles"
    parts = [f'<text class="head" x="12" y="24">{title}</text>']
    bottom = height - 6
    for cycle, x in zip(record["columns"], at, strict=True):
        parts.append(f'<line class="grid" x1="{x}" x2="{x}" y1="{TOP - 8}" y2="{bottom}"/>')
        parts.append(_middle(f"{cycle}", x + COLUMN / 2, TOP - 14))
    for row, one in enumerate(signals):
        parts += _signal(one, at, TOP + ROW * row)
    for (before, x), (after, _) in pairwise(zip(record["columns"], at, strict=True)):
        if after > before + 1:
            parts.append(_middle(f"{after - before - 1:,}", x + COLUMN + CUT / 2, TOP - 30))
            parts.append(_middle("…", x + COLUMN + CUT / 2, TOP - 14))
    made = "drawn by perle.report.site.waveform"
    return document(made, title, WHAT, STYLE, (width, height), parts, font=11)


def across(record: Mapping[str, Any]) -> int:
    """Return the width of the picture of a record in pixels."""
    return list(_places(record["columns"]))[-1] + COLUMN + RIGHT


def _middle(text: str, x: float, y: float, kind: str = "cycle") -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="middle">{text}</text>'


def _places(columns: list[int]) -> Iterator[int]:
    x = LEFT
    yield x
    for before, after in pairwise(columns):
        x += COLUMN + (CUT if after > before + 1 else 0)
        yield x


def _signal(one: Mapping[str, Any], at: list[int], y: int) -> Iterator[str]:
    bits, values = one["bits"], one["values"]
    size = f' <tspan class="bits">{bits}</tspan>' if bits > 1 else ""
    yield f'<text x="{LEFT - 8}" y="{y + 12}" text-anchor="end">{one["name"]}{size}</text>'
    up, begin = None, 0
    for index, x in enumerate(at):
        last = index + 1 == len(at) or at[index + 1] > x + COLUMN
        if not last and values[index + 1] == values[begin]:
            continue
        start, end, value = at[begin], x + COLUMN, values[begin]
        level = y + (HIGH if value == "0" else 0)
        if value is None:
            yield f'<rect class="nothing" x="{start}" y="{y}" width="{end - start}" height="{HIGH}"/>'
        elif bits == 1:
            edge = "" if up is None else f"{start},{up} "
            yield f'<polyline class="wave" points="{edge}{start},{level} {end},{level}"/>'
        else:
            yield from _word(value, start, end, y)
        up, begin = None if last or value is None else level, index + 1


def _word(text: str, x: int, end: int, y: int) -> Iterator[str]:
    yield f'<rect class="word" x="{x}" y="{y}" width="{end - x}" height="{HIGH}" rx="3"/>'
    fits = int((end - x) / LETTER)
    if fits < len(text):
        text = f"{text[: fits - 1]}…"
    yield _middle(text, (x + end) / 2, y + 11.5, "value")
