# SPDX-License-Identifier: Apache-2.0
"""Copies of a module put on an LFE5U-85F one beside the other, before anything else is placed.

A placer sees wires, not copies: of twenty equal modules that share a bus it mixes what belongs to one with
what belongs to others. Here each copy's multipliers and block memories get sites near a centre of its own;
the rest is drawn to them, and is placed as usual.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from perle.measure import floorplan

MULTIPLIERS = (floorplan.CELL,)
MEMORIES = ("DP16KD", "PDPW16KD")

WIDTH = 126
"""Columns of the device."""

MEMORY_ROWS = (22, 46, 70, 82)
"""Y of the rows of block memories."""

MEMORY_COLUMNS = tuple(group + offset for group in floorplan.GROUPS for offset in (0, 2, 4, 6))
"""X of the block memories of a row, from left to right."""

ROWS = (16, 40, 68)
"""Y of the centres of a row of copies."""

COPIES = ((5, 5, 8), (6, 6, 8), (7, 7, 8))
"""How many copies are in these rows: the fewest that suffice. The last one has two rows of block memories."""

RULES = (MULTIPLIERS, MEMORIES, floorplan.ROWS, floorplan.COLUMNS, MEMORY_ROWS, MEMORY_COLUMNS, ROWS, COPIES)
"""What decides about the sites, by value."""

Site = tuple[int, int, str]


def centres(count: int) -> list[tuple[float, int]]:
    """Return the centres of so many copies, row after row, to and fro; ValueError where they are too many."""
    if count > sum(COPIES[-1]):
        raise ValueError(f"{count} copies, of which the device has room for {sum(COPIES[-1])}")
    numbers = next(numbers for numbers in COPIES if count <= sum(numbers))
    found = []
    for turn, (row, number) in enumerate(zip(ROWS, numbers, strict=True)):
        across = [((2 * i + 1) * WIDTH / (2 * number), row) for i in range(number)]
        found += across[::-1] if turn % 2 else across
    return found[:count]


def multiplier_sites() -> list[Site]:
    """Return all multipliers: X, Y, name."""
    return [(x, y, f"X{x}/Y{y}/MULT18_{site}") for y in floorplan.ROWS for x, site in floorplan.COLUMNS]


def memory_sites() -> list[Site]:
    """Return all block memories: X, Y, name."""
    return [(x, y, f"X{x}/Y{y}/EBR{i % 4}") for y in MEMORY_ROWS for i, x in enumerate(MEMORY_COLUMNS)]


def lay(netlist: Path, top: str, out: Path, copy: str) -> None:
    """Write a netlist again with sites for what belongs to a copy; ValueError where there are none left.

    `copy` is a part of a cell's name, up to which all names of a copy are equal: a regular expression. Copies
    are taken in the order of their names, numbers in them counted as numbers.
    """
    floorplan.place(netlist, top, out, partial(_sites, copy=copy))


def _sites(cells: floorplan.Cells, copy: str) -> dict[str, str]:
    part = re.compile(rf".*{copy}")
    copies: dict[str, list[str]] = {}
    for name, cell in cells.items():
        if cell["type"] in (*MULTIPLIERS, *MEMORIES) and (found := part.match(name)):
            copies.setdefault(found[0], []).append(name)
    free = {MULTIPLIERS: multiplier_sites(), MEMORIES: memory_sites()}
    order = sorted(copies, key=floorplan.natural)
    chosen = {}
    for centre, one in zip(centres(len(order)), order, strict=True):
        for kinds, sites in free.items():
            names = sorted((n for n in copies[one] if cells[n]["type"] in kinds), key=floorplan.natural)
            for name, site in zip(names, _nearest(sites, centre, len(names)), strict=True):
                chosen[name] = site[2]
                sites.remove(site)
    return chosen


def _nearest(sites: list[Site], centre: tuple[float, int], count: int) -> list[Site]:
    """Return the sites nearest to a centre, from left to right; ValueError where there are fewer."""
    found = sorted(sites, key=lambda site: (abs(site[0] - centre[0]) + abs(site[1] - centre[1]), site))
    if len(found) < count:
        raise ValueError(f"{count} more multipliers or block memories than the device has")
    return sorted(found[:count])
