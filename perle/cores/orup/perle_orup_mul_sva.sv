// SPDX-License-Identifier: Apache-2.0
//
// Assertions of perle_orup_mul, bound in every simulation: the contract, with the latencies of
// perle_orup_pkg.

module perle_orup_mul_sva
  import perle_pkg::*;
  import perle_orup_pkg::*;
#(
  parameter int unsigned Digits        = 62,
  parameter int unsigned ChainSegments = 4,
  parameter int unsigned QuotientDelay = 0,
  parameter int unsigned TagBits       = 4,
  parameter int unsigned OperandBits   = 1054
) (
  // named as the core's ports, whatever their direction there
  // verilog_lint: waive-start port-name-suffix
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic                   req_valid_i,
  input logic                   req_ready_o,
  input mul_op_e                req_op_i,
  input logic [    TagBits-1:0] req_tag_i,
  input logic                   rsp_valid_o,
  input logic                   rsp_ready_i,
  input logic [    TagBits-1:0] rsp_tag_o,
  input logic [OperandBits-1:0] rsp_z_o
  // verilog_lint: waive-stop port-name-suffix
);

  int unsigned latency;

  assign latency = (req_op_i == OpReduce) ? reduce_cycles(Digits, ChainSegments, QuotientDelay) :
      mul_cycles(Digits, ChainSegments, QuotientDelay);

  perle_mul_contract_sva #(
    .TagBits    (TagBits),
    .OperandBits(OperandBits)
  ) u_contract (
    .*,
    .latency_i(latency)
  );

endmodule

bind perle_orup_mul perle_orup_mul_sva #(
  .Digits       (Digits),
  .ChainSegments(ChainSegments),
  .QuotientDelay(QuotientDelay),
  .TagBits      (TagBits),
  .OperandBits  (OperandBits)
) u_sva (
  .*
);
