# SPDX-License-Identifier: Apache-2.0
"""Timelines: activity of host and boards in a few microseconds of rows of shand1990's table 1, from a log.

`python -m perle.measure.pam.timeline` measures and writes `perle/pam/timeline.json`, from which
`python -m perle.report.pictures --write` draws. The key is a sample key, because a log reveals its exponents.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from perle.host.pam.driver import boards as boards_of
from perle.host.pam.driver import private
from perle.host.pam.spec import TIMING
from perle.host.pam.system import PS_PER_NS, Event, System, Timing
from perle.measure.pam.board_work import LOGGED
from perle.measure.pam.rsa_scenario import HARDWARE, members, numbers

STORED = Path(__file__).resolve().parents[2] / "pam" / "timeline.json"
WINDOWS = {9: 24_000, 13: 48_000, 19: 24_000}
"""Length in ns of each row's timeline, which begins in the middle of a stream of BLOCKS blocks."""
BLOCKS = 3
TITLES = {
    "bus_mul": "bus multiplier",
    "reg_mul": "register multiplier",
    "mod_product": "modular product unit",
}


def window(number: int) -> dict[str, Any]:
    """Return accesses and busy times of a row, in ns from the beginning of the window."""
    row = next(row for row in HARDWARE if row.number == number)
    secret = numbers(row.key_bits, 1)
    blocks = [pow(3, i, secret.n) for i in range(1, BLOCKS + 1)]
    with System(members(row, secret), TIMING) as system, secret.key() as key:
        system.record(LOGGED)
        private(system, row.driver, key, blocks)
        log = system.log()
    begin, span = log[len(log) // 2].begin_ps, WINDOWS[number]
    end = begin + span * PS_PER_NS
    busy = [_busy(log, board, clock, (begin, end)) for board, clock in enumerate(row.clocks)]
    bus = [
        [_ns(one.begin_ps, begin), _ns(min(one.end_ps, end), begin), one.board]
        for one in log
        if begin <= one.begin_ps < end
    ]
    names = [TITLES[family.partition(":")[0]] for family in boards_of(row.driver)]
    access = Timing.preset(TIMING).write_ps // PS_PER_NS
    return {
        "row": number,
        "driver": row.driver,
        "boards": [f"{name}, {clock:g} ns" for name, clock in zip(names, row.clocks, strict=True)],
        "span": span,
        "access": access,
        "bus": bus,
        "busy": busy,
    }


def _busy(log: list[Event], board: int, clock: float, within: tuple[int, int]) -> list[list[int]]:
    """Return when a board was busy; an access without a pause does not interrupt it."""
    begin, end = within
    clock_ps, found = round(clock * PS_PER_NS), list[list[int]]()
    for one in log:
        until = one.taken_ps + one.busy_cycles * clock_ps
        if one.board != board or one.busy_cycles == 0 or until <= begin or one.taken_ps >= end:
            continue
        first, last = _ns(max(one.taken_ps, begin), begin), _ns(min(until, end), begin)
        # A board is not busy in the cycle in which it accepts an instruction: ignore this gap.
        if found and first - found[-1][1] <= clock:
            found[-1][1] = last
        else:
            found.append([first, last])
    return found


def _ns(time_ps: int, begin: int) -> int:
    return round((time_ps - begin) / PS_PER_NS)


def text(windows: list[dict[str, Any]]) -> str:
    """Return the stored form, one entry per line."""
    lines = ",\n".join(" " + json.dumps(one) for one in windows)
    return f"[\n{lines}\n]\n"


def main() -> None:
    """Measure all windows and store them."""
    STORED.write_text(text([window(number) for number in WINDOWS]), encoding="utf-8")


if __name__ == "__main__":
    main()
