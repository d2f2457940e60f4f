# SPDX-License-Identifier: Apache-2.0
"""The RTL is bit-exact to the model: exhaustive for tiny sizes, edges, 10,000 random products, chains."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from perle.cores.orup import model
from perle.cores.registry import Config, family, resolve
from perle.spec import mont
from perle.verify.cases import edge_moduli, edge_operands, operand_limit, random_modulus
from perle.verify.testbench import MUL, REDUCE, ContractBench, Op

pytestmark = pytest.mark.proves("exact", "timed")

RANDOM_PRODUCTS = 10_000
CONFIGS = ["w64", "w128", "w512", "w1024", "w1024_r16", "w1024_r18", "w2048", "w512_d1", "w1024_d1"]


def tiny(width: int, radix: int, segments: int, delay: int = 0) -> Config:
    """Return an array small enough for exhaustive tests."""
    chosen = {"Width": width, "RadixBits": radix, "ChainSegments": segments, "QuotientDelay": delay}
    return Config(family("orup"), f"tiny{width}", family("orup").complete(chosen))


def run_and_check(bench: ContractBench, m: int, ops: list[Op], seed: int = 0) -> None:
    """Run operations on one modulus; compare value, latency and interval of each with the model."""
    par = bench.config.params
    r_inv = pow(1 << model.r_exp(par), -1, m)
    bench.load(m)
    outcomes = bench.run(ops, seed)
    for op, out in zip(ops, outcomes, strict=True):
        if op.kind == MUL:
            assert out.z == model.mont_value(par, m, op.x, op.y), (hex(m), hex(op.x), hex(op.y))
            assert out.latency == model.mul_cycles(par)
        else:
            assert out.z == op.y * r_inv % m, (hex(m), hex(op.y))
            assert out.latency == model.reduce_cycles(par)
    if seed == 0:
        assert [out.gap for out in outcomes[:-1]] == [out.latency for out in outcomes[:-1]]


@pytest.fixture(params=CONFIGS)
def bench(request: pytest.FixtureRequest) -> Iterator[ContractBench]:
    """Yield each configuration's multiplier in turn."""
    with ContractBench(resolve(f"orup:{request.param}")) as opened:
        yield opened


def test_edges_and_random(bench: ContractBench) -> None:
    rng = Random(2003)
    config = bench.config
    for m in edge_moduli(config.width):
        limit = operand_limit(config, m)
        edges = edge_operands(m, limit)
        reduces = [Op(REDUCE, edges[-1], y) for y in [*edges, (1 << model.r_exp(config.params)) - 1]]
        run_and_check(bench, m, [Op(MUL, x, y) for x in edges for y in edges] + reduces)
    per_modulus, done = 250, 0
    while done < RANDOM_PRODUCTS:
        m = random_modulus(rng, config.width)
        limit = operand_limit(config, m)
        kinds = rng.choices([MUL, REDUCE], [12, 1], k=per_modulus + per_modulus // 10)
        ops = [Op(kind, rng.randrange(limit), rng.randrange(limit)) for kind in kinds]
        run_and_check(bench, m, ops, seed=rng.choice([0, 0, 0, rng.randrange(1, 1 << 30)]))
        done += kinds.count(MUL)


def test_squaring_chain_of_a_thousand(bench: ContractBench) -> None:
    par = bench.config.params
    r = 1 << model.r_exp(par)
    for m in edge_moduli(bench.config.width)[-6:]:
        bench.load(m)
        start = operand_limit(bench.config, m) - 1
        z = bench.chain(start, 1000)
        expected = start % m
        for _ in range(1000):
            expected = mont(expected, expected, m, r)
        assert z % m == expected
        assert z < operand_limit(bench.config, m)


@pytest.mark.parametrize("width", [6, pytest.param(8, marks=pytest.mark.wide)])
def test_all_operands_of_all_odd_moduli(width: int) -> None:
    """Every odd M of so many bits, every x and y below M; and OpReduce over the operand range."""
    with ContractBench(tiny(width, 8, 4)) as bench:
        for m in range(3, 1 << width, 2):
            run_and_check(bench, m, [Op(MUL, x, y) for x in range(m) for y in range(m)])
            run_and_check(bench, m, [Op(REDUCE, 0, y) for y in range(0, operand_limit(bench.config, m), 7)])


@pytest.mark.parametrize("segments", [1, 2, 3])
def test_all_redundant_operands_of_tiny_moduli(segments: int) -> None:
    """Width 3, radix 8: every odd M, every x, y of the redundant range; OpReduce of every y below R."""
    with ContractBench(tiny(3, 3, segments)) as bench:
        for m in (3, 5, 7):
            limit = operand_limit(bench.config, m)
            run_and_check(bench, m, [Op(MUL, x, y) for x in range(limit) for y in range(limit)])
            run_and_check(bench, m, [Op(REDUCE, 0, y) for y in range(1 << model.r_exp(bench.config.params))])


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
            run_and_check(bench, m, ops, seed=rng.choice([0, 1 + rng.getrandbits(20)]))


def test_contexts_do_not_mix() -> None:
    """Several contexts, selected per operation, with stalls."""
    rng = Random(7)
    config = resolve("orup:w64")
    moduli = [random_modulus(rng, 64) for _ in range(3)]
    with ContractBench(config, contexts=3) as bench:
        bench.load(*moduli)
        ctxs = [rng.randrange(3) for _ in range(600)]
        ops = [Op(rng.choice([MUL, REDUCE]), rng.getrandbits(60), rng.getrandbits(60), ctx) for ctx in ctxs]
        for seed in (0, 5):
            for op, out in zip(ops, bench.run(ops, seed), strict=True):
                m = moduli[op.ctx]
                if op.kind == MUL:
                    assert out.z == model.mont_value(config.params, m, op.x, op.y)
                else:
                    assert out.z == mont(op.y, 1, m, 1 << model.r_exp(config.params))


@pytest.mark.wide
def test_widest() -> None:
    """Width 4096, the widest: random products and a chain."""
    rng = Random(4096)
    with ContractBench(resolve("orup:w4096")) as bench:
        for m in [(1 << 4096) - 1, (1 << 4095) + 1, random_modulus(rng, 4096)]:
            limit = operand_limit(bench.config, m)
            ops = [Op(MUL, rng.randrange(limit), limit - 1 - i) for i in range(200)]
            run_and_check(bench, m, [*ops, Op(REDUCE, 0, limit - 1), Op(REDUCE, 0, m)])
