# SPDX-License-Identifier: Apache-2.0
"""The multiplier in RTL, bit-exact to its model: exhaustive where tiny, edges, random products, chains.

A result every three cycles from full batches; operations of several moduli in flight together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate, pairwise
from pathlib import Path
from random import Random

import pytest

from perle.cores.karatsuba import model
from perle.cores.modexp.model import Command, Mode, cycles
from perle.cores.registry import Config, family, resolve
from perle.spec import mont
from perle.verify.cases import edge_moduli, edge_operands, operand_limit, random_modulus
from perle.verify.state_leak import difference
from perle.verify.testbench import MUL, REDUCE, ContractBench, Op
from perle.verify.word import E, WordBench, X

pytestmark = pytest.mark.proves("exact", "timed")

RANDOM_PRODUCTS = 10_000
NARROW = ["w128", "w128_leaf18", "w128_step4", "w128_half", "w256"]
WIDE = ["w256_half", "w512", "w512_half", "w512_step4", "w1024"]
CONFIGS = [*NARROW, *(pytest.param(name, marks=pytest.mark.wide) for name in WIDE)]
# LeafWidth, LimbWidth, WithStep4, HalfProducts: two layers of even and odd halves, one layer, none.
TINY = [(2, 1, 0, 0), (2, 2, 0, 1), (2, 3, 1, 0), (3, 1, 1, 1), (3, 2, 0, 1), (8, 3, 0, 0), (8, 2, 1, 1)]


def shaped(width: int, leaf: int, limb: int, step4: int, half: int) -> Config:
    """Return a multiplier of any shape."""
    chosen = {"Width": width, "LeafWidth": leaf, "LimbWidth": limb, "WithStep4": step4, "HalfProducts": half}
    return Config(family("karatsuba"), "shaped", family("karatsuba").complete(chosen))


def run_and_check(bench: ContractBench, m: int, ops: list[Op], seed: int = 0) -> None:
    """Run operations on one modulus; hold value, latency and interval of each to the model."""
    par = bench.config.params
    r_inv = pow(1 << model.r_exp(par), -1, m)
    bench.load(m)
    outcomes = bench.run(ops, seed)
    for op, out in zip(ops, outcomes, strict=True):
        if op.kind == MUL:
            assert out.z == model.mont_value(par, m, op.x, op.y), (hex(m), hex(op.x), hex(op.y))
        else:
            assert out.z == op.y * r_inv % m, (hex(m), hex(op.y))
    if seed == 0:
        assert {out.latency for out in outcomes} == {model.mul_cycles(par)}
        taken = [model.acceptance(par, i) for i in range(len(ops))]
        assert [out.gap for out in outcomes[:-1]] == [b - a for a, b in pairwise(taken)]


@pytest.fixture(params=CONFIGS)
def bench(request: pytest.FixtureRequest) -> Iterator[ContractBench]:
    """Yield each configuration's multiplier in turn."""
    with ContractBench(resolve(f"karatsuba:{request.param}")) as opened:
        yield opened


def test_edges_and_random(bench: ContractBench) -> None:
    rng = Random(2010)
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
    for m in edge_moduli(bench.config.width)[-6 if bench.config.width < 512 else -2 :]:
        bench.load(m)
        start = operand_limit(bench.config, m) - 1
        z = bench.chain(start, 1000)
        expected = start % m
        for _ in range(1000):
            expected = mont(expected, expected, m, r)
        assert z % m == expected
        assert z < operand_limit(bench.config, m)


def test_full_batches_give_a_result_every_three_cycles(bench: ContractBench) -> None:
    """Back to back: exactly `depth` results in every 3·`depth` cycles, on and on."""
    rng, par = Random(3), bench.config.params
    batch = model.depth(par)
    m = random_modulus(rng, bench.config.width)
    limit = operand_limit(bench.config, m)
    bench.load(m)
    ops = [Op(MUL, rng.randrange(limit), rng.randrange(limit)) for _ in range(5 * batch)]
    outcomes = bench.run(ops)
    results, taken = [], 0
    for out in outcomes:
        results.append(taken + out.latency)
        taken += out.gap
    for i in range(4 * batch):
        assert results[i + batch] - results[i] == model.interval(par) * batch
    assert results[-1] == 4 * model.interval(par) * batch + batch - 1 + model.mul_cycles(par)


def test_a_batch_below_the_depth_costs_three_rounds_all_the_same(bench: ContractBench) -> None:
    par = bench.config.params
    few = model.depth(par) // 2
    bench.load(3)
    outcomes = bench.run([Op(MUL, 1, 1)] * few)
    assert [out.gap for out in outcomes[:-1]] == [1] * (few - 1)
    assert {out.latency for out in outcomes} == {model.mul_cycles(par)}
    assert model.mul_cycles(par) >= model.interval(par) * model.depth(par)


