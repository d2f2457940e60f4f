# SPDX-License-Identifier: Apache-2.0
"""The devices of the ECP5 family: their names in nextpnr, and the sites of their multipliers and memories.

Their numbers are in `perle.results.names`, because reports need them too; a test checks that both agree.
"""

from __future__ import annotations

from dataclasses import dataclass

Site = tuple[int, int, str]
"""A site: X, Y, and its name in nextpnr."""


@dataclass(frozen=True)
class Grid:
    """Sites by column X and row Y, and where `regions` places the copies of a module.

    Four multipliers of a row are in a group of nine columns; so are four block memories of a row.
    `copies`: the numbers of copies per row of `copy_rows`; the smallest that suffices is used.
    """

    width: int
    groups: tuple[int, ...]
    multiplier_rows: tuple[int, ...]
    memory_rows: tuple[int, ...]
    copy_rows: tuple[int, ...]
    copies: tuple[tuple[int, ...], ...]

    @property
    def multiplier_columns(self) -> tuple[tuple[int, int], ...]:
        """X and index of the multipliers of a row, from left to right."""
        within = ((0, 0), (1, 1), (4, 4), (5, 5))
        return tuple((group + offset, site) for group in self.groups for offset, site in within)

    @property
    def memory_columns(self) -> tuple[int, ...]:
        """X of the block memories of a row, from left to right."""
        return tuple(group + offset for group in self.groups for offset in (0, 2, 4, 6))

    @property
    def multipliers(self) -> list[Site]:
        """All multiplier sites."""
        return [
            (x, y, f"X{x}/Y{y}/MULT18_{site}")
            for y in self.multiplier_rows
            for x, site in self.multiplier_columns
        ]

    @property
    def memories(self) -> list[Site]:
        """All block memory sites."""
        return [
            (x, y, f"X{x}/Y{y}/EBR{i % 4}")
            for y in self.memory_rows
            for i, x in enumerate(self.memory_columns)
        ]


@dataclass(frozen=True)
class Device:
    """A device, in a package with enough pins for the harness; `name` as in the names of its targets."""

    name: str
    title: str
    nextpnr: str
    package: str
    grid: Grid


LFE5U_25F = Device(
    "ecp5_25",
    "LFE5U-25F",
    "25k",
    "CABGA381",
    Grid(
        width=72,
        groups=(*range(4, 23, 9), *range(33, 61, 9)),
        multiplier_rows=(13,),
        memory_rows=(25, 37),
        copy_rows=(24,),
        copies=((4,),),
    ),
)

LFE5U_45F = Device(
    "ecp5_45",
    "LFE5U-45F",
    "45k",
    "CABGA554",
    Grid(
        width=90,
        groups=(*range(4, 32, 9), *range(42, 79, 9)),
        multiplier_rows=(22, 46),
        memory_rows=(10, 34, 58),
        copy_rows=(20, 50),
        copies=((4, 4), (5, 5), (6, 6)),
    ),
)

LFE5U_85F = Device(
    "ecp5",
    "LFE5U-85F",
    "85k",
    "CABGA756",
    # the last row of copies has two rows of block memories
    Grid(
        width=126,
        groups=(*range(4, 59, 9), *range(69, 115, 9)),
        multiplier_rows=(10, 34, 58),
        memory_rows=(22, 46, 70, 82),
        copy_rows=(16, 40, 68),
        copies=((3, 3, 4), (5, 5, 8), (6, 6, 8), (7, 7, 8)),
    ),
)

DEVICES = LFE5U_25F, LFE5U_45F, LFE5U_85F
