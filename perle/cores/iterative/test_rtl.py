# SPDX-License-Identifier: Apache-2.0
"""The RTL is bit-exact to the model: exhaustive for tiny sizes, edges, random products, chains."""

from __future__ import annotations

from random import Random
from typing import ClassVar

import pytest

from perle.cores.registry import Config, family, resolve
from perle.verify.cases import edge_moduli, edge_operands, operand_limit
from perle.verify.contract import ContractSuite
from perle.verify.testbench import MUL, REDUCE, ContractBench, Op

pytestmark = pytest.mark.proves("exact", "timed")


def sized(width: int, paper: int, segment: int) -> Config:
    """Return a multiplier of any width, small enough for exhaustive tests."""
    params = family("iterative").complete({"Width": width, "PaperStates": paper, "Segment": segment})
    return Config(family("iterative"), f"any{width}", params)


BOTH_FORMS = (resolve("iterative:w64"), resolve("iterative:w128_paper"))


class TestContract(ContractSuite):
    family_name = "iterative"
    # over a millisecond per product in simulation
    few: ClassVar = {"w2048": 1_000, "w768_paper": 1_000, "w1024_paper": 1_000}
    wide = ("w4096",)
    mixed = BOTH_FORMS

    def chained(self, config: Config) -> list[int]:
        return edge_moduli(config.width)[-6 if config.width < 1024 else -1 :]


SUITE = TestContract()
run_and_check = SUITE.check


@pytest.mark.parametrize(
    ("width", "paper", "segment"),
    [(2, 0, 0), (6, 0, 0), (2, 1, 0), (6, 1, 0), (2, 0, 32), (6, 0, 2), (7, 0, 2)],
)
def test_every_redundant_operand_of_every_odd_modulus(width: int, paper: int, segment: int) -> None:
    """Every odd M below 2^6, and the smallest multiplier: every x and y of [0, 2·M); one segment, and two."""
    with ContractBench(sized(width, paper, segment)) as bench:
        for m in range(3, 1 << min(width, 6), 2):
            run_and_check(bench, [m], [Op(MUL, x, y) for x in range(2 * m) for y in range(2 * m)])
            run_and_check(bench, [m], [Op(REDUCE, y % 5, y) for y in range(2 * m)], seed=m)


@pytest.mark.parametrize(("width", "segment"), [(60, 2), (67, 31)])
def test_many_segments_of_any_size(width: int, segment: int) -> None:
    """Several groups of segments; edges and random products, with and without stalls."""
    rng = Random(width)
    with ContractBench(sized(width, 0, segment)) as bench:
        for m in edge_moduli(width):
            edges = edge_operands(m, operand_limit(bench.config, m))
            run_and_check(bench, [m], [Op(MUL, x, y) for x in edges for y in edges])
            run_and_check(bench, [m], [Op(REDUCE, x, y) for x in edges for y in edges])
        SUITE.products(bench, rng, 2_000)
