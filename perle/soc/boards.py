# SPDX-License-Identifier: Apache-2.0
"""The boards that designs are made for, read from `boards.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from perle.results import names

TABLE = Path(__file__).with_name("boards.toml")

Link = Literal["uart", "ethernet"]


@dataclass(frozen=True)
class Board:
    """A board: platform of litex-boards, device in nextpnr's terms, oscillator in MHz, link to a host.

    `tx_delay_ns`, `rx_delay_ns`: delays that the design adds to RGMII clocks if the board's PHY does not.
    """

    name: str
    title: str
    platform: str
    arguments: dict[str, str]
    arch: str
    package: str
    speed: int
    clock: str
    mhz: float
    reset: str
    high: tuple[str, ...]
    link: Link
    core: str
    core_mhz: float
    loader: tuple[str, ...]
    tx_delay_ns: float = 2.0
    rx_delay_ns: float = 2.0

    @property
    def device(self) -> str:
        """The device, as `perle measure` names it."""
        return {"25k": "ecp5_25", "45k": "ecp5_45", "85k": "ecp5"}[self.arch.rpartition("-")[2]]

    @property
    def target(self) -> str:
        """The target of `perle measure` that is this device, at this speed grade."""
        return f"{self.device}_{self.speed}"

    @property
    def multipliers(self) -> int:
        """Multipliers of the device."""
        return names.CAPACITY[self.device][names.DSP]


class UnknownBoardError(ValueError):
    """There is no such board; the message lists the boards."""


@cache
def boards() -> dict[str, Board]:
    """Return all boards by name."""
    found = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    lists = ("high", "loader")
    return {
        name: Board(name, **{**said, **{one: tuple(said[one]) for one in lists}})
        for name, said in found.items()
    }


def board(name: str) -> Board:
    """Return the board of that name."""
    try:
        return boards()[name]
    except KeyError:
        raise UnknownBoardError(f"no board {name!r}; there are: {', '.join(boards())}") from None
