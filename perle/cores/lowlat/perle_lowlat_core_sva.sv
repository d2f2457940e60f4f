// SPDX-License-Identifier: Apache-2.0
//
// Assertions of perle_lowlat_core, bound in every simulation: latencies, a stable response under
// backpressure, and forwarding only of the product whose response comes with the request.

module perle_lowlat_core_sva
  import perle_pkg::*;
  import perle_lowlat_pkg::*;
#(
  parameter int unsigned Digits        = 33,
  parameter int unsigned QuotientDelay = 3,
  parameter int unsigned RadixBits     = 18,
  parameter int unsigned TagBits       = 4,
  parameter bit          Forward       = 1'b0,
  parameter int unsigned OperandBits   = 594
) (
  // named as the core's ports, whatever their direction there
  // verilog_lint: waive-start port-name-suffix
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic                   req_valid_i,
  input logic                   req_ready_o,
  input mul_op_e                req_op_i,
  input logic                   req_early_i,
  input logic                   req_forward_i,
  input logic [OperandBits-1:0] req_y_i,
  input logic [    TagBits-1:0] req_tag_i,
  input logic                   rsp_valid_o,
  input logic                   rsp_ready_i,
  input logic [    TagBits-1:0] rsp_tag_o,
  input logic [OperandBits-1:0] rsp_z_o
  // verilog_lint: waive-stop port-name-suffix
);

  int unsigned elapsed_q, expected, expected_q;
  logic busy_q, early_q;

  assign expected = (req_op_i == OpReduce) ? reduce_cycles(Digits, QuotientDelay, RadixBits) :
      req_early_i ? early_cycles(Digits, QuotientDelay, RadixBits) :
      mul_cycles(Digits, QuotientDelay, RadixBits);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      elapsed_q <= 0;
      expected_q <= 0;
      busy_q <= 1'b0;
      early_q <= 1'b0;
    end else if (req_valid_i && req_ready_o) begin
      elapsed_q <= 1;
      expected_q <= expected;
      early_q <= req_early_i && (req_op_i != OpReduce);
      busy_q <= 1'b1;
    end else begin
      elapsed_q <= elapsed_q + 1;
      if (rsp_valid_o && rsp_ready_i) busy_q <= 1'b0;
    end
  end

  // rsp_z_o is left out here, as it may change for some cycles after an early response: see AssertSame
  perle_mul_contract_sva #(
    .TagBits    (TagBits),
    .OperandBits(1)
  ) u_contract (
    .*,
    .latency_i(expected),
    .rsp_z_o  (1'b0)
  );

  AssertSame : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (rsp_valid_o && !rsp_ready_i && !(early_q && elapsed_q < expected_q + EarlyCycles)) |=>
      $stable(rsp_z_o));
  // a forwarded y is the product of the early response in this cycle, and the flag was valid two cycles
  // before
  AssertForward : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (req_valid_i && req_ready_o && req_forward_i) |-> (rsp_valid_o && early_q && (req_y_i == rsp_z_o)));
  AssertKnown : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (req_valid_i && req_ready_o && busy_q) |-> (req_forward_i == $past(req_forward_i, 2)));
  AssertOperation : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (Forward && req_valid_i && req_ready_o) |-> (req_op_i == $past(req_op_i)));

endmodule

bind perle_lowlat_core perle_lowlat_core_sva #(
  .Digits       (Digits),
  .QuotientDelay(QuotientDelay),
  .RadixBits    (RadixBits),
  .TagBits      (TagBits),
  .Forward      (Forward),
  .OperandBits  (OperandBits)
) u_sva (
  .*
);
