# SPDX-License-Identifier: Apache-2.0
"""Copies of a module put on an ECP5 one beside the other, before anything else is placed.

A placer sees wires, not copies: of twenty equal modules that share a bus it mixes what belongs to one with
what belongs to others. Here each copy's multipliers and block memories get sites near a centre of its own;
the rest is drawn to them, and is placed as usual.

Copies belong to an owner, the module that has them. Several owners on a device are beside each other, each in
a stripe from its first row to its last one: across a row, an owner would be as wide as the device. What an
owner has of multipliers and block memories besides its copies is at the end of its stripe.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from perle.measure import floorplan
from perle.measure.ecp5_grid import Grid, Site

MULTIPLIERS = (floorplan.CELL,)
MEMORIES = ("DP16KD", "PDPW16KD")


@dataclass(frozen=True)
class Region:
    """A centre, and the columns of its owner's stripe: the first one, and the one after the last."""

    x: float
    y: int
    left: float
    right: float

    def distance(self, site: Site) -> tuple[bool, float, Site]:
        """Return how bad a site is: any in the stripe is better than one outside."""
        x, y, _ = site
        return not self.left <= x < self.right, abs(x - self.x) + abs(y - self.y), site


def rules(grid: Grid) -> tuple[object, ...]:
    """Return what decides about the sites, by value."""
    sites = grid.multiplier_rows, grid.multiplier_columns, grid.memory_rows, grid.memory_columns
    return MULTIPLIERS, MEMORIES, *sites, grid.copy_rows, grid.copy_width, grid.owner_row


def stripes(grid: Grid, counts: list[int]) -> list[tuple[list[Region], Region]]:
    """Return the regions of each owner's copies, row after row, to and fro, and one of its own.

    Owners have so many copies. A copy is as wide as the device allows, `copy_width` columns at most.
    """
    rows = len(grid.copy_rows)
    across = [-(-count // rows) for count in counts]
    wide = min(grid.copy_width, grid.width / sum(across))
    found, left = [], 0.0
    for count, number in zip(counts, across, strict=True):
        right = left + number * wide
        copies = []
        for turn, row in enumerate(grid.copy_rows):
            line = [Region(left + (i + 0.5) * wide, row, left, right) for i in range(number)]
            copies += line[::-1] if turn % 2 else line
        found.append((copies[:count], Region((left + right) / 2, grid.owner_row, left, right)))
        left = right
    return found


def lay(netlist: Path, top: str, out: Path, copy: str, grid: Grid) -> None:
    """Write a netlist again with sites for what belongs to an owner; ValueError where there are none left.

    `copy` is a part of a cell's name, a regular expression: up to its end all names of a copy are equal, and
    up to its beginning all of an owner. Both are taken in the order of their names, numbers in them counted
    as numbers.
    """
    floorplan.place(netlist, top, out, partial(_sites, copy=copy, grid=grid))


def _sites(cells: floorplan.Cells, copy: str, grid: Grid) -> dict[str, str]:
    own = {
        name: str(cell["type"]) for name, cell in cells.items() if cell["type"] in (*MULTIPLIERS, *MEMORIES)
    }
    free = {MULTIPLIERS: grid.multipliers, MEMORIES: grid.memories}
    chosen = {}
    for region, one in _placed(own, re.compile(rf"(.*?){copy}"), grid):
        for kinds, sites in free.items():
            names = sorted((name for name in one if own[name] in kinds), key=floorplan.natural)
            for name, site in zip(names, _nearest(sites, region, len(names)), strict=True):
                chosen[name] = site[2]
                sites.remove(site)
    return chosen


def _placed(own: Mapping[str, str], part: re.Pattern[str], grid: Grid) -> Iterator[tuple[Region, list[str]]]:
    """Yield regions and the names of the cells there: all copies, then what owners have besides."""
    owners: dict[str, dict[str, list[str]]] = {}
    for name in own:
        if found := part.match(name):
            owners.setdefault(found[1], {}).setdefault(found[0], []).append(name)
    order = sorted(owners, key=floorplan.natural)
    regions = stripes(grid, [len(owners[owner]) for owner in order])
    for owner, (places, _) in zip(order, regions, strict=True):
        copies = sorted(owners[owner], key=floorplan.natural)
        yield from zip(places, (owners[owner][one] for one in copies), strict=True)
    for owner, (_, place) in zip(order, regions, strict=True):
        yield place, [name for name in own if name.startswith(owner) and not part.match(name)]


def _nearest(sites: list[Site], region: Region, count: int) -> list[Site]:
    """Return the best sites for a region, from left to right; ValueError where there are fewer."""
    if len(sites) < count:
        raise ValueError(f"{count} more multipliers or block memories than the device has")
    return sorted(sorted(sites, key=region.distance)[:count])
