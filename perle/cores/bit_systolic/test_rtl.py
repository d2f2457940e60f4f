# SPDX-License-Identifier: Apache-2.0
"""The row in RTL, bit-exact to its model: exhaustive where tiny, edges, 10,000 random products, stalls.

Assertions in the simulation check when the first bit of each product is there, and that nothing stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice, pairwise
from random import Random

import pytest

from perle.cores.bit_systolic import model
from perle.cores.modexp.model import Command, Mode, cycles, run
from perle.cores.registry import Config, family, resolve
from perle.spec import mont
from perle.verify.cases import edge_moduli, edge_operands, operand_limit, random_modulus
from perle.verify.testbench import MUL, REDUCE, ContractBench, Op, Outcome
from perle.verify.word import WordBench

pytestmark = pytest.mark.proves("exact", "timed")

# The widest take milliseconds a product in simulation: a part of their random products is quick.
RANDOM_PRODUCTS = 10_000
SLOW_CONFIGS = {"w512": 2_500, "w1024": 1_000}
WIDE = ["w512", "w2048"]
CONFIGS = [
    pytest.param(name, marks=pytest.mark.wide) if name in WIDE else name
    for name in family("bit_systolic").configs
]


def sized(width: int) -> Config:
    """Return a row of any width, small enough to be tried exhaustively."""
    params = family("bit_systolic").complete({"Width": width})
    return Config(family("bit_systolic"), f"any{width}", params)


def value(config: Config, m: int, op: Op) -> int:
    """Return what an operation gives."""
    if op.kind == MUL:
        return model.mont_value(config.params, m, op.x, op.y)
    return mont(op.y, 1, m, 1 << model.r_exp(config.params))


def gaps_due(config: Config, count: int) -> list[int]:
    """Return the cycles between the acceptances of `count` operations that never let the multiplier wait."""
    if config.width >= 6:
        return list(islice(cycle(model.start_gaps(config.params)), count - 1))
    taken: list[int] = []
    now = 0
    while len(taken) < count:
        if model.admits(config.params, taken[-2 * model.IN_FLIGHT :], now):
            taken.append(now)
        now += 1
    return [after - before for before, after in pairwise(taken)]


def check_times(config: Config, outcomes: list[Outcome], *, stalled: bool) -> None:
    """Without stalls every latency and gap is the model's; with them a response may wait for earlier ones."""
    latency = model.mul_cycles(config.params)
    assert latency == model.reduce_cycles(config.params)
    if stalled:
        assert min(out.latency for out in outcomes) == latency
    else:
        assert {out.latency for out in outcomes} == {latency}
        assert [out.gap for out in outcomes[:-1]] == gaps_due(config, len(outcomes))


def run_and_check(bench: ContractBench, m: int, ops: list[Op], seed: int = 0) -> None:
    """Run operations on one modulus; hold value, latency and interval of each to the model."""
    bench.load(m)
    outcomes = bench.run(ops, seed)
    check_times(bench.config, outcomes, stalled=seed != 0)
    for op, out in zip(ops, outcomes, strict=True):
        assert out.z == value(bench.config, m, op), (hex(m), op.kind, hex(op.x), hex(op.y))


def random_products(bench: ContractBench, rng: Random, wanted: int) -> None:
    """Run `wanted` random products (and a tenth as many reductions) on random moduli, some with stalls."""
    per_modulus, done = 250, 0
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
    with ContractBench(resolve(f"bit_systolic:{request.param}")) as opened:
        yield opened


def test_edges(bench: ContractBench) -> None:
    for m in edge_moduli(bench.config.width):
        edges = edge_operands(m, operand_limit(bench.config, m))
        reduces = [Op(REDUCE, edges[-1], y) for y in edges]
        run_and_check(bench, m, [Op(MUL, x, y) for x in edges for y in edges] + reduces)


