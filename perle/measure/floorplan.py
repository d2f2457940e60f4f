# SPDX-License-Identifier: Apache-2.0
"""A PE chain's multipliers put on an ECP5 in the order of the chain, before anything else is placed.

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

from perle.measure.ecp5_grid import Grid

Cells = dict[str, dict[str, Any]]
"""Cells of a module of a netlist, by name."""

CELL = "MULT18X18D"


def rules(grid: Grid) -> tuple[object, ...]:
    """Return what decides about the sites, by value."""
    return CELL, grid.multiplier_rows, grid.multiplier_columns


def path(grid: Grid, stripe: int) -> Iterator[str]:
    """Yield all sites, each next to the one before it: to and fro in stripes of `stripe` columns.

    From one stripe to the next that is so where a device has an odd number of rows.
    """
    rows, columns = grid.multiplier_rows, grid.multiplier_columns
    for left in range(0, len(columns), stripe):
        for number, row in enumerate(rows):
            # a stripe of three rows begins at its left and ends at its right
            across = columns[left : left + stripe]
            for x, site in across if number % 2 == 0 else reversed(across):
                yield f"X{x}/Y{row}/MULT18_{site}"
        rows = rows[::-1]


def lay(netlist: Path, top: str, out: Path, first: str, grid: Grid) -> None:
    """Write a netlist again with a site for every multiplier; ValueError where they are too many.

    They are taken in the order of their names, numbers in them counted as numbers. A stripe is as wide as the
    cores that begin with `first` take all rows of it: rows next to each other follow in what is left.
    """

    def chosen(cells: Cells) -> Mapping[str, str]:
        chain = sorted((name for name, cell in cells.items() if cell["type"] == CELL), key=natural)
        there = len(grid.multipliers)
        if len(chain) > there:
            raise ValueError(f"{len(chain)} multipliers, of which the device has {there}")
        own = sum(name.startswith(first) for name in chain) or len(chain)
        sites = path(grid, max(1, -(-own // len(grid.multiplier_rows))))
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
