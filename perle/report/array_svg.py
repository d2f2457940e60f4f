# SPDX-License-Identifier: Apache-2.0
"""Picture `cores/bit_systolic/array.svg`: the array of nedjah2002 Fig. 7 and the row it is projected to.

`python -m perle.report.pictures --write` draws it from the schedule of `perle.cores.bit_systolic.array`; a
test checks that the committed picture is up to date.
"""

from __future__ import annotations

from perle.cores.bit_systolic.array import cell_of, works_in
from perle.cores.registry import CORES
from perle.report.svg import document

PICTURE = CORES / "bit_systolic" / "array.svg"
N, SHOWN = 4, 6
"""Operand width in bits of the drawn array, and the cycle in which the active cells are highlighted."""
CELL, STEP_X, STEP_Y, LEFT, TOP = 64, 104, 84, 60, 70
WIDTH, HEIGHT = LEFT + (N + 1) * STEP_X + 20, TOP + (N + 1) * STEP_Y + 150
STYLE = """
    .card { fill: #ffffff; stroke: #d1d9e0; }
    .cell { fill: #f6f8fa; stroke: #818b98; }
    .now { fill: #bcd7f7; stroke: #3b7dd8; stroke-width: 2; }
    .wire { stroke: #59636e; stroke-width: 1.2; marker-end: url(#arrow); }
    .head { fill: #59636e; }
    text { fill: #1f2328; font: 13px sans-serif; text-anchor: middle; }
    .name { font-weight: 600; font-size: 15px; text-anchor: start; }
    .note { font-size: 12px; text-anchor: start; }
    @media (prefers-color-scheme: dark) {
      .card { fill: #0d1117; stroke: #3d444d; }
      .cell { fill: #151b23; stroke: #818b98; }
      .now { fill: #1f4a7a; stroke: #3b7dd8; }
      text { fill: #e6edf3; }
    }
"""
TITLE = "The array of cells, and the row that does for all of them"
DESC = (
    f"Cells of {N + 1} rows and columns, column 0 on the right, each with the cycle 2i + j in which it "
    "works. Carry, a and q go to the left, sums down to the right, the last column's carry straight down. "
    "Cells that work in one cycle stand out; below, the row in it."
)


def _x(j: int) -> int:
    return LEFT + (N - j) * STEP_X


def _y(i: int) -> int:
    return TOP + i * STEP_Y


def _cell(x: int, y: int, name: str, below: str, *, now: bool) -> list[str]:
    kind = "now" if now else "cell"
    return [
        f'<rect class="{kind}" x="{x}" y="{y}" width="{CELL}" height="{CELL - 16}" rx="4"/>',
        f'<text x="{x + CELL // 2}" y="{y + 20}">{name}</text>',
        f'<text x="{x + CELL // 2}" y="{y + 38}">{below}</text>',
    ]


def _wire(x: int, y: int, to_x: int, to_y: int) -> str:
    return f'<line class="wire" x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}"/>'


def draw() -> str:
    """Return the SVG text."""
    heads = (f'<text x="{_x(j) + CELL // 2}" y="{TOP - 14}">column {j}</text>' for j in range(N + 1))
    parts = [f'<text class="name" x="20" y="30">{TITLE}</text>', *heads]
    for i in range(N + 1):
        for j in range(N + 1):
            x, y, cycle = _x(j), _y(i), works_in((i, j))
            parts += _cell(x, y, f"({i}, {j})", f"t = {cycle}", now=cycle == SHOWN)
            if j < N:
                parts.append(_wire(x, y + 24, x - STEP_X + CELL + 3, y + 24))
            if i < N and j:
                parts.append(_wire(x + CELL - 6, y + CELL - 16, _x(j - 1) + 4, y + STEP_Y - 3))
            if i < N and j == N:
                parts.append(_wire(x + 12, y + CELL - 16, x + 12, y + STEP_Y - 3))
    y = _y(N + 1) + 40
    parts.append(f'<text class="note" x="20" y="{y - 14}">The row in cycle t = {SHOWN}:</text>')
    for j in range(N + 1):
        cell = cell_of(j, SHOWN, N)
        name = "–" if cell is None else f"({cell[0]}, {cell[1]})"
        parts += _cell(_x(j), y, f"column {j}", name, now=cell is not None)
    words = "A register on every connection; a column rests in every second cycle."
    parts.append(f'<text class="note" x="20" y="{y + CELL + 14}">{words}</text>')
    arrow = '<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
    arrow = f'<defs>{arrow}orient="auto"><path class="head" d="M0,0 L8,4 L0,8 z"/></marker></defs>'
    made = "made by perle.report.array_svg"
    return document(made, TITLE, DESC, STYLE, (WIDTH, HEIGHT), [arrow, *parts])
