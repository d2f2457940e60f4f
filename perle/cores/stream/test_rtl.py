# SPDX-License-Identifier: Apache-2.0
"""The multiplier in RTL, bit-exact: exhaustive where tiny, edges, random products, stalls, resets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from perle.cores.modexp.model import Command, Mode, cycles, run
from perle.cores.registry import Config, family, resolve
from perle.cores.stream import model
from perle.spec import mont
from perle.verify.cases import edge_moduli, edge_operands, operand_limit, random_modulus
from perle.verify.state_leak import difference, interrupt
from perle.verify.testbench import MUL, REDUCE, ContractBench, Op, Outcome
from perle.verify.word import WordBench

pytestmark = pytest.mark.proves("exact", "timed")

RANDOM_PRODUCTS = 10_000
WIDE = [name for name in family("stream").configs if resolve(f"stream:{name}").width > 256]
CONFIGS = [
    pytest.param(name, marks=pytest.mark.wide) if name in WIDE else name for name in family("stream").configs
]


def sized(width: int, radix: int, fold: int = 1) -> Config:
    """Return a chain of any size, small enough to be tested exhaustively."""
    params = family("stream").complete({"Width": width, "RadixBits": radix, "Fold": fold})
    return Config(family("stream"), f"any{width}", params)


def value(config: Config, m: int, op: Op) -> int:
    """Return the result of an operation."""
    if op.kind == MUL:
        return model.mont_value(config.params, m, op.x, op.y)
    return mont(op.y, 1, m, 1 << model.r_exp(config.params))


def gaps(config: Config, count: int) -> list[int]:
    """Return the intervals between `count` products with a request in every cycle."""
    taken, at_most = [0], model.in_flight(config.params)
    while len(taken) < count:
        now = taken[-1] + 1
        while not model.admits(config.params, taken[-at_most:], now):
            now += 1
        taken.append(now)
    return [later - earlier for earlier, later in pairwise(taken)]


def check_times(config: Config, outcomes: list[Outcome], *, stalled: bool) -> None:
    """Without stalls every latency and gap is the model's; with them a response may wait for earlier ones."""
    latency = model.mul_cycles(config.params)
    assert latency == model.reduce_cycles(config.params)
    if stalled:
        assert min(out.latency for out in outcomes) == latency
    else:
        assert {out.latency for out in outcomes} == {latency}
        assert [out.gap for out in outcomes[:-1]] == gaps(config, len(outcomes))


def run_and_check(bench: ContractBench, m: int, ops: list[Op], seed: int = 0) -> None:
    """Run operations on one modulus; compare value, latency and interval of each with the model."""
    bench.load(m)
    outcomes = bench.run(ops, seed)
    check_times(bench.config, outcomes, stalled=seed != 0)
    for op, out in zip(ops, outcomes, strict=True):
        assert out.z == value(bench.config, m, op), (hex(m), op.kind, hex(op.x), hex(op.y))


@pytest.fixture(params=CONFIGS)
def bench(request: pytest.FixtureRequest) -> Iterator[ContractBench]:
    """Yield each configuration's multiplier in turn."""
    with ContractBench(resolve(f"stream:{request.param}")) as opened:
        yield opened


def test_edges_and_random(bench: ContractBench) -> None:
    rng = Random(18)
    config = bench.config
    for m in edge_moduli(config.width):
        edges = edge_operands(m, operand_limit(config, m))
        reduces = [Op(REDUCE, edges[-1], y) for y in edges]
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
    for m in edge_moduli(bench.config.width)[-6 if bench.config.width < 256 else -1 :]:
        bench.load(m)
        start = operand_limit(bench.config, m) - 1
        z = bench.chain(start, 1000)
        expected = start % m
        for _ in range(1000):
            expected = mont(expected, expected, m, r)
        assert z % m == expected
        assert z < operand_limit(bench.config, m)


