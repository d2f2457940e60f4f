# SPDX-License-Identifier: Apache-2.0
"""The multiplier in RTL, bit-exact to its model: exhaustive where tiny, edges, random products, chains.

A result every three cycles from full batches; operations of several moduli in flight together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate, pairwise
from pathlib import Path
from random import Random

import pytest

from perle.cores.karatsuba import model
from perle.cores.registry import Config, family, resolve
from perle.verify.cases import edge_moduli, edge_operands, operand_limit, random_modulus
from perle.verify.contract import ContractSuite
from perle.verify.testbench import MUL, REDUCE, ContractBench, Op

pytestmark = pytest.mark.proves("exact", "timed")

NARROW = ["w128", "w128_leaf18", "w128_step4", "w128_half", "w128_paper", "w128_fold", "w256"]
WIDE = ["w256_half", "w512", "w512_half", "w512_step4", "w256_paper", "w512_fold", "w1024", "w1024_fold"]
CONFIGS = [*NARROW, *(pytest.param(name, marks=pytest.mark.wide) for name in WIDE)]
# LeafWidth, LimbWidth, WithStep4, HalfProducts: two layers of even and odd halves, one layer, none.
TINY = [(2, 1, 0, 0), (2, 2, 0, 1), (2, 3, 1, 0), (3, 1, 1, 1), (3, 2, 0, 1), (8, 3, 0, 0), (8, 2, 1, 1)]
# The same of folded layers, of 1, 2, 3 and 4 limbs in a half: third product and loop in every alignment.
FOLDED = [(2, 4, 0, 0), (3, 2, 0, 1), (2, 2, 1, 1), (4, 2, 1, 0), (2, 1, 0, 1), (3, 1, 0, 0)]
# LeafWidth, LimbWidth, WithStep4 of leaves of four multipliers: an even leaf, odd ones, no layer.
SPLIT = [(4, 3, 0), (3, 1, 1), (5, 2, 0), (8, 2, 1)]


def shaped(width: int, leaf: int, limb: int, step4: int, half: int, **more: int) -> Config:
    """Return a multiplier of any shape."""
    chosen = {"Width": width, "LeafWidth": leaf, "LimbWidth": limb, "WithStep4": step4, "HalfProducts": half}
    return Config(family("karatsuba"), "shaped", family("karatsuba").complete(chosen | more))


class TestContract(ContractSuite):
    family_name = "karatsuba"
    wide = tuple(WIDE)
    mixed = tuple(resolve(f"karatsuba:{name}") for name in ("w128", "w128_half", "w128_step4"))
    slow_mixed = ("w128_half", "w128_step4")

    def gaps(self, config: Config, count: int) -> list[int]:
        """Return the gaps between requests for batches that fill the loop, with three passes each."""
        taken = [model.acceptance(config.params, i) for i in range(count)]
        return [after - before for before, after in pairwise(taken)]

    def reduced(self, config: Config, m: int) -> list[int]:
        """OpReduce takes any operand below R."""
        return [*edge_operands(m, operand_limit(config, m)), (1 << model.r_exp(config.params)) - 1]

    def chained(self, config: Config) -> list[int]:
        return edge_moduli(config.width)[-6 if config.width < 512 else -2 :]


run_and_check = TestContract().check


@pytest.fixture(params=CONFIGS)
def bench(request: pytest.FixtureRequest) -> Iterator[ContractBench]:
    """Yield each configuration's multiplier in turn."""
    with ContractBench(resolve(f"karatsuba:{request.param}")) as opened:
        yield opened


def test_full_batches_give_a_result_every_three_cycles(bench: ContractBench) -> None:
    """Back to back there are exactly `slots` results in every 3·`depth` cycles, without end."""
    rng, par = Random(3), bench.config.params
    batch = model.slots(par)
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
    assert results[-1] == 4 * model.interval(par) * batch + model.acceptance(
        par, batch - 1
    ) + model.mul_cycles(par)


