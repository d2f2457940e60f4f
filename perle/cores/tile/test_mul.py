# SPDX-License-Identifier: Apache-2.0
"""A context of a tile behind the contract of a multiplier: values and cycles are those of the model."""

from __future__ import annotations

from random import Random
from typing import ClassVar

import pytest

from perle.cores.registry import Config, family, resolve
from perle.cores.tile import model
from perle.cores.tile.schedule import finish
from perle.verify.cases import edge_moduli, edge_operands, operand_limit
from perle.verify.contract import ContractSuite
from perle.verify.testbench import MUL, REDUCE, ContractBench, Op

pytestmark = pytest.mark.proves("exact", "timed")


class TestContract(ContractSuite):
    family_name = "tile"
    # a product is hundreds to thousands of cycles
    few: ClassVar = {"w64": 2_000, "w128": 1_000, "w256": 300, "w512": 100, "w1024": 40}
    slow_chains = ("w256", "w512", "w1024")
    mixed = (resolve("tile:w64"),)
    exponents = 3


SUITE = TestContract()


def test_the_latency_has_room_for_any_turn() -> None:
    """From the request in any of the four turns until the tile is at rest: N² + N + 12 turns at most."""
    for n in (3, 4, 5, 11, 20):
        for turn in range(model.CONTEXTS):
            taken = finish(n, [(0, turn)])[0] - turn
            assert 0 <= model.CONTEXTS * (n * n + n + 12) + 8 - taken < 20


@pytest.mark.parametrize("width", [200, 450])
def test_what_counts_digits_has_room_for_three_more(width: int) -> None:
    """15 and 30 digits: a count that holds no more would begin anew before the result is there."""
    chosen = family("tile").complete({"Width": width})
    rng = Random(width)
    with ContractBench(Config(family("tile"), "shape", chosen)) as bench:
        for m in edge_moduli(width)[-4:]:
            values = edge_operands(m, operand_limit(bench.config, m))
            SUITE.check(bench, [m], [Op(REDUCE, 0, y) for y in values])
            SUITE.check(bench, [m], [Op(MUL, rng.choice(values), y) for y in values[-3:]])
