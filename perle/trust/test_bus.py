# SPDX-License-Identifier: Apache-2.0
"""Random traffic on the bus finds nothing on a board, and finds what is broken on purpose."""

from __future__ import annotations

import pytest

from perle.trust import bus
from perle.trust.bus import Case, traffic
from perle.trust.bus_board import Bus, Change, build

LANES = Case("orup:w64", 3)
DEMUX = "perle_axil_demux.sv"
BROKEN = {
    "is answered 2, not 3": Change(DEMUX, "DecErr = 2'b11", "DecErr = 2'b10"),
    "not taken": Change(DEMUX, "lane_i[wr_lane].bvalid : w_taken_q", "lane_i[wr_lane].bvalid : 1'b1"),
}


@pytest.mark.parametrize("case", [LANES, Case("orup:w64", 1, 32)], ids=lambda case: case.name)
def test_a_board_stands_random_traffic(case: Case) -> None:
    board = Bus(build(case.config, case.variant))
    assert traffic(board, case, 40_000, seed=1, between=20_000) == ""
    counts = board.counts
    assert counts["writes"] + counts["reads"] >= 40_000
    assert min(counts["writes"], counts["reads"], 8 * counts["refused"]) > 10_000
    assert counts["operations"] > 50


@pytest.mark.parametrize("said", BROKEN)
def test_a_broken_bus_is_seen(said: str) -> None:
    board = Bus(build(LANES.config, LANES.variant, BROKEN[said]))
    assert said in traffic(board, LANES, 20_000, seed=1, between=20_000)


def test_every_kind_of_board_is_a_case() -> None:
    assert {one.word_bits for one in bus.CASES} == {32, 64}
    engines = {one.config.family.engine is not None and one.lanes > 1 for one in bus.CASES}
    assert engines == {True, False}
    assert {one.lanes for one in bus.CASES} >= {1, 3}
