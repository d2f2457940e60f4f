# SPDX-License-Identifier: Apache-2.0
"""A context of a tile behind the contract of a multiplier: values and cycles are those of the model."""

from __future__ import annotations

from typing import ClassVar

import pytest

from perle.cores.registry import resolve
from perle.cores.tile import model
from perle.cores.tile.schedule import finish
from perle.verify.contract import ContractSuite

pytestmark = pytest.mark.proves("exact", "timed")


class TestContract(ContractSuite):
    family_name = "tile"
    # a product is hundreds to thousands of cycles
    few: ClassVar = {"w64": 2_000, "w128": 1_000, "w256": 300, "w512": 100, "w1024": 40}
    slow_chains = ("w256", "w512", "w1024")
    mixed = (resolve("tile:w64"),)
    exponents = 3


def test_the_latency_has_room_for_any_turn() -> None:
    """From the request in any of the four turns until the tile is at rest: N² + N + 12 turns at most."""
    for n in (3, 4, 5, 11, 20):
        for turn in range(model.CONTEXTS):
            taken = finish(n, [(0, turn)])[0] - turn
            assert 0 <= model.CONTEXTS * (n * n + n + 12) + 8 - taken < 20
