# SPDX-License-Identifier: Apache-2.0
"""The RTL is bit-exact to the model: exhaustive for tiny sizes, edges, random products, chains."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from perle.cores.iterative import model
from perle.cores.modexp.model import Command, Mode, cycles, run
from perle.cores.registry import Config, family, resolve
from perle.spec import mont
from perle.verify.cases import edge_moduli, edge_operands, operand_limit, random_modulus
from perle.verify.testbench import MUL, REDUCE, ContractBench, Op
from perle.verify.word import WordBench

pytestmark = pytest.mark.proves("exact", "timed")

# The widest take over a millisecond per product in simulation: only a tenth of their products is quick.
RANDOM_PRODUCTS = 10_000
SLOW_CONFIGS = {"w2048": 1_000, "w4096": 1_000, "w768_paper": 1_000, "w1024_paper": 1_000}
CONFIGS = list(family("iterative").configs)


def sized(width: int, paper: int, segment: int) -> Config:
    """Return a multiplier of any width, small enough for exhaustive tests."""
    params = family("iterative").complete({"Width": width, "PaperStates": paper, "Segment": segment})
    return Config(family("iterative"), f"any{width}", params)


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


def random_products(bench: ContractBench, rng: Random, wanted: int) -> None:
    """Run `wanted` random products (and a tenth as many reductions) on random moduli, some with stalls."""
    per_modulus, done = min(250, wanted // 4), 0
    while done < wanted:
        m = random_modulus(rng, bench.config.width)
        limit = operand_limit(bench.config, m)
        kinds = rng.choices([MUL, REDUCE], [12, 1], k=per_modulus + per_modulus // 10)
        ops = [Op(kind, rng.randrange(limit), rng.randrange(limit)) for kind in kinds]
        run_and_check(bench, m, ops, seed=rng.choice([0, 0, 0, rng.randrange(1, 1 << 30)]))
        done += kinds.count(MUL)


@pytest.fixture(params=CONFIGS)
def bench(request: pytest.FixtureRequest) -> Iterator[ContractBench]:
    """Yield each configuration's multiplier in turn."""
    with ContractBench(resolve(f"iterative:{request.param}")) as opened:
        yield opened


def test_edges(bench: ContractBench) -> None:
    for m in edge_moduli(bench.config.width):
        edges = edge_operands(m, operand_limit(bench.config, m))
        ops = [Op(MUL, x, y) for x in edges for y in edges]
        if bench.config.width > 1024:  # pairs with an end of the range or M
            ops = [op for op in ops if {op.x, op.y} & {edges[0], edges[-1], m}]
        run_and_check(bench, m, ops + [Op(REDUCE, edges[-1], y) for y in edges])


def test_random(bench: ContractBench) -> None:
    random_products(bench, Random(2002), SLOW_CONFIGS.get(bench.config.name, RANDOM_PRODUCTS))


@pytest.mark.wide
@pytest.mark.parametrize("name", SLOW_CONFIGS)
def test_random_the_rest(name: str) -> None:
    """The rest of the 10,000 products of the widest configurations, after `test_random`."""
    with ContractBench(resolve(f"iterative:{name}")) as bench:
        random_products(bench, Random(2003), RANDOM_PRODUCTS - SLOW_CONFIGS[name])


def test_squaring_chain_of_a_thousand(bench: ContractBench) -> None:
    par = bench.config.params
    r = 1 << model.r_exp(par)
    for m in edge_moduli(bench.config.width)[-6 if bench.config.width < 1024 else -1 :]:
        bench.load(m)
        start = operand_limit(bench.config, m) - 1
        z = bench.chain(start, 1000)
        expected = start % m
        for _ in range(1000):
            expected = mont(expected, expected, m, r)
        assert z % m == expected
        assert z < operand_limit(bench.config, m)


@pytest.mark.parametrize(
    ("width", "paper", "segment"),
    [(2, 0, 0), (6, 0, 0), (2, 1, 0), (6, 1, 0), (2, 0, 32), (6, 0, 2), (7, 0, 2)],
)
def test_every_redundant_operand_of_every_odd_modulus(width: int, paper: int, segment: int) -> None:
    """Every odd M below 2^6, and the smallest multiplier: every x and y of [0, 2·M); one segment, and two."""
    with ContractBench(sized(width, paper, segment)) as bench:
        for m in range(3, 1 << min(width, 6), 2):
            run_and_check(bench, m, [Op(MUL, x, y) for x in range(2 * m) for y in range(2 * m)])
            run_and_check(bench, m, [Op(REDUCE, y % 5, y) for y in range(2 * m)], seed=m)


@pytest.mark.parametrize(("width", "segment"), [(60, 2), (67, 31)])
def test_many_segments_of_any_size(width: int, segment: int) -> None:
    """Several groups of segments; edges and random products, with and without stalls."""
    rng = Random(width)
    with ContractBench(sized(width, 0, segment)) as bench:
        for m in edge_moduli(width):
            edges = edge_operands(m, operand_limit(bench.config, m))
            run_and_check(bench, m, [Op(MUL, x, y) for x in edges for y in edges])
            run_and_check(bench, m, [Op(REDUCE, x, y) for x in edges for y in edges])
        random_products(bench, rng, 2_000)


@pytest.mark.parametrize("name", ["w64", "w128_paper"])
def test_contexts_do_not_mix(name: str) -> None:
    """Several contexts, selected per operation, with stalls."""
    rng = Random(7)
    config = resolve(f"iterative:{name}")
    moduli = [random_modulus(rng, config.width) | 1 << 62 for _ in range(3)]
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


@pytest.mark.parametrize("name", ["w64", "w128_paper"])
def test_exponentiation(name: str) -> None:
    """Every command and mode through the word port: exact result and cycle counter."""
    rng = Random(64)
    config = resolve(f"iterative:{name}")
    with WordBench(config) as bench:
        for m in [*edge_moduli(config.width), *(random_modulus(rng, config.width) for _ in range(20))]:
            bench.load(m)
            x, y, elen = rng.choice([m - 1, rng.randrange(m)]), rng.randrange(m), rng.randrange(1, 65)
            e = rng.getrandbits(elen)
            assert bench.command(Command.MULMOD, x, y) == x * y % m
            assert bench.cycles == cycles(config, Command.MULMOD)
            for mode in Mode:
                z = bench.command(Command.EXP, x, e=e, mode=mode, elen=elen)
                assert z == run(config, Command.EXP, m, x, e=e, mode=mode, elen=elen)
                assert z % m == pow(x, e, m)
                assert bench.cycles == cycles(config, Command.EXP, mode, elen, e)
            assert not bench.errors()


def test_reset_and_zeroize_in_mid_operation() -> None:
    m, e = (1 << 64) - 59, 0xDEADBEEF
    with WordBench(resolve("iterative:w64")) as bench:
        for when in (1, 2, 50, 333):
            bench.load(m)
            assert bench.command(Command.EXP, 5, e=e, elen=32) == pow(5, e, m)
            bench.start(Command.EXP, Mode.WINDOW, 32)
            bench.lib.word_advance(bench.handle, when)
            bench.lib.word_reset(bench.handle)
            bench.wait()
            assert bench.read() == 0
