# SPDX-License-Identifier: Apache-2.0
"""The RTL is bit-exact to the model: exhaustive for tiny sizes, edges, 10,000 random products, chains."""

from __future__ import annotations

from random import Random

import pytest

from perle.cores.orup import model
from perle.cores.registry import Config, family
from perle.verify.cases import edge_moduli, edge_operands, operand_limit, random_modulus
from perle.verify.contract import ContractSuite
from perle.verify.testbench import MUL, REDUCE, ContractBench, Op

pytestmark = pytest.mark.proves("exact", "timed")


def tiny(width: int, radix: int, segments: int, delay: int = 0) -> Config:
    """Return an array small enough for exhaustive tests."""
    chosen = {"Width": width, "RadixBits": radix, "ChainSegments": segments, "QuotientDelay": delay}
    return Config(family("orup"), f"tiny{width}", family("orup").complete(chosen))


class TestContract(ContractSuite):
    family_name = "orup"
    wide = ("w256", "w4096")

    def reduced(self, config: Config, m: int) -> list[int]:
        """OpReduce takes any operand below R."""
        return [*edge_operands(m, operand_limit(config, m)), (1 << model.r_exp(config.params)) - 1]


run_and_check = TestContract().check


@pytest.mark.parametrize("width", [6, pytest.param(8, marks=pytest.mark.wide)])
def test_all_operands_of_all_odd_moduli(width: int) -> None:
    """Every odd M of so many bits, every x and y below M; and OpReduce over the operand range."""
    with ContractBench(tiny(width, 8, 4)) as bench:
        for m in range(3, 1 << width, 2):
            run_and_check(bench, [m], [Op(MUL, x, y) for x in range(m) for y in range(m)])
            run_and_check(bench, [m], [Op(REDUCE, 0, y) for y in range(0, operand_limit(bench.config, m), 7)])


@pytest.mark.parametrize("segments", [1, 2, 3])
def test_all_redundant_operands_of_tiny_moduli(segments: int) -> None:
    """Width 3, radix 8: every odd M, every x, y of the redundant range; OpReduce of every y below R."""
    with ContractBench(tiny(3, 3, segments)) as bench:
        for m in (3, 5, 7):
            limit = operand_limit(bench.config, m)
            run_and_check(bench, [m], [Op(MUL, x, y) for x in range(limit) for y in range(limit)])
            run_and_check(
                bench, [m], [Op(REDUCE, 0, y) for y in range(1 << model.r_exp(bench.config.params))]
            )


@pytest.mark.parametrize("delay", [0, 1, 2])
def test_small_digits_carry_far(delay: int) -> None:
    """Width 40, radix 8: digits of all ones are common, so carries ripple through many of them."""
    rng = Random(delay)
    with ContractBench(tiny(40, 3, 4, delay)) as bench:
        r = 1 << model.r_exp(bench.config.params)
        for m in [*edge_moduli(40), *(random_modulus(rng, 40) for _ in range(60))]:
            limit = operand_limit(bench.config, m)
            values = [*edge_operands(m, limit), *(rng.randrange(limit) for _ in range(30))]
            ops = [Op(MUL, x, rng.choice(values)) for x in values for _ in range(5)]
            ops += [Op(REDUCE, 0, y) for y in [*values, m, r - 1, rng.randrange(r)]]
            rng.shuffle(ops)
            run_and_check(bench, [m], ops, seed=rng.choice([0, 1 + rng.getrandbits(20)]))


@pytest.mark.parametrize("delay", [0, 1])
def test_the_topmost_digit_saves_a_carry_of_two(delay: int) -> None:
    """Moduli that fill all their bits: 86·253 is 254 modulo 256, and S has 85 there from 255."""
    with ContractBench(tiny(38, 8, 4, delay)) as bench:
        n = model.digits(bench.config.params)
        m = (1 << 38) - (1 << 8 * (delay + 1)) + 1
        x = int.from_bytes(bytes([255, 253] * n)[: n - 1] + b"\x7d", "little")
        y = (87 << 8 * (n - 1)) - 1
        assert max(x, y) < operand_limit(bench.config, m)
        run_and_check(bench, [m], [Op(MUL, x, y), Op(MUL, y, x), Op(MUL, y, y)])
