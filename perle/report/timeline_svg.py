# SPDX-License-Identifier: Apache-2.0
"""Timeline of systems of active memories: `pam/timeline.svg`, drawn from the recorded `pam/timeline.json`.

`python -m perle.report.pictures --write` draws it, a test checks that it is up to date, and
`perle.measure.pam.timeline` measures.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from perle.report.svg import document

SOURCE = Path(__file__).resolve().parents[1] / "pam" / "timeline.json"
WIDTH, LEFT, RIGHT, LANE, GAP, TOP, HEAD = 1000, 250, 20, 22, 6, 56, 34
TICK_NS = 4000
STYLE = """
    .card { fill: #ffffff; stroke: #d1d9e0; }
    .idle { fill: #f6f8fa; stroke: none; }
    .b0 { fill: #3b7dd8; } .b1 { fill: #2d9d5c; } .b2 { fill: #c9750c; }
    .host { fill: #8250df; }
    .wait { opacity: 0.35; }
    .tick { stroke: #818b98; stroke-width: 0.5; }
    text { fill: #1f2328; }
    .name { font-weight: 600; }
    .note { fill: #59636e; font-size: 12px; }
    @media (prefers-color-scheme: dark) {
      .card { fill: #0d1117; stroke: #3d444d; }
      .idle { fill: #151b23; }
      text { fill: #e6edf3; }
      .note { fill: #9da7b1; }
    }
"""
DESC = (
    "For three systems a lane each for the bus, the host and three boards. On the bus every access has the "
    "colour of its board, pale while the board lets it wait; a board's lane is filled while it is busy."
)


def _bar(kind: str, begin: float, end: float, y: float, scale: float) -> str:
    x, wide = LEFT + begin * scale, max(0.6, (end - begin) * scale - 0.4)
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:g}" width="{wide:.1f}" height="{LANE}"/>'


def _bus(one: dict[str, Any], y: float, scale: float) -> list[str]:
    found = []
    for begin, end, board in one["bus"]:
        moved = min(end, begin + one["access"])
        found.append(_bar(f"b{board}", begin, moved, y, scale))
        if end > moved:
            found.append(_bar(f"b{board} wait", moved, end, y, scale))
    return found


def _host(one: dict[str, Any], y: float, scale: float) -> list[str]:
    ends = [end for _, end, _ in one["bus"][:-1]]
    begins = [begin for begin, _, _ in one["bus"][1:]]
    gaps = zip(ends, begins, strict=True)
    return [_bar("host", end, begin, y, scale) for end, begin in gaps if begin > end]


def _panel(one: dict[str, Any], top: float) -> tuple[list[str], float]:
    scale = (WIDTH - LEFT - RIGHT) / one["span"]
    share = [sum(end - begin for begin, end in busy) / one["span"] for busy in one["busy"]]
    found = [f'<text class="name" x="20" y="{top + 18:g}">row {one["row"]}: {one["driver"]}</text>']
    lanes: list[tuple[str, list[str]]] = []
    y = top + HEAD
    for name, draw in (("bus", _bus), ("host computes", _host)):
        lanes.append((name, draw(one, y, scale)))
        y += LANE + GAP
    for board, (name, busy) in enumerate(zip(one["boards"], one["busy"], strict=True)):
        bars = [_bar(f"b{board}", begin, end, y, scale) for begin, end in busy]
        lanes.append((f"{name}: {share[board]:.0%}", bars))
        y += LANE + GAP
    for index, (name, bars) in enumerate(lanes):
        at = top + HEAD + index * (LANE + GAP)
        found.append(f'<text class="note" x="20" y="{at + 15:g}">{name}</text>')
        found += [_bar("idle", 0, one["span"], at, scale), *bars]
    for tick in range(0, one["span"] + 1, TICK_NS):
        x = LEFT + tick * scale
        found.append(f'<line class="tick" x1="{x:.1f}" x2="{x:.1f}" y1="{top + HEAD - 4:g}" y2="{y:g}"/>')
        found.append(
            f'<text class="note" x="{x:.1f}" y="{y + 12:g}" text-anchor="middle">{tick // 1000} µs</text>'
        )
    return found, y + 24


def render(source: Path) -> str:
    """Return the SVG text of the recorded timelines in a file."""
    parts, y = [], float(TOP)
    for one in json.loads(source.read_text(encoding="utf-8")):
        drawn, y = _panel(one, y)
        parts += drawn
    title = "Who works when: bus, host and boards of three systems for RSA"
    name = f'<text class="name" x="20" y="32" font-size="16">{title}</text>'
    made = f"made from {source.name} by perle.report.timeline_svg"
    return document(made, title, DESC, STYLE, (WIDTH, y), [name, *parts], font=14)
