# SPDX-License-Identifier: Apache-2.0
"""Each assertion of the contract passes for a correct multiplier and fails for one that violates it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from perle.cores.registry import CORES, Config, family
from perle.flow.cache import cache_root
from perle.verify.failure import BenchError
from perle.verify.testbench import MUL, ContractBench, Op

LATENCY = 5
FAULTS = ["none", "late", "early", "tag", "unstable", "overrun"]

# A pipeline that returns x + y after five cycles; `Fault` selects the violation.
SOURCE = f"""// SPDX-License-Identifier: Apache-2.0
module contract_example
  import perle_pkg::*;
  import perle_iterative_pkg::*;
#(
  parameter int unsigned Width = 8,
  parameter int unsigned Fault = 0,
  parameter bit Exact = 1'b1,
  parameter int unsigned Contexts = 1,
  parameter int unsigned TagBits = 4,
  localparam int unsigned OperandBits = operand_bits(Width),
  localparam int unsigned CtxBits = 1
) (
  input logic clk_i,
  input logic rst_ni,
  input logic [Contexts-1:0][ConstCount-1:0][OperandBits-1:0] mod_i,
  input logic req_valid_i,
  output logic req_ready_o,
  input mul_op_e req_op_i,
  input logic [CtxBits-1:0] req_ctx_i,
  input logic [TagBits-1:0] req_tag_i,
  input logic [OperandBits-1:0] req_x_i,
  input logic [OperandBits-1:0] req_y_i,
  output logic rsp_valid_o,
  input logic rsp_ready_i,
  output logic [TagBits-1:0] rsp_tag_o,
  output logic [OperandBits-1:0] rsp_z_o
);
  localparam int unsigned Latency = {LATENCY} + (Fault == 1 ? 1 : 0) - (Fault == 2 ? 1 : 0);
  int unsigned elapsed_q;
  logic busy_q;
  logic [TagBits-1:0] seen_tag;
  logic [OperandBits-1:0] seen_z;
  logic unused;
  assign unused = ^{{mod_i, req_op_i, req_ctx_i}};
  assign req_ready_o = !busy_q || (rsp_valid_o && rsp_ready_i) || (Fault == 5 && elapsed_q == 2);
  assign rsp_valid_o = busy_q && (elapsed_q >= Latency);
  // what the testbench sees by itself is shown to the assertions alone
  assign seen_tag = (Fault == 3) ? ~rsp_tag_o : rsp_tag_o;
  assign seen_z = (Fault == 4) ? rsp_z_o ^ OperandBits'(elapsed_q) : rsp_z_o;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      elapsed_q <= 0;
      busy_q <= 1'b0;
      rsp_tag_o <= '0;
      rsp_z_o <= '0;
    end else begin
      elapsed_q <= elapsed_q + 1;
      if (rsp_valid_o && rsp_ready_i) busy_q <= 1'b0;
      if (req_valid_i && req_ready_o) begin
        elapsed_q <= 1;
        busy_q <= 1'b1;
        rsp_tag_o <= req_tag_i;
        rsp_z_o <= req_x_i + req_y_i;
      end
    end
  end
endmodule

bind contract_example perle_mul_contract_sva #(
  .TagBits(TagBits),
  .OperandBits(OperandBits),
  .Exact(Exact)
) u_contract (
  .*,
  .rsp_tag_o(seen_tag),
  .rsp_z_o(seen_z),
  .latency_i({LATENCY})
);
"""


def run(fault: str, *, exact: bool = True) -> None:
    """Drive the example with random pauses and stalls."""
    source = cache_root() / "contract_example.sv"
    source.write_text(SOURCE, encoding="utf-8")
    # A fixed path, so that the cached simulator also finds the file in runs of other checkouts.
    assertions = cache_root() / "perle_mul_contract_sva.sv"
    assertions.write_bytes((CORES / "prim" / assertions.name).read_bytes())
    package, *_ = (path for path in family("iterative").files if path.stem == "perle_iterative_pkg")
    files = (CORES / "prim" / "perle_pkg.sv", package, assertions, source)
    example = replace(family("iterative"), top="contract_example", files=files, assertions=())
    params = {"Width": 8, "Fault": FAULTS.index(fault), "Exact": int(exact)}
    with ContractBench(Config(example, "example", params)) as bench:
        rng = Random(7)
        ops = [Op(MUL, rng.randrange(100), rng.randrange(100)) for _ in range(200)]
        for seed in (0, 3):
            assert [out.z for out in bench.run(ops, seed=seed)] == [op.x + op.y for op in ops]


@pytest.mark.parametrize("exact", [True, False])
def test_who_keeps_the_contract_passes(exact: bool) -> None:
    run("none", exact=exact)


@pytest.mark.parametrize(
    ("fault", "exact", "name"),
    [
        ("late", True, "AssertLatency"),
        ("early", True, "AssertLatency|AssertNotEarlier"),
        ("early", False, "AssertNotEarlier"),
        ("tag", True, "AssertTag"),
        ("unstable", True, "AssertHeld"),
        ("overrun", False, "AssertInFlight"),
    ],
)
def test_who_breaks_it_is_told_which_promise(fault: str, exact: bool, name: str) -> None:
    with pytest.raises(BenchError, match=name):
        run(fault, exact=exact)
