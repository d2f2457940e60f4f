# SPDX-License-Identifier: Apache-2.0
"""The chain in RTL, bit-exact to its model: exhaustive if tiny, edges, random and dependent products, and
operands of many widths on the same hardware.

Assertions in the simulation check the kernel's cycles, the exactness of every quotient digit and the FIFO.
"""

from __future__ import annotations

from random import Random
from typing import ClassVar

import pytest

from perle.cores.registry import Config, family, resolve
from perle.cores.scalable import model
from perle.verify.cases import edge_moduli, edge_operands, operand_limit
from perle.verify.contract import ContractSuite
from perle.verify.testbench import MUL, REDUCE, ContractBench, Op

pytestmark = pytest.mark.proves("exact", "timed")

KINDS = {"r2": model.R2, "r4": model.R4, "b4": model.B4}


def shape(width: int, word: int, elements: int, kind: int, paper: int = 0) -> Config:
    """Return a configuration without a name."""
    params = {"Width": width, "WordWidth": word, "Elements": elements, "Kind": kind, "Paper": paper}
    return Config(family("scalable"), "shape", family("scalable").complete(params))


class TestContract(ContractSuite):
    family_name = "scalable"
    few: ClassVar = {name: 1_000 for name in family("scalable").configs if "n1024" in name}
    wide = tuple(
        name for name in family("scalable").configs if "_p8_" not in name and name != "r2_w32_p64_n1024"
    )
    mixed = (shape(64, 16, 4, model.B4),)

    def reduced(self, config: Config, m: int) -> list[int]:
        """Return multiples of M too, which the sweeps compare with."""
        limit = operand_limit(config, m)
        return [*edge_operands(m, limit), *range(m, limit, m)]

    def chained(self, config: Config) -> list[int]:
        return edge_moduli(config.width)[-4:] if config.width < 1024 else [(1 << config.width) - 3]

    def bits(self, config: Config, m: int, rng: Random) -> int:
        """Any width that fits M: it is an input of the operation."""
        return rng.choice([config.width, m.bit_length(), rng.randrange(m.bit_length(), config.width + 1)])


SUITE = TestContract()


def run_and_check(bench: ContractBench, m: int, ops: list[Op], n: int | None = None) -> None:
    """Run operations on one modulus, of n bits; compare each with the model."""
    SUITE.check(bench, [m], ops, bits=n)


@pytest.mark.parametrize("name", ["r2_w16_p16_n256", "r4_w16_p8_n256", "b4_w16_p8_n256"])
def test_every_operand_width_on_one_hardware(name: str) -> None:
    """Every n from 3 to Width: n is an input of the operation."""
    rng = Random(name)
    with ContractBench(resolve(f"scalable:{name}")) as bench:
        seen = set()
        for n in range(3, 257):
            for m in ((1 << n) - 1, (1 << n) - 3, (1 << n - 1) + 1):
                limit = operand_limit(bench.config, m)
                ops = [Op(MUL, limit - 1, limit - 1), Op(MUL, rng.randrange(limit), rng.randrange(limit))]
                run_and_check(bench, m, [*ops, Op(REDUCE, 0, limit - 1)], n)
            seen.add(model.mul_cycles_for(bench.config.params, n))
        assert len(seen) > 10


@pytest.mark.parametrize(
    ("kind", "paper"),
    [
        pytest.param(model.R2, 0, id="r2"),
        pytest.param(model.R4, 0, id="r4", marks=pytest.mark.wide),
        pytest.param(model.R4, 1, id="r4_paper", marks=pytest.mark.wide),
        pytest.param(model.B4, 0, id="b4"),
        pytest.param(model.B4, 1, id="b4_paper"),
    ],
)
def test_all_redundant_operands_of_all_odd_moduli_below_64(kind: int, paper: int) -> None:
    """Width 6: every odd M, every x, y of the redundant range, and OpReduce of every y."""
    with ContractBench(shape(6, 4, 5, kind, paper)) as bench:
        for m in range(3, 64, 2):
            limit = operand_limit(bench.config, m)
            run_and_check(bench, m, [Op(MUL, x, y) for x in range(limit) for y in range(limit)])
            run_and_check(bench, m, [Op(REDUCE, 0, y) for y in range(limit)])
            if m < 16:
                own = m.bit_length()
                run_and_check(bench, m, [Op(MUL, x, y) for x in range(limit) for y in range(limit)], own)


@pytest.mark.parametrize(
    ("width", "word", "elements"), [(37, 8, 1), (130, 8, 21)], ids=["queue-bound", "turn-bound"]
)
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_odd_shapes(kind: int, width: int, word: int, elements: int) -> None:
    """One element and a deep FIFO; more elements than words, several words dropped."""
    rng = Random(width)
    with ContractBench(shape(width, word, elements, kind)) as bench:
        SUITE.edges(bench)
        SUITE.products(bench, rng, 2_000)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_modulus_without_constants_takes_the_time_of_the_full_width(kind: int) -> None:
    """With zeroized or illegal constants the response comes, not earlier than for a legal modulus."""
    with ContractBench(shape(37, 8, 1, kind)) as bench:
        top = 1 << bench.config.operand_bits - 1
        for bits in (0, 38, 1 << 10, (1 << 10) + 5, top + 5, 2 * top - 1):
            bench.present([[0, 0, bits]])
            outcomes = bench.run([Op(MUL, 0, 0), Op(REDUCE, 0, 0)])
            expected = [model.mul_cycles(bench.config.params), model.reduce_cycles(bench.config.params)]
            assert [out.latency for out in outcomes] == expected
            assert outcomes[0].z == 0
