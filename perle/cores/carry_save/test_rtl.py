# SPDX-License-Identifier: Apache-2.0
"""The RTL is bit-exact to the model: exhaustive for tiny sizes, edges, 10,000 random products, chains."""

from __future__ import annotations

from random import Random
from typing import ClassVar

import pytest

from perle.cores.registry import Config, family
from perle.verify.cases import edge_moduli, edge_operands, operand_limit, random_modulus
from perle.verify.contract import ContractSuite
from perle.verify.testbench import MUL, REDUCE, ContractBench, Op

pytestmark = pytest.mark.proves("exact", "timed")


def tiny(width: int, radix: int, delay: int) -> Config:
    """Return a row small enough for many operands of many moduli."""
    chosen = {"Width": width, "RadixBits": radix, "QuotientDelay": delay}
    return Config(family("carry_save"), f"tiny{width}", family("carry_save").complete(chosen))


class TestContract(ContractSuite):
    family_name = "carry_save"
    few: ClassVar = {"w512": 2_500, "w1024": 1_000}
    slow_chains = ("w1024",)


run_and_check = TestContract().check


@pytest.mark.parametrize("delay", [1, 2])
def test_all_operands_of_all_odd_moduli(delay: int) -> None:
    """Every odd M of 6 bits, every x and y below M; and OpReduce over the operand range."""
    with ContractBench(tiny(6, 4, delay)) as bench:
        for m in range(3, 1 << 6, 2):
            run_and_check(bench, [m], [Op(MUL, x, y) for x in range(m) for y in range(m)])
            run_and_check(bench, [m], [Op(REDUCE, 0, y) for y in range(0, operand_limit(bench.config, m), 7)])


@pytest.mark.parametrize("radix", [2, 6, 10, 16])
@pytest.mark.parametrize("delay", [1, 2])
def test_every_radix(radix: int, delay: int) -> None:
    """Edges and random operands at a width that no radix divides, multiples of M for OpReduce among them."""
    rng = Random(radix + delay)
    with ContractBench(tiny(41, radix, delay)) as bench:
        for m in [*edge_moduli(41), *(random_modulus(rng, 41) for _ in range(20))]:
            limit = operand_limit(bench.config, m)
            values = [*edge_operands(m, limit), *(rng.randrange(limit) for _ in range(12))]
            ops = [Op(MUL, x, rng.choice(values)) for x in values for _ in range(5)]
            ops += [Op(REDUCE, 0, y) for y in [*values, m * rng.randrange(limit // m), limit - m]]
            rng.shuffle(ops)
            run_and_check(bench, [m], ops, seed=rng.choice([0, 1 + rng.getrandbits(20)]))


@pytest.mark.parametrize("delay", [1, 2])
def test_the_largest_sum(delay: int) -> None:
    """Operands at their limit times digits of 2 and of −1, of the modulus whose Mt is largest."""
    config = tiny(40, 4, delay)
    m = (1 << 40) - (1 << 4 * (delay + 1)) + 1
    limit = operand_limit(config, m)
    bits = limit.bit_length() - 1
    digits = [int(one * (bits // 2), 4) for one in "123"]
    with ContractBench(config) as bench:
        ops = [Op(MUL, x, y) for x in digits for y in (limit - 1, limit - 2, limit * 7 // 8)]
        run_and_check(bench, [m], ops)
