# SPDX-License-Identifier: Apache-2.0
"""Floorplanning: separate regions of an ECP5 for the copies of a module.

A placer does not know which cells belong to a copy: it mixes the cells of twenty equal modules that share a
bus. Here the multipliers and block memories of each copy get fixed sites near the centre of its region before
place and route; all other cells are placed by the placer.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from perle.measure import floorplan
from perle.measure.ecp5_grid import Grid, Site

MULTIPLIERS = (floorplan.CELL,)
MEMORIES = ("DP16KD", "PDPW16KD")


def rules(grid: Grid) -> tuple[object, ...]:
    """Return the values that determine the sites."""
    sites = grid.multiplier_rows, grid.multiplier_columns, grid.memory_rows, grid.memory_columns
    return MULTIPLIERS, MEMORIES, *sites, grid.copy_rows, grid.copies


def centres(grid: Grid, count: int) -> list[tuple[float, int]]:
    """Return the centres of `count` copies, row by row in a serpentine; ValueError if there are too many."""
    most = sum(grid.copies[-1])
    if count > most:
        raise ValueError(f"{count} copies, of which the device has room for {most}")
    numbers = next(numbers for numbers in grid.copies if count <= sum(numbers))
    found = []
    for turn, (row, number) in enumerate(zip(grid.copy_rows, numbers, strict=True)):
        across = [((2 * i + 1) * grid.width / (2 * number), row) for i in range(number)]
        found += across[::-1] if turn % 2 else across
    return found[:count]


def lay(netlist: Path, top: str, out: Path, copy: str, grid: Grid) -> None:
    """Rewrite a netlist with sites for the cells of each copy; ValueError if there are not enough.

    `copy` is a regular expression for the prefix that all names of a copy share. Copies are placed in the
    natural order of their names.
    """
    floorplan.place(netlist, top, out, partial(_sites, copy=copy, grid=grid))


def _sites(cells: floorplan.Cells, copy: str, grid: Grid) -> dict[str, str]:
    part = re.compile(rf".*{copy}")
    copies: dict[str, list[str]] = {}
    for name, cell in cells.items():
        if cell["type"] in (*MULTIPLIERS, *MEMORIES) and (found := part.match(name)):
            copies.setdefault(found[0], []).append(name)
    free = {MULTIPLIERS: grid.multipliers, MEMORIES: grid.memories}
    order = sorted(copies, key=floorplan.natural)
    chosen = {}
    for centre, one in zip(centres(grid, len(order)), order, strict=True):
        for kinds, sites in free.items():
            names = sorted((n for n in copies[one] if cells[n]["type"] in kinds), key=floorplan.natural)
            for name, site in zip(names, _nearest(sites, centre, len(names)), strict=True):
                chosen[name] = site[2]
                sites.remove(site)
    return chosen


def _nearest(sites: list[Site], centre: tuple[float, int], count: int) -> list[Site]:
    """Return the sites nearest to a centre, from left to right; ValueError if there are not enough."""
    found = sorted(sites, key=lambda site: (abs(site[0] - centre[0]) + abs(site[1] - centre[1]), site))
    if len(found) < count:
        raise ValueError(f"{count} more multipliers or block memories than the device has")
    return sorted(found[:count])
