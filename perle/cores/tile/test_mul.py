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
    # a product takes hundreds to thousands of cycles
    few: ClassVar = {"w64": 2_000, "w128": 1_000, "w256": 300, "w512": 100, "w1024": 40, "w2048": 40}
    slow_chains = ("w256", "w512", "w1024", "w2048")
    mixed = (resolve("tile:w64"),)


SUITE = TestContract()
ALL_BLOCKS = [pytest.param(n, marks=() if n in (5, 10) else pytest.mark.wide) for n in range(3, 21)]


def test_the_latency_has_room_for_any_turn() -> None:
    """From a request in any of the four turns until the tile is idle: N² + N + 12 turns at most."""
    for n in (3, 4, 5, 11, 20):
        for turn in range(model.CONTEXTS):
            taken = finish(n, [(0, turn)])[0] - turn
            assert 0 <= model.CONTEXTS * (n * n + n + 12) + 8 - taken < 20


@pytest.mark.parametrize("blocks", ALL_BLOCKS)
def test_every_number_of_blocks(blocks: int) -> None:
    """The widest modulus of each; counters of digits have room for three more, also at 15 or 30 blocks."""
    width = 54 * blocks - 56
    chosen = family("tile").complete({"Width": width})
    rng = Random(width)
    with ContractBench(Config(family("tile"), "shape", chosen)) as bench:
        assert model.blocks(chosen) == blocks
        for m in edge_moduli(width)[-4:]:
            values = edge_operands(m, operand_limit(bench.config, m))
            SUITE.check(bench, [m], [Op(REDUCE, 0, y) for y in values])
            SUITE.check(bench, [m], [Op(MUL, rng.choice(values), y) for y in values[-3:]])