def test_random(bench: ContractBench) -> None:
    random_products(bench, Random(2002), SLOW_CONFIGS.get(bench.config.name, RANDOM_PRODUCTS))


@pytest.mark.wide
@pytest.mark.parametrize("name", SLOW_CONFIGS)
def test_random_the_rest(name: str) -> None:
    """What `test_random` leaves of the 10,000 products of the widest configurations."""
    with ContractBench(resolve(f"bit_systolic:{name}")) as bench:
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


@pytest.mark.parametrize("width", [2, 3, 6])
def test_every_redundant_operand_of_every_odd_modulus(width: int) -> None:
    """Every odd M below 2^6, and the smallest rows, even and odd: every x and y of [0, 2·M), side by side."""
    with ContractBench(sized(width)) as bench:
        for m in range(3, 1 << width, 2):
            run_and_check(bench, m, [Op(MUL, x, y) for x in range(2 * m) for y in range(2 * m)])
            run_and_check(bench, m, [Op(REDUCE, y % 5, y) for y in range(2 * m)], seed=m)


def test_throughput_is_the_interval() -> None:
    """A long run of products ends when the initiation interval says: one every n + 1 cycles."""
    config = resolve("bit_systolic:w128")
    m = (1 << 128) - 159
    with ContractBench(config) as bench:
        bench.load(m)
        outcomes = bench.run([Op(MUL, i, m - i) for i in range(2000)])
    last = model.start_gaps(config.params)[1]
    assert sum(out.gap for out in outcomes[:-1]) + last == 2000 * model.interval(config.params)


@pytest.mark.parametrize("width", [7, 64])
def test_any_pattern_of_requests_and_stalls(width: int) -> None:
    """Requests and responses at random times fill every mixture of the two turns; contexts do not mix."""
    rng = Random(width)
    config = sized(width)
    with ContractBench(config, contexts=3) as bench:
        for seed in range(12):
            moduli = [random_modulus(rng, width) for _ in range(3)]
            bench.load(*moduli)
            ops = []
            for ctx in rng.choices(range(3), k=500):
                limit = operand_limit(config, moduli[ctx])
                kind = rng.choice([MUL, MUL, REDUCE])
                ops.append(
                    Op(kind, rng.randrange(limit), rng.choice([rng.randrange(limit), limit // 2]), ctx)
                )
            outcomes = bench.run(ops, seed)
            check_times(config, outcomes, stalled=seed != 0)
            for op, out in zip(ops, outcomes, strict=True):
                assert out.z == value(config, moduli[op.ctx], op)


def test_exponentiation() -> None:
    """Every command and mode through the word port: result, bit for bit, and cycle counter."""
    rng = Random(64)
    config = resolve("bit_systolic:w64")
    with WordBench(config) as bench:
        for m in [*edge_moduli(64), *(random_modulus(rng, 64) for _ in range(20))]:
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
    """Nothing of an interrupted operation comes out; idle times let the assertion say that nothing stays."""
    m, e = (1 << 64) - 59, 0xDEADBEEF
    with WordBench(resolve("bit_systolic:w64")) as bench:
        # The first product's result is in a line, for a cycle or two.
        product = model.mul_cycles(bench.config.params)
        for when in (1, 2, 50, 333, *range(product - 8, product + 8)):
            bench.load(m)
            assert bench.command(Command.EXP, 5, e=e, elen=32) == pow(5, e, m)
            bench.lib.word_advance(bench.handle, 500)
            bench.start(Command.EXP, Mode.WINDOW, 32)
            bench.lib.word_advance(bench.handle, when)
            bench.lib.word_reset(bench.handle)
            bench.wait()
            assert bench.read() == 0
            bench.lib.word_advance(bench.handle, 500)
        bench.load(m)
        assert bench.command(Command.MULMOD, m - 1, m - 2) == 2
        bench.lib.word_zeroize(bench.handle)
        bench.wait()
        bench.lib.word_advance(bench.handle, 500)
        assert bench.read() == 0