def test_a_batch_below_the_depth_costs_three_rounds_all_the_same(bench: ContractBench) -> None:
    par = bench.config.params
    few = model.slots(par) // 2
    bench.load(3)
    outcomes = bench.run([Op(MUL, 1, 1)] * few)
    assert [out.gap for out in outcomes[:-1]] == [model.start(par)] * (few - 1)
    assert {out.latency for out in outcomes} == {model.mul_cycles(par)}
    assert model.mul_cycles(par) >= model.interval(par) * model.slots(par)


def test_a_full_loop_of_chains(bench: ContractBench) -> None:
    """As many squaring chains as the loop has slots, results fed back as they stand, with stalls."""
    par = bench.config.params
    rng = Random(11)
    m = random_modulus(rng, bench.config.width)
    bench.load(m)
    z = [rng.randrange(operand_limit(bench.config, m)) for _ in range(model.slots(par))]
    for step in range(25):
        expected = [model.mont_value(par, m, x, x) for x in z]
        z = [out.z for out in bench.run([Op(MUL, x, x) for x in z], seed=step % 3)]
        assert z == expected


# The multiplier behind gates: requests pass while `ask` is 1, responses while `answer` is 1.
GATED = """// SPDX-License-Identifier: Apache-2.0
module perle_karatsuba_gated import perle_pkg::*; import perle_karatsuba_pkg::*; #(
  parameter int unsigned Width = 6, LeafWidth = 2, LimbWidth = 2, WithStep4 = 0, HalfProducts = 0,
  parameter int unsigned SplitLeaf = 0, Fold = 0,
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
  logic ask, answer, ready, valid;
  assign req_ready_o = ready && ask;
  assign rsp_valid_o = valid && answer;
  perle_karatsuba_mul #(
    .Width(Width), .LeafWidth(LeafWidth), .LimbWidth(LimbWidth), .WithStep4(WithStep4),
    .HalfProducts(HalfProducts), .SplitLeaf(SplitLeaf), .Fold(Fold),
    .Contexts(Contexts), .TagBits(TagBits)
  ) u_mul (
    .*, .req_valid_i(req_valid_i && ask), .req_ready_o(ready),
    .rsp_valid_o(valid), .rsp_ready_i(rsp_ready_i && answer)
  );
GATES
endmodule
"""
# All responses wait for 512 cycles, then pass for 512.
SELDOM_ANSWERED = """
  logic [9:0] time_q;
  always_ff @(posedge clk_i or negedge rst_ni) time_q <= !rst_ni ? '0 : time_q + 10'd1;
  assign ask = 1'b1;
  assign answer = time_q[9];
"""
# After request i there is none for i + 1 cycles.
SLOWER_AND_SLOWER = """
  logic [7:0] idle_q, wait_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {idle_q, wait_q} <= '0;
    else if (req_valid_i && req_ready_o) {idle_q, wait_q} <= {8'd0, wait_q + 8'd1};
    else if (!ask) idle_q <= idle_q + 8'd1;
  end
  assign ask = idle_q >= wait_q;
  assign answer = 1'b1;
"""


def gated(config: Config, gates: str, folder: Path) -> Config:
    """Return a multiplier behind gates."""
    gate = folder / "perle_karatsuba_gated.sv"
    gate.write_text(GATED.replace("GATES", gates), encoding="utf-8")
    behind = replace(config.family, top=gate.stem, files=(*config.family.files, gate))
    return replace(config, family=behind)


@pytest.mark.parametrize("shape", [(2, 1, 0, 1, 0), (2, 1, 0, 1, 1), (2, 4, 0, 0, 1)], ids=str)
def test_requests_at_every_distance(shape: tuple[int, int, int, int, int], tmp_path: Path) -> None:
    """Each is accepted in the first cycle in which the model admits it, however late it comes."""
    *plain, fold = shape
    config = shaped(6, *plain, Fold=fold)
    rng, m, par = Random(9), 61, config.params
    ops = [Op(MUL, rng.randrange(2 * m), rng.randrange(2 * m)) for _ in range(3 * model.depth(par) + 9)]
    assert len(ops) < 256
    with ContractBench(gated(config, SLOWER_AND_SLOWER, tmp_path)) as bench:
        bench.load(m)
        outcomes = bench.run(ops)
    taken = [0]
    for i, (op, out) in enumerate(zip(ops, outcomes, strict=True)):
        assert out.z == model.mont_value(par, m, op.x, op.y)
        assert out.latency == model.mul_cycles(par)
        if i + 1 < len(ops):
            now = taken[-1] + 1 + (i + 1)
            while not model.admits(par, taken, now):
                now += 1
            assert out.gap == now - taken[-1], i
            taken.append(now)


