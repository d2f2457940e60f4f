# SPDX-License-Identifier: Apache-2.0
"""A PE chain's multipliers put on an LFE5U-85F in the order of the chain, before anything else is placed.

A placer draws cells together that share wires. It cannot see that each multiplier of a PE chain has wires to
the next one only: it folds the chain anyhow, and some neighbours end up far from each other. Their order says
where they belong; everything else is drawn to them, and is placed as usual.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

Cells = dict[str, dict[str, Any]]
"""Cells of a module of a netlist, by name."""

CELL = "MULT18X18D"

ROWS = (10, 34, 58)
"""Y of the rows of multipliers."""

GROUPS = (*range(4, 59, 9), *range(69, 115, 9))
"""X of the groups of four multipliers, and of four block memories, of a row."""

COLUMNS = tuple(
    (group + offset, site) for group in GROUPS for offset, site in ((0, 0), (1, 1), (4, 4), (5, 5))
)
"""X and number of the multipliers of a row, from left to right."""

RULES = (CELL, ROWS, COLUMNS)
"""What decides about the sites, by value."""

SITES = len(ROWS) * len(COLUMNS)


def path(stripe: int) -> Iterator[str]:
    """Yield all sites, each next to the one before it: to and fro in stripes of `stripe` columns."""
    rows = ROWS
    for left in range(0, len(COLUMNS), stripe):
        columns = COLUMNS[left : left + stripe]
        for number, row in enumerate(rows):
            # a stripe of three rows begins at its left and ends at its right
            for x, site in columns if number % 2 == 0 else reversed(columns):
                yield f"X{x}/Y{row}/MULT18_{site}"
        rows = rows[::-1]


def lay(netlist: Path, top: str, out: Path, first: str) -> None:
    """Write a netlist again with a site for every multiplier; ValueError where they are too many.

    They are taken in the order of their names, numbers in them counted as numbers. A stripe is as wide as the
    cores that begin with `first` take three rows of it: rows next to each other follow in what is left.
    """

    def chosen(cells: Cells) -> Mapping[str, str]:
        chain = sorted((name for name, cell in cells.items() if cell["type"] == CELL), key=natural)
        if len(chain) > SITES:
            raise ValueError(f"{len(chain)} multipliers, of which the device has {SITES}")
        own = sum(name.startswith(first) for name in chain) or len(chain)
        sites = path(max(1, -(-own // len(ROWS))))
        return dict(zip(chain, islice(sites, len(chain)), strict=True))

    place(netlist, top, out, chosen)


def place(netlist: Path, top: str, out: Path, chosen: Callable[[Cells], Mapping[str, str]]) -> None:
    """Write a netlist again with the sites, by name, that were chosen for some of its cells."""
    design = json.loads(netlist.read_text(encoding="utf-8"))
    cells: Cells = design["modules"][top]["cells"]
    for name, site in chosen(cells).items():
        cells[name].setdefault("attributes", {})["BEL"] = site
    out.write_text(json.dumps(design), encoding="utf-8")


def natural(name: str) -> list[str | int]:
    """Return the key by which numbers in names are compared as numbers."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]
