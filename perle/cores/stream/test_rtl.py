# SPDX-License-Identifier: Apache-2.0
"""The multiplier in RTL, bit-exact: exhaustive where tiny, edges, random products, stalls, resets."""

from __future__ import annotations

from itertools import pairwise

import pytest

from perle.cores.registry import Config, family, resolve
from perle.cores.stream import model
from perle.verify.cases import edge_moduli, edge_operands, operand_limit
from perle.verify.contract import ContractSuite
from perle.verify.testbench import MUL, REDUCE, ContractBench, Op

pytestmark = pytest.mark.proves("exact", "timed")


def sized(width: int, radix: int, fold: int = 1) -> Config:
    """Return a chain of any size, small enough to be tested exhaustively."""
    params = family("stream").complete({"Width": width, "RadixBits": radix, "Fold": fold})
    return Config(family("stream"), f"any{width}", params)


class TestContract(ContractSuite):
    family_name = "stream"
    wide = tuple(name for name in family("stream").configs if resolve(f"stream:{name}").width > 256)
    # Three digits and more; odd and even numbers of digits, so that results begin in either memory; one PE
    # per pass and several; one turn per pass and several.
    mixed = tuple(
        sized(*shape)
        for shape in ((6, 3, 1), (3, 18, 1), (40, 3, 1), (64, 18, 1), (6, 3, 2), (3, 18, 3), (40, 3, 4))
    )

    def gaps(self, config: Config, count: int) -> list[int]:
        """Return the gaps for a request in every cycle."""
        taken, at_most = [0], model.in_flight(config.params)
        while len(taken) < count:
            now = taken[-1] + 1
            while not model.admits(config.params, taken[-at_most:], now):
                now += 1
            taken.append(now)
        return [later - earlier for earlier, later in pairwise(taken)]

    def chained(self, config: Config) -> list[int]:
        return edge_moduli(config.width)[-6 if config.width < 256 else -1 :]


run_and_check = TestContract().check


def test_every_redundant_operand_of_the_smallest_moduli() -> None:
    """Width 3, radix 8, three digits: every x and y in [0, 2·Mt), back to back."""
    with ContractBench(sized(3, 3)) as bench:
        for m in (3, 5, 7):
            limit = operand_limit(bench.config, m)
            run_and_check(bench, [m], [Op(MUL, x, y) for x in range(limit) for y in range(limit)])
            run_and_check(bench, [m], [Op(REDUCE, y % 5, y) for y in range(limit)], seed=m)


def test_every_odd_modulus_below_64() -> None:
    """Width 6, radix 8: for every odd M products of every operand by some others, and its OpReduce."""
    with ContractBench(sized(6, 3)) as bench:
        for m in range(3, 64, 2):
            limit = operand_limit(bench.config, m)
            others = edge_operands(m, limit)
            run_and_check(bench, [m], [Op(MUL, x, y) for x in range(limit) for y in others])
            run_and_check(bench, [m], [Op(MUL, y, x) for x in range(limit) for y in others[-2:]])
            run_and_check(bench, [m], [Op(REDUCE, 0, y) for y in range(limit)])