@pytest.mark.parametrize("shape", [(2, 1, 0, 1, 0), (8, 3, 0, 0, 0), (2, 2, 0, 0, 1)], ids=str)
def test_responses_that_nobody_takes(shape: tuple[int, int, int, int, int], tmp_path: Path) -> None:
    """Requests are accepted until all places are full, and no more; none is lost or reordered."""
    *plain, fold = shape
    config = shaped(6, *plain, Fold=fold)
    rng, m = Random(8), 61
    ops = [Op(MUL, rng.randrange(2 * m), rng.randrange(2 * m)) for _ in range(1000)]
    with ContractBench(gated(config, SELDOM_ANSWERED, tmp_path)) as bench:
        bench.load(m)
        outcomes = bench.run(ops)
    now, events = 0, []
    for op, out in zip(ops, outcomes, strict=True):
        assert out.z == model.mont_value(config.params, m, op.x, op.y)
        events += [(now, 1), (now + out.latency, -1)]
        now += out.gap
    held = list(accumulate(change for _, change in sorted(events)))
    assert model.places(config.params) - 1 <= max(held) <= model.places(config.params)


def every_operand(config: Config) -> None:
    """Width 6: every odd M, every x and y of the redundant range; OpReduce of every y below R."""
    with ContractBench(config) as bench:
        r = 1 << model.r_exp(config.params)
        for m in range(3, 64, 2):
            limit = operand_limit(config, m)
            run_and_check(bench, [m], [Op(MUL, x, y) for x in range(limit) for y in range(limit)])
            run_and_check(bench, [m], [Op(REDUCE, y % 7, y) for y in range(r)])


@pytest.mark.parametrize("shape", TINY, ids="leaf{0[0]}_limb{0[1]}_step{0[2]}_half{0[3]}".format)
def test_all_redundant_operands_of_all_odd_moduli_below_64(shape: tuple[int, int, int, int]) -> None:
    every_operand(shaped(6, *shape))


@pytest.mark.parametrize("shape", FOLDED, ids="leaf{0[0]}_limb{0[1]}_step{0[2]}_half{0[3]}".format)
def test_a_folded_layer(shape: tuple[int, int, int, int]) -> None:
    every_operand(shaped(6, *shape, Fold=1))


@pytest.mark.parametrize("shape", SPLIT, ids="leaf{0[0]}_limb{0[1]}_step{0[2]}".format)
def test_leaves_of_four_multipliers(shape: tuple[int, int, int]) -> None:
    every_operand(shaped(6, *shape, 0, SplitLeaf=1))


ODD = [
    ((7, 2, 2, 0, 1), {}),
    ((37, 5, 7, 1, 0), {}),
    ((67, 17, 33, 0, 0), {}),
    # folded with two registers behind the multiplier, of 5 and of 3 limbs in a half
    ((31, 5, 4, 0, 1), {"Fold": 1}),
    ((37, 5, 9, 1, 1), {"Fold": 1, "SplitLeaf": 1}),
]


@pytest.mark.parametrize(("shape", "more"), ODD, ids=str)
def test_odd_widths(shape: tuple[int, int, int, int, int], more: dict[str, int]) -> None:
    """Halves of unequal length in the outermost layer and further in; limbs that do not fit a half."""
    width = shape[0]
    rng = Random(width)
    with ContractBench(shaped(*shape, **more)) as bench:
        r = 1 << model.r_exp(bench.config.params)
        for m in [*edge_moduli(width), *(random_modulus(rng, width) for _ in range(10))]:
            limit = operand_limit(bench.config, m)
            edges = edge_operands(m, limit)
            ops = [Op(MUL, x, y) for x in edges for y in edges]
            ops += [Op(MUL, rng.randrange(limit), rng.randrange(limit)) for _ in range(50)]
            run_and_check(bench, [m], [*ops, *(Op(REDUCE, 0, y) for y in [*edges, r - 1, rng.randrange(r)])])
