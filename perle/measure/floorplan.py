# SPDX-License-Identifier: Apache-2.0
"""The multipliers of a line put on an LFE5U-85F in the line's order, before anything else is placed.

A placer draws cells together that share wires. That the multipliers of a core are a line, each with wires to
the next one only, it cannot see: it folds the line as it comes, and here and there neighbours end up far from
each other. Their order says where they belong; everything else is drawn to them, and is placed as ever.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

CELL = "MULT18X18D"

ROWS = (10, 34, 58)
"""Y of the rows of multipliers."""

COLUMNS = tuple(
    (group + offset, slot)
    for group in (*range(4, 59, 9), *range(69, 115, 9))
    for offset, slot in ((0, 0), (1, 1), (4, 4), (5, 5))
)
"""X and number of the multipliers of a row, from left to right."""

RULES = (CELL, ROWS, COLUMNS)
"""What decides about the places, by value."""

SITES = len(ROWS) * len(COLUMNS)


def path(stripe: int) -> Iterator[str]:
    """Yield all places, each next to the one before it: to and fro in stripes of `stripe` columns."""
    rows = ROWS
    for left in range(0, len(COLUMNS), stripe):
        columns = COLUMNS[left : left + stripe]
        for number, row in enumerate(rows):
            # a stripe of three rows begins at its left and ends at its right
            for x, slot in columns if number % 2 == 0 else reversed(columns):
                yield f"X{x}/Y{row}/MULT18_{slot}"
        rows = rows[::-1]


def lay(netlist: Path, top: str, out: Path, first: str) -> None:
    """Write a netlist again with a place for every multiplier; ValueError where they are too many.

    They are taken in the order of their names, numbers in them counted as numbers. A stripe is as wide as the
    cores that begin with `first` take three rows of it: rows next to each other follow in what is left.
    """
    design = json.loads(netlist.read_text(encoding="utf-8"))
    cells = design["modules"][top]["cells"]
    line = sorted((name for name, cell in cells.items() if cell["type"] == CELL), key=_natural)
    if len(line) > SITES:
        raise ValueError(f"{len(line)} multipliers, of which the device has {SITES}")
    own = sum(name.startswith(first) for name in line) or len(line)
    places = path(max(1, -(-own // len(ROWS))))
    for name, place in zip(line, islice(places, len(line)), strict=True):
        cells[name].setdefault("attributes", {})["BEL"] = place
    out.write_text(json.dumps(design), encoding="utf-8")


def _natural(name: str) -> list[str | int]:
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]
