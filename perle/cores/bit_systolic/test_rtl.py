# SPDX-License-Identifier: Apache-2.0
"""The row in RTL, bit-exact to its model: exhaustive if tiny, edges, 10,000 random products, stalls.

Assertions in the simulation check the cycle of the first bit of each product, and that nothing stays.
"""

from __future__ import annotations

from itertools import cycle, islice, pairwise
from typing import ClassVar

import pytest

from perle.cores.bit_systolic import model
from perle.cores.registry import Config, family, resolve
from perle.verify.cases import edge_moduli
from perle.verify.contract import ContractSuite
from perle.verify.testbench import MUL, REDUCE, ContractBench, Op

pytestmark = pytest.mark.proves("exact", "timed")


def sized(width: int, paper: int = 0) -> Config:
    """Return a row of any width, small enough to be tried exhaustively."""
    params = family("bit_systolic").complete({"Width": width, "Paper": paper})
    return Config(family("bit_systolic"), f"any{width}", params)


class TestContract(ContractSuite):
    family_name = "bit_systolic"
    # milliseconds per product in simulation
    few: ClassVar = {"w512": 2_500, "w1024": 1_000, "w256_paper": 1_000, "w512_paper": 500}
    wide = ("w512", "w2048", "w768_paper", "w1024_paper")
    slow_chains = ("w1024", "w256_paper", "w512_paper", "w1024_paper")
    mixed = (sized(7), sized(64), sized(7, paper=1))

    def gaps(self, config: Config, count: int) -> list[int] | None:
        """Return the gaps for a request in every cycle: they alternate, or with Paper are one latency."""
        if config.params["Paper"]:
            return None
        if config.width >= 6:
            return list(islice(cycle(model.start_gaps(config.params)), count - 1))
        taken: list[int] = []
        now = 0
        while len(taken) < count:
            if model.admits(config.params, taken[-2 * model.IN_FLIGHT :], now):
                taken.append(now)
            now += 1
        return [after - before for before, after in pairwise(taken)]

    def chained(self, config: Config) -> list[int]:
        return edge_moduli(config.width)[-6 if config.width < 1024 else -1 :]


run_and_check = TestContract().check


@pytest.mark.parametrize("paper", [0, 1])
@pytest.mark.parametrize("width", [2, 3, 6])
def test_every_redundant_operand_of_every_odd_modulus(width: int, paper: int) -> None:
    """Every odd M below 2^6, and the smallest rows, even and odd: every x and y in [0, 2·M), in pairs."""
    with ContractBench(sized(width, paper)) as bench:
        for m in range(3, 1 << width, 2):
            run_and_check(bench, [m], [Op(MUL, x, y) for x in range(2 * m) for y in range(2 * m)])
            run_and_check(bench, [m], [Op(REDUCE, y % 5, y) for y in range(2 * m)], seed=m)


def test_throughput_is_the_interval() -> None:
    """A long run takes one initiation interval, n + 1 cycles, per product."""
    config = resolve("bit_systolic:w128")
    m = (1 << 128) - 159
    with ContractBench(config) as bench:
        bench.load(m)
        outcomes = bench.run([Op(MUL, i, m - i) for i in range(2000)])
    last = model.start_gaps(config.params)[1]
    assert sum(out.gap for out in outcomes[:-1]) + last == 2000 * model.interval(config.params)