def test_a_full_loop_of_chains(bench: ContractBench) -> None:
    """As many squaring chains as the loop has slots, results fed back as they stand, with stalls."""
    par = bench.config.params
    rng = Random(11)
    m = random_modulus(rng, bench.config.width)
    bench.load(m)
    z = [rng.randrange(operand_limit(bench.config, m)) for _ in range(model.depth(par))]
    for step in range(25):
        expected = [model.mont_value(par, m, x, x) for x in z]
        z = [out.z for out in bench.run([Op(MUL, x, x) for x in z], seed=step % 3)]
        assert z == expected


# The multiplier behind a gate that keeps all responses for 512 cycles, then lets them pass for 512.
GATED = """// SPDX-License-Identifier: Apache-2.0
module perle_karatsuba_gated import perle_pkg::*; import perle_karatsuba_pkg::*; #(
  parameter int unsigned Width = 6, LeafWidth = 2, LimbWidth = 2, WithStep4 = 0, HalfProducts = 0,
  parameter int unsigned Contexts = 1, TagBits = 4,
  localparam int unsigned OperandBits = operand_bits(Width, WithStep4)
) (
  input logic clk_i, rst_ni, req_valid_i, rsp_ready_i,
  input logic [Contexts-1:0][ConstCount-1:0][OperandBits-1:0] mod_i,
  input mul_op_e req_op_i,
  input logic [0:0] req_ctx_i,
  input logic [TagBits-1:0] req_tag_i,
  input logic [OperandBits-1:0] req_x_i, req_y_i,
  output logic req_ready_o, rsp_valid_o,
  output logic [TagBits-1:0] rsp_tag_o,
  output logic [OperandBits-1:0] rsp_z_o
);
  logic [9:0] time_q;
  logic valid;
  always_ff @(posedge clk_i or negedge rst_ni) time_q <= !rst_ni ? '0 : time_q + 10'd1;
  assign rsp_valid_o = valid && time_q[9];
  perle_karatsuba_mul #(
    .Width(Width), .LeafWidth(LeafWidth), .LimbWidth(LimbWidth), .WithStep4(WithStep4),
    .HalfProducts(HalfProducts), .Contexts(Contexts), .TagBits(TagBits)
  ) u_mul (.*, .rsp_valid_o(valid), .rsp_ready_i(rsp_ready_i && time_q[9]));
endmodule
"""


@pytest.mark.parametrize("shape", [(2, 1, 0, 1), (8, 3, 0, 0)], ids=str)
def test_responses_that_nobody_takes(shape: tuple[int, int, int, int], tmp_path: Path) -> None:
    """Requests are taken until every place is full, and no further; nothing is lost or changes order."""
    config = shaped(6, *shape)
    gate = tmp_path / "perle_karatsuba_gated.sv"
    gate.write_text(GATED, encoding="utf-8")
    gated = replace(config.family, top=gate.stem, files=(*config.family.files, gate))
    rng, m = Random(8), 61
    ops = [Op(MUL, rng.randrange(2 * m), rng.randrange(2 * m)) for _ in range(1000)]
    with ContractBench(replace(config, family=gated)) as bench:
        bench.load(m)
        outcomes = bench.run(ops)
    now, events = 0, []
    for op, out in zip(ops, outcomes, strict=True):
        assert out.z == model.mont_value(config.params, m, op.x, op.y)
        events += [(now, 1), (now + out.latency, -1)]
        now += out.gap
    held = list(accumulate(change for _, change in sorted(events)))
    assert model.places(config.params) - 1 <= max(held) <= model.places(config.params)


@pytest.mark.parametrize("shape", TINY, ids="leaf{0[0]}_limb{0[1]}_step{0[2]}_half{0[3]}".format)
def test_all_redundant_operands_of_all_odd_moduli_below_64(shape: tuple[int, int, int, int]) -> None:
    """Width 6: every odd M, every x and y of the redundant range; every y below R leaves the domain."""
    with ContractBench(shaped(6, *shape)) as bench:
        r = 1 << model.r_exp(bench.config.params)
        for m in range(3, 64, 2):
            limit = operand_limit(bench.config, m)
            run_and_check(bench, m, [Op(MUL, x, y) for x in range(limit) for y in range(limit)])
            run_and_check(bench, m, [Op(REDUCE, y % 7, y) for y in range(r)])


