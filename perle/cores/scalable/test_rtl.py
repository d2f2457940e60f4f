# SPDX-License-Identifier: Apache-2.0
"""The chain in RTL, bit-exact to its model: exhaustive where tiny, edges, random and dependent products, and
on one hardware operands of many widths.

Assertions in the simulation check the kernel's cycles, the exactness of every quotient digit and the FIFO.
"""

from __future__ import annotations

import ctypes
from random import Random

import pytest

from perle.cores.modexp.model import Command, Mode, cycles
from perle.cores.registry import Config, family, resolve
from perle.cores.scalable import model
from perle.spec import mont
from perle.verify.cases import edge_moduli, edge_operands, operand_limit, random_modulus
from perle.verify.testbench import MUL, REDUCE, ContractBench, Op
from perle.verify.word import CONST, R2, WordBench

pytestmark = pytest.mark.proves("exact", "timed")

PAPER = [name for name in family("scalable").configs if name.endswith("n256")]
WIDE = [name for name in family("scalable").configs if name.endswith("n1024")]
WIDEST = [name for name in family("scalable").configs if name.endswith("n4096")]
KINDS = {"r2": model.R2, "r4": model.R4, "b4": model.B4}


class SizedBench(ContractBench):
    """The testbench of the contract with constants for operands of any n bits."""

    def __enter__(self) -> SizedBench:
        return self

    def present(self, m: int, constants: dict[str, int]) -> None:
        """Apply a modulus and its constants unchanged, one context."""
        bits, packed = self.config.operand_bits, m
        for i, name in enumerate(self.config.family.constants, 1):
            packed |= constants[name] << bits * i
        count32 = -(-bits * (1 + len(constants)) // 32)
        raw = packed.to_bytes(4 * count32, "little")
        self._lib.bench_mod(self._handle, raw, ctypes.c_size_t(count32))

    def load_sized(self, m: int, n: int) -> None:
        """Apply a modulus for operations on n bits."""
        self.present(m, model.constants(self.config.params, m, n))


class SizedWordBench(WordBench):
    """The testbench of the word port with constants for operands of any n bits."""

    def __enter__(self) -> SizedWordBench:
        return self

    def load_sized(self, m: int, n: int) -> None:
        """Write a modulus, its constants and its R² for operations on n bits."""
        params = self.config.params
        self.write(CONST, m)
        for i, value in enumerate(model.constants(params, m, n).values(), CONST + 1):
            self.write(i, value)
        self.write(R2, pow(1 << model.r_exp_for(params, n), 2, m))


def shape(width: int, word: int, elements: int, kind: int) -> Config:
    """Return a configuration without a name."""
    params = {"Width": width, "WordWidth": word, "Elements": elements, "Kind": kind}
    return Config(family("scalable"), "shape", family("scalable").complete(params))


def run_and_check(bench: SizedBench, m: int, ops: list[Op], n: int | None = None, seed: int = 0) -> None:
    """Run operations on one modulus; compare value, latency and interval of each with the model."""
    params = bench.config.params
    n = bench.config.width if n is None else n
    bench.load_sized(m, n)
    r_inv = pow(1 << model.r_exp_for(params, n), -1, m)
    latency = {MUL: model.mul_cycles_for(params, n), REDUCE: model.reduce_cycles_for(params, n)}
    outcomes = bench.run(ops, seed)
    for op, out in zip(ops, outcomes, strict=True):
        expected = model.mont_value(params, m, op.x, op.y, n) if op.kind == MUL else op.y * r_inv % m
        assert out.z == expected, (hex(m), n, op)
        assert out.latency == latency[op.kind]
    if seed == 0:
        assert [out.gap for out in outcomes[:-1]] == [out.latency for out in outcomes[:-1]]


def edges(bench: SizedBench) -> None:
    """Edge operands of edge moduli, at the full width and at the width of the modulus."""
    for m in edge_moduli(bench.config.width):
        limit = operand_limit(bench.config, m)
        values = edge_operands(m, limit)
        reduces = [Op(REDUCE, x, x) for x in [*values, *range(m, limit, m)]]
        ops = [Op(MUL, x, y) for x in values for y in values] + reduces
        run_and_check(bench, m, ops)
        run_and_check(bench, m, ops[:: len(ops) // 12], m.bit_length())


def products(bench: SizedBench, total: int, per_modulus: int) -> None:
    """Random products of random moduli, one in four shorter, at any width that fits them; some stalled."""
    rng, done = Random(2012), 0
    while done < total:
        m = random_modulus(rng, bench.config.width)
        limit = operand_limit(bench.config, m)
        kinds = rng.choices([MUL, REDUCE], [12, 1], k=per_modulus + per_modulus // 10)
        ops = [Op(kind, rng.randrange(limit), rng.randrange(limit)) for kind in kinds]
        n = rng.choice(
            [bench.config.width, m.bit_length(), rng.randrange(m.bit_length(), bench.config.width + 1)]
        )
        run_and_check(bench, m, ops, n, seed=rng.choice([0, 0, 0, rng.randrange(1, 1 << 30)]))
        done += kinds.count(MUL)


def squares(bench: SizedBench, moduli: list[int], length: int) -> None:
    """Chains of squarings, every result fed back unchanged."""
    for m in moduli:
        limit, r = operand_limit(bench.config, m), 1 << model.r_exp(bench.config.params)
        bench.load(m)
        z, expected = bench.chain(limit - 1, length), (limit - 1) % m
        for _ in range(length):
            expected = mont(expected, expected, m, r)
        assert z % m == expected
        assert z < limit


@pytest.mark.parametrize(
    "name", [name if "_p8_" in name else pytest.param(name, marks=pytest.mark.wide) for name in PAPER]
)
def test_edges_random_and_chains(name: str) -> None:
    with SizedBench(resolve(f"scalable:{name}")) as bench:
        edges(bench)
        products(bench, 10_000, 250)
        squares(bench, edge_moduli(256)[-4:], 1000)


@pytest.mark.parametrize(
    "name", [name if "r2" in name else pytest.param(name, marks=pytest.mark.wide) for name in WIDE]
)
def test_wide(name: str) -> None:
    """A few hundred products per second: a thousand here, the rest in `test_wide_at_length`."""
    with SizedBench(resolve(f"scalable:{name}")) as bench:
        products(bench, 1_000, 50)
        squares(bench, [(1 << 1024) - 3], 1000)


@pytest.mark.wide
@pytest.mark.parametrize("name", WIDE)
def test_wide_at_length(name: str) -> None:
    with SizedBench(resolve(f"scalable:{name}")) as bench:
        edges(bench)
        products(bench, 10_000, 250)


@pytest.mark.wide
@pytest.mark.parametrize("name", WIDEST)
def test_widest(name: str) -> None:
    """Tens of products per second."""
    with SizedBench(resolve(f"scalable:{name}")) as bench:
        for m in ((1 << 4096) - 3, (1 << 4095) + 1, 3):
            limit = operand_limit(bench.config, m)
            run_and_check(bench, m, [Op(MUL, limit - 1, limit - 1), Op(REDUCE, 0, limit - 1)])
        products(bench, 10_000, 250)
        squares(bench, [(1 << 4096) - 3], 1000)


@pytest.mark.parametrize("name", ["r2_w16_p16_n256", "r4_w16_p8_n256", "b4_w16_p8_n256"])
def test_every_operand_width_on_one_hardware(name: str) -> None:
    """Every n from 3 to Width: n is an input of the operation."""
    rng = Random(name)
    with SizedBench(resolve(f"scalable:{name}")) as bench:
        seen = set()
        for n in range(3, 257):
            for m in ((1 << n) - 1, (1 << n) - 3, (1 << n - 1) + 1):
                limit = operand_limit(bench.config, m)
                ops = [Op(MUL, limit - 1, limit - 1), Op(MUL, rng.randrange(limit), rng.randrange(limit))]
                run_and_check(bench, m, [*ops, Op(REDUCE, 0, limit - 1)], n)
            seen.add(model.mul_cycles_for(bench.config.params, n))
        assert len(seen) > 10


@pytest.mark.parametrize(
    "kind", [model.R2, pytest.param(model.R4, marks=pytest.mark.wide), model.B4], ids=KINDS
)
def test_all_redundant_operands_of_all_odd_moduli_below_64(kind: int) -> None:
    """Width 6: every odd M, every x, y of the redundant range, and OpReduce of every y."""
    with SizedBench(shape(6, 4, 5, kind)) as bench:
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
    with SizedBench(shape(width, word, elements, kind)) as bench:
        edges(bench)
        products(bench, 2_000, 100)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_modulus_without_constants_takes_the_time_of_the_full_width(kind: int) -> None:
    """Zeroized or illegal constants: the response comes, and not earlier than for a legal modulus."""
    with SizedBench(shape(37, 8, 1, kind)) as bench:
        top = 1 << bench.config.operand_bits - 1
        for bits in (0, 38, 1 << 10, (1 << 10) + 5, top + 5, 2 * top - 1):
            bench.present(0, {"mhat": 0, "bits": bits})
            outcomes = bench.run([Op(MUL, 0, 0), Op(REDUCE, 0, 0)])
            expected = [model.mul_cycles(bench.config.params), model.reduce_cycles(bench.config.params)]
            assert [out.latency for out in outcomes] == expected
            assert outcomes[0].z == 0


def test_contexts_do_not_mix() -> None:
    """Several moduli at once, selected per operation, with stalls."""
    rng = Random(7)
    config = shape(64, 16, 4, model.B4)
    moduli = [random_modulus(rng, 64) for _ in range(3)]
    with ContractBench(config, contexts=3) as bench:
        bench.load(*moduli)
        ctxs = [rng.randrange(3) for _ in range(600)]
        limits = [operand_limit(config, moduli[ctx]) for ctx in ctxs]
        pairs = list(zip(ctxs, limits, strict=True))
        ops = [
            Op(rng.choice([MUL, REDUCE]), rng.randrange(limit), rng.randrange(limit), ctx)
            for ctx, limit in pairs
        ]
        for seed in (0, 5):
            for op, out in zip(ops, bench.run(ops, seed), strict=True):
                m = moduli[op.ctx]
                if op.kind == MUL:
                    assert out.z == model.mont_value(config.params, m, op.x, op.y)
                else:
                    assert out.z == mont(op.y, 1, m, 1 << model.r_exp(config.params))


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_exponentiation(kind: int) -> None:
    """Through the word port against the oracle, at the full width and at the width of each modulus."""
    rng = Random(kind)
    with SizedWordBench(shape(64, 16, 4, kind)) as bench:
        for m in [*edge_moduli(64), *(random_modulus(rng, 64) for _ in range(10))]:
            x, e = rng.randrange(m), rng.getrandbits(48)
            for n in (64, m.bit_length()):
                bench.load_sized(m, n)
                assert bench.command(Command.EXP, x, e=e, elen=48) == pow(x, e, m)
                assert bench.cycles == cycles(bench.config, Command.EXP, elen=48, bits=n)
                assert bench.command(Command.MULMOD, m - 1, x) == -x % m
                assert bench.cycles == cycles(bench.config, Command.MULMOD, bits=n)
            bench.load(m)
            for mode in Mode:
                z = bench.command(Command.EXP, x, e=e, mode=mode, elen=48)
                assert z % m == pow(x, e, m)
                assert mode is Mode.PAPER or z < m
                assert bench.cycles == cycles(bench.config, Command.EXP, mode, 48, e)
            assert not bench.errors()