def test_every_redundant_operand_of_the_smallest_moduli() -> None:
    """Width 3, radix 8, three digits: every x and y of [0, 2·Mt), one product right after the other."""
    with ContractBench(sized(3, 3)) as bench:
        for m in (3, 5, 7):
            limit = operand_limit(bench.config, m)
            run_and_check(bench, m, [Op(MUL, x, y) for x in range(limit) for y in range(limit)])
            run_and_check(bench, m, [Op(REDUCE, y % 5, y) for y in range(limit)], seed=m)


def test_every_odd_modulus_below_64() -> None:
    """Width 6, radix 8: every odd M, every operand against some, every one out of the domain."""
    with ContractBench(sized(6, 3)) as bench:
        for m in range(3, 64, 2):
            limit = operand_limit(bench.config, m)
            others = edge_operands(m, limit)
            run_and_check(bench, m, [Op(MUL, x, y) for x in range(limit) for y in others])
            run_and_check(bench, m, [Op(MUL, y, x) for x in range(limit) for y in others[-2:]])
            run_and_check(bench, m, [Op(REDUCE, 0, y) for y in range(limit)])


@pytest.mark.parametrize(
    ("width", "radix", "fold"),
    [(6, 3, 1), (3, 18, 1), (40, 3, 1), (64, 18, 1), (6, 3, 2), (3, 18, 3), (40, 3, 4)],
)
def test_any_pattern_of_requests_and_stalls(width: int, radix: int, fold: int) -> None:
    """Requests and responses at random times; products of three moduli at once in the PE chain.

    Three digits, and more; odd and even numbers of digits, so that results begin in either memory;
    one PE and several, with one turn in the ring and with more.
    """
    rng = Random(width)
    config = sized(width, radix, fold)
    with ContractBench(config, contexts=3) as bench:
        for seed in range(12):
            moduli = [random_modulus(rng, width) for _ in range(3)]
            bench.load(*moduli)
            ops = []
            for ctx in rng.choices(range(3), k=400):
                limit = operand_limit(config, moduli[ctx])
                top = rng.choice([rng.randrange(limit), limit - 1, moduli[ctx]])
                ops.append(Op(rng.choice([MUL, MUL, REDUCE]), rng.randrange(limit), top, ctx))
            outcomes = bench.run(ops, seed)
            check_times(config, outcomes, stalled=seed != 0)
            for op, out in zip(ops, outcomes, strict=True):
                assert out.z == value(config, moduli[op.ctx], op)


def test_exponentiation() -> None:
    """Every command and mode through the word port: result, bit for bit, and cycle counter."""
    rng = Random(64)
    config = resolve("stream:w64")
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


def test_reset_in_mid_operation() -> None:
    """An interrupted operation gives no result at any time, and does not change a later one."""
    m, e = (1 << 64) - 59, 0xDEADBEEF
    config = resolve("stream:w64")
    product = model.mul_cycles(config.params)
    with WordBench(config) as bench:
        for when in (1, 2, 50, 333, *range(product - 2 * model.digits(config.params), product + 8)):
            bench.load(m)
            assert bench.command(Command.EXP, 5, e=e, elen=32) == pow(5, e, m)
            bench.start(Command.EXP, Mode.WINDOW, 32)
            bench.lib.word_advance(bench.handle, when)
            bench.lib.word_reset(bench.handle)
            bench.wait()
            assert bench.read() == 0
        bench.load(m)
        assert bench.command(Command.MULMOD, m - 1, m - 2) == 2


def test_a_reset_clears_the_memories(tmp_path: Path) -> None:
    """Nothing remains of a result whose digits are in the memories at the reset, on their way in or out."""
    config = resolve("stream:w64")
    product, n = model.mul_cycles(config.params), model.digits(config.params)
    for cycles_before_the_response in (2 * n + 2, n + 6, n + 2, 6):
        assert difference(config, interrupt(3 * product - cycles_before_the_response), tmp_path) == []