@pytest.mark.parametrize("shape", [(7, 2, 2, 0, 1), (37, 5, 7, 1, 0), (67, 17, 33, 0, 0)], ids=str)
def test_odd_widths(shape: tuple[int, int, int, int, int]) -> None:
    """Halves of unequal length in the outermost layer and further in; limbs that do not fit a half."""
    width = shape[0]
    rng = Random(width)
    with ContractBench(shaped(*shape)) as bench:
        r = 1 << model.r_exp(bench.config.params)
        for m in [*edge_moduli(width), *(random_modulus(rng, width) for _ in range(10))]:
            limit = operand_limit(bench.config, m)
            edges = edge_operands(m, limit)
            ops = [Op(MUL, x, y) for x in edges for y in edges]
            ops += [Op(MUL, rng.randrange(limit), rng.randrange(limit)) for _ in range(50)]
            run_and_check(bench, m, [*ops, *(Op(REDUCE, 0, y) for y in [*edges, r - 1, rng.randrange(r)])])


@pytest.mark.parametrize(
    "name", ["w128", *(pytest.param(f"w128_{one}", marks=pytest.mark.wide) for one in ("half", "step4"))]
)
def test_contexts_do_not_mix(name: str) -> None:
    """Several moduli held at once, chosen operation by operation, all in flight together, with stalls."""
    rng = Random(7)
    config = resolve(f"karatsuba:{name}")
    r = 1 << model.r_exp(config.params)
    moduli = [random_modulus(rng, 128) for _ in range(3)]
    with ContractBench(config, contexts=3) as bench:
        bench.load(*moduli)
        ops = []
        for _ in range(600):
            ctx = rng.randrange(3)
            limit = operand_limit(config, moduli[ctx])
            ops.append(Op(rng.choice([MUL, REDUCE]), rng.randrange(limit), rng.randrange(limit), ctx))
        for seed in (0, 5, 6):
            for op, out in zip(ops, bench.run(ops, seed), strict=True):
                m = moduli[op.ctx]
                if op.kind == MUL:
                    assert out.z == model.mont_value(config.params, m, op.x, op.y)
                else:
                    assert out.z == mont(op.y, 1, m, r)


@pytest.mark.parametrize("half", [0, 1])
def test_an_idle_core_holds_nothing(half: int, tmp_path: Path) -> None:
    """Without any zeroize: after the time of an operation its slot has carried zeros everywhere.

    But what its ports present, in the registers behind them.
    """
    config = shaped(64, 17, 33, 0, half)
    product = model.mul_cycles(config.params)
    words = model.places(config.params) + 1  # of the memory of results, where a result stays that long
    for idle, empty in ((0, False), (words, True), (product, True), (-product // 2, False)):

        def rest(bench: WordBench, idle: int = idle) -> None:
            if idle < 0:  # in the middle of a product instead
                bench.start(Command.MULMOD)
            bench.lib.word_advance(bench.handle, abs(idle))

        seen = [name for name in difference(config, rest, tmp_path) if ".u_mul." in name]
        held = [name for name in seen if re.search(r"(_q|_mem\[\d+\]|\.p_o)(\[\d+:\d+\])?$", name)]
        held = [name for name in held if not re.search(r"\.u_mul\.req_[xy]_q\[", name)]
        assert (held == []) == empty, held


WORD_CONFIGS = [resolve("karatsuba:w128"), shaped(100, 17, 32, 1, 1)]


@pytest.fixture(scope="module", params=WORD_CONFIGS, ids=["w128", "w100_step4_half"])
def exponentiator(request: pytest.FixtureRequest) -> Iterator[WordBench]:
    """Yield each exponentiator in turn."""
    with WordBench(request.param) as opened:
        yield opened


def test_exponentiation(exponentiator: WordBench) -> None:
    rng = Random(4)
    config = exponentiator.config
    for m in [*edge_moduli(config.width), *(random_modulus(rng, config.width) for _ in range(6))]:
        exponentiator.load(m)
        x, y = rng.randrange(m), m - 1
        assert exponentiator.command(Command.MULMOD, x, y) == x * y % m
        assert exponentiator.cycles == cycles(config, Command.MULMOD)
        for mode in (Mode.WINDOW, Mode.BINARY):
            e = rng.getrandbits(64)
            assert exponentiator.command(Command.EXP, x, e=e, mode=mode, elen=64) == pow(x, e, m)
            assert exponentiator.cycles == cycles(config, Command.EXP, mode, 64, e)
        assert not exponentiator.errors()


def test_reset_in_the_middle(exponentiator: WordBench) -> None:
    """A reset drops what is in flight, in any pass, and the next operation is right."""
    m = (1 << exponentiator.config.width) - 59
    for after in range(1, 3 * model.mul_cycles(exponentiator.config.params), 17):
        exponentiator.load(m)
        exponentiator.write(X, m - 2)
        exponentiator.write(E, 65537)
        exponentiator.start(Command.EXP, Mode.WINDOW, 17)
        exponentiator.lib.word_advance(exponentiator.handle, after)
        exponentiator.lib.word_reset(exponentiator.handle)
        exponentiator.wait()
        assert exponentiator.read() == 0
        exponentiator.load(m)
        assert exponentiator.command(Command.MULMOD, m - 2, m - 3) == 6
