# SPDX-License-Identifier: Apache-2.0
"""Floorplanning: assigns the multipliers of a PE chain to sites of an ECP5 in the order of the chain.

A placer places connected cells near each other. It does not know that each multiplier of a PE chain is
connected to its neighbours only: it folds the chain arbitrarily, and some neighbours end up far apart. Here
multipliers get fixed sites in their order before place and route; all other cells are placed by the placer.
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
"""Cells of a netlist module, by name."""

CELL = "MULT18X18D"


def rules(grid: Grid) -> tuple[object, ...]:
    """Return the values that determine the sites."""
    return CELL, grid.multiplier_rows, grid.multiplier_columns


def path(grid: Grid, stripe: int) -> Iterator[str]:
    """Yield all sites, each next to the previous one: in a serpentine through stripes of `stripe` columns.

    From one stripe to the next this holds only if the device has an odd number of rows.
    """
    rows, columns = grid.multiplier_rows, grid.multiplier_columns
    for left in range(0, len(columns), stripe):
        for number, row in enumerate(rows):
            # with three rows a stripe begins at its left and ends at its right
            across = columns[left : left + stripe]
            for x, site in across if number % 2 == 0 else reversed(across):
                yield f"X{x}/Y{row}/MULT18_{site}"
        rows = rows[::-1]


def lay(netlist: Path, top: str, out: Path, first: str, grid: Grid) -> None:
    """Rewrite a netlist with a site for every multiplier; ValueError if there are too many.

    They are used in the natural order of their names. A stripe is so wide that the cores whose names begin
    with `first` use all its rows; the others follow in what remains.
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
    """Rewrite a netlist with the sites that `chosen` returns for some of its cells."""
    design = json.loads(netlist.read_text(encoding="utf-8"))
    cells: Cells = design["modules"][top]["cells"]
    for name, site in chosen(cells).items():
        cells[name].setdefault("attributes", {})["BEL"] = site
    out.write_text(json.dumps(design), encoding="utf-8")


def natural(name: str) -> list[str | int]:
    """Return a sort key that compares numbers in names as numbers (natural order)."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]
