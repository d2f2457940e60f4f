# SPDX-License-Identifier: Apache-2.0
"""The PLL of an ECP5: two clocks, the VCO's divided by integers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from perle.flow.tools import DesignError
from perle.soc.boards import Board

SYS_HZ = {"uart": 50e6, "ethernet": 62.5e6}
"""Clock frequency of the bus in Hz, which the PLL meets within 1%. The core has a clock of its own."""
SYS_MARGIN = 0.01

# Limits of the device in Hz: Lattice FPGA-TN-02200.
VCO = 400e6, 800e6
LEAST_PFD = 10e6
OUTPUT = 3.125e6, 400e6
MOST_DIVIDER = 128


@dataclass(frozen=True)
class Clocks:
    """The clocks of a design, in Hz: the bus's and the core's."""

    sys: float
    core: float


def settings(board: Board) -> Iterator[Clocks]:
    """Yield all pairs of clocks that a board's PLL can make with the bus's clock close enough."""
    wanted = SYS_HZ[board.link]
    for vco in _vcos(board.mhz * 1e6):
        sys_hz = vco / max(1, round(vco / wanted))
        if abs(sys_hz - wanted) > SYS_MARGIN * wanted:
            continue
        for divider in range(1, MOST_DIVIDER + 1):
            if OUTPUT[0] <= vco / divider <= OUTPUT[1]:
                yield Clocks(sys_hz, vco / divider)


def clocks(board: Board, most_hz: float) -> Clocks:
    """Return the clocks with the fastest core clock up to `most_hz`; DesignError if there are none."""
    fitting = [one for one in settings(board) if one.core <= most_hz * (1 + 1e-9)]
    if not fitting:
        raise DesignError(
            "pll", f"no clock of at most {most_hz / 1e6:g} MHz can be had from {board.mhz:g} MHz"
        )
    wanted = SYS_HZ[board.link]
    return max(fitting, key=lambda one: (one.core, -abs(one.sys - wanted)))


def _vcos(input_hz: float) -> Iterator[float]:
    divider = 1
    while input_hz / divider >= LEAST_PFD:
        for factor in range(1, int(VCO[1] / (input_hz / divider)) + 1):
            if input_hz / divider * factor >= VCO[0]:
                yield input_hz / divider * factor
        divider += 1
