# SPDX-License-Identifier: Apache-2.0
"""The commands that make a design for a board of a core that was chosen."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor

from perle.report.choose.candidates import Candidate
from perle.report.choose.pace import SYSTEMS
from perle.results.parts import PLACED, members
from perle.soc.boards import Board, boards
from perle.soc.core import Core, IllegalSocError

FOLDER = "design"


def designs(one: Candidate) -> list[str]:
    """Return a command for each board with the candidate's device, at its speed grade, and each of its cores.

    None for a multiplier alone, which computes no exponentiation. A board has one core: of several engines,
    or of two exponentiators, one.
    """
    point = one.point
    if point.part not in SYSTEMS:
        return []
    return [
        f"perle soc {board.name} --core {core.named}{_clock(one, board)} -o {FOLDER}"
        for board in boards().values()
        if board.target == point.target
        for core in _cores(one, board)
    ]


def _cores(one: Candidate, board: Board) -> Iterator[Core]:
    """Yield the different cores of a candidate that fit a board's device."""
    part = one.point.part
    engine = PLACED.get(part, part) == "engine"
    for member in dict.fromkeys(members(one.config, part, one.point.target)):
        core = Core(member.config, member.engine_lanes if engine else 1, 0, board.link)
        try:
            core.check_fits(board)
        except IllegalSocError:
            continue
        yield core


def _clock(one: Candidate, board: Board) -> str:
    """Return the option for a core that is slower than the clock that a board gives its core by default.

    A faster one has that clock: around it are the registers of its lanes, which slow it down.
    """
    if one.clock_mhz is None or one.clock_mhz >= board.core_mhz:
        return ""
    return f" --clock {floor(one.clock_mhz)}"
