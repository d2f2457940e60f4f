# SPDX-License-Identifier: Apache-2.0
"""The RTL is bit-exact to the model: exhaustive for tiny sizes, edges, 10,000 random products, chains."""

from __future__ import annotations

from random import Random

import pytest

from perle.cores.lowlat import model
from perle.cores.lowlat.test_model import THREE_UNITS
from perle.cores.registry import Config, family
from perle.verify.cases import edge_moduli, edge_operands, operand_limit, random_modulus
from perle.verify.contract import ContractSuite
from perle.verify.testbench import MUL, REDUCE, ContractBench, Op

pytestmark = pytest.mark.proves("exact", "timed")

DELAYS = [3, 4, 5]


def sized(width: int, radix: int, delay: int) -> Config:
    """Return a row of any size, small enough for exhaustive tests."""
    chosen = {"Width": width, "RadixBits": radix, "QuotientDelay": delay}
    return Config(family("lowlat"), f"any{width}", family("lowlat").complete(chosen))


class TestContract(ContractSuite):
    family_name = "lowlat"
    wide = tuple(name for name in family("lowlat").configs if name not in {"w64", "w128", "w64_r36"})
    mixed = (sized(64, 17, 5), sized(64, 18, 3), sized(64, 35, 5))

    def reduced(self, config: Config, m: int) -> list[int]:
        """OpReduce takes any operand below R."""
        return [*edge_operands(m, operand_limit(config, m)), (1 << model.r_exp(config.params)) - 1]

    def chained(self, config: Config) -> list[int]:
        return edge_moduli(config.width)[-6 if config.width < 256 else -1 :]


run_and_check = TestContract().check


@pytest.mark.parametrize(("radix", "delay"), [*((3, delay) for delay in DELAYS), (20, 4)])
def test_small_moduli(radix: int, delay: int) -> None:
    """At radix 8 digits of all ones are common, so that carries ripple through many digits.

    Eight bits: every odd modulus with operands across its range, and OpReduce across the redundant range for
    two moduli. 40 bits: edges and random operands, requests and responses at random times.
    """
    rng = Random(delay)
    with ContractBench(sized(8, radix, delay)) as bench:
        r = 1 << model.r_exp(bench.config.params)
        for m in range(3, 256, 2):
            limit = operand_limit(bench.config, m)
            values = [*range(0, m, 1 + m // 24), m - 1, limit - 1, rng.randrange(limit)]
            run_and_check(bench, [m], [Op(MUL, x, y) for x in values for y in values])
        for m in (3, 255):
            run_and_check(bench, [m], [Op(REDUCE, 0, y) for y in range(0, r, 1 + r // 5_000)])
    with ContractBench(sized(40, radix, delay)) as bench:
        r = 1 << model.r_exp(bench.config.params)
        for m in [*edge_moduli(40), *(random_modulus(rng, 40) for _ in range(60))]:
            limit = operand_limit(bench.config, m)
            values = [*edge_operands(m, limit), *(rng.randrange(limit) for _ in range(30))]
            ops = [Op(MUL, x, rng.choice(values)) for x in values for _ in range(5)]
            ops += [Op(REDUCE, 0, y) for y in [*values, m, r - 1, rng.randrange(r)]]
            rng.shuffle(ops)
            run_and_check(bench, [m], ops, seed=rng.choice([0, 1 + rng.getrandbits(20)]))


def test_the_first_digit_saves_a_carry_of_three() -> None:
    with ContractBench(sized(24, 3, 3)) as bench:
        for m, x, y in THREE_UNITS:
            run_and_check(bench, [m], [Op(MUL, x, y), Op(MUL, y, x)])


def test_every_operand_of_every_modulus_of_five_bits() -> None:
    """Width 5, radix 8: every odd M, every x and y below it, and 1,000 operands of the redundant range."""
    with ContractBench(sized(5, 3, 3)) as bench:
        for m in range(3, 32, 2):
            limit = operand_limit(bench.config, m)
            run_and_check(bench, [m], [Op(MUL, x, y) for x in range(m) for y in range(m)])
            values = range(0, limit, limit // 1000 | 1)
            run_and_check(bench, [m], [Op(MUL, x, limit - 1 - x // 7) for x in values])
            run_and_check(bench, [m], [Op(REDUCE, y & 7, y) for y in values])
