# SPDX-License-Identifier: Apache-2.0
"""The stored time line is what a co-simulation gives; and says what the drivers are about."""

from __future__ import annotations

import json
from typing import Any

import pytest

from perle.measure.pam import timeline


def stored(number: int) -> dict[str, Any]:
    """Return a row as it is stored."""
    rows = json.loads(timeline.STORED.read_text(encoding="utf-8"))
    return next(row for row in rows if row["row"] == number)


@pytest.mark.parametrize("number", [9, 13, pytest.param(19, marks=pytest.mark.wide)])
def test_stored_is_measured(number: int) -> None:
    assert timeline.window(number) == stored(number)


@pytest.mark.parametrize("number", timeline.WINDOWS)
def test_lanes_are_in_order(number: int) -> None:
    row = stored(number)
    for lane in (row["bus"], *row["busy"]):
        times = [time for one in lane for time in one[:2]]
        assert times == sorted(times)
        assert all(0 <= time <= row["span"] for time in times)
    assert {one[2] for one in row["bus"]} <= {0, 1, 2}


@pytest.mark.parametrize("number", [13, 19])
def test_interleaved_boards_work_at_the_same_time(number: int) -> None:
    row = stored(number)
    for busy in row["busy"][:2]:
        assert sum(end - begin for begin, end in busy) > 0.8 * row["span"]
