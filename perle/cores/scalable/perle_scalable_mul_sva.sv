// SPDX-License-Identifier: Apache-2.0
//
// Assertions of perle_scalable_mul, bound in every simulation: latencies for the n of each operation, the
// kernel cycles of carter2012's equation (2), a stable response under backpressure, and no overflow of the
// FIFO.

module perle_scalable_mul_sva
  import perle_pkg::*;
  import perle_scalable_pkg::*;
#(
  parameter int unsigned Width       = 256,
  parameter int unsigned WordWidth   = 16,
  parameter int unsigned Elements    = 16,
  parameter int unsigned Kind        = KindR2,
  parameter int unsigned Contexts    = 1,
  parameter int unsigned TagBits     = 4,
  parameter int unsigned OperandBits = 272,
  parameter int unsigned CtxBits     = 1
) (
  // named as the core's signals, whatever their direction there
  // verilog_lint: waive-start port-name-suffix
  input logic                                                    clk_i,
  input logic                                                    rst_ni,
  input logic    [Contexts-1:0][ConstCount-1:0][OperandBits-1:0] mod_i,
  input logic                                                    req_valid_i,
  input logic                                                    req_ready_o,
  input mul_op_e                                                 req_op_i,
  input logic    [ CtxBits-1:0]                                  req_ctx_i,
  input logic    [ TagBits-1:0]                                  req_tag_i,
  input logic                                                    rsp_valid_o,
  input logic                                                    rsp_ready_i,
  input logic    [ TagBits-1:0]                                  rsp_tag_o,
  input logic    [OperandBits-1:0]                               rsp_z_o,
  input step_e                                                   step,
  input flags_t                                                  flags,
  input logic                                                    out_valid
  // verilog_lint: waive-stop port-name-suffix
);

  int unsigned n, n_q, latency, kernel_q, words_q, waiting_q;
  logic into, out, kernel_end;

  always_comb begin
    n = int'(mod_i[req_ctx_i][ConstBits]);
    if (n == 0 || mod_i[req_ctx_i][ConstBits] > OperandBits'(Width)) n = Width;
  end
  assign latency = (req_op_i == OpReduce) ? reduce_cycles(n, WordWidth, Elements, Kind) :
      mul_cycles(n, WordWidth, Elements, Kind);
  assign into = flags.valid;
  assign out = (step == StepPass) || (step == StepUnload);
  assign kernel_end = (step == StepUnload) && flags.first;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      n_q <= Width;
      kernel_q <= 0;
      words_q <= 0;
      waiting_q <= 0;
    end else begin
      kernel_q <= (step == StepFirstPass && flags.first) ? 1 : kernel_q + 1;
      words_q <= flags.first ? 1 : into ? words_q + 1 : words_q;
      waiting_q <= waiting_q + (out_valid ? 1 : 0) - (out ? 1 : 0);
      if (req_valid_i && req_ready_o) begin
        n_q <= n;
        waiting_q <= 0;
      end
    end
  end

  perle_mul_contract_sva #(
    .TagBits    (TagBits),
    .OperandBits(OperandBits)
  ) u_contract (
    .*,
    .latency_i(latency)
  );

  // from the first word into the first element to the cycle in which it could accept the first word of the
  // result
  AssertKernel : assert property (@(posedge clk_i) disable iff (!rst_ni)
      kernel_end |-> (kernel_q == kernel_cycles(n_q, WordWidth, Elements, Kind)));
  // a pass is e + 1 words without a gap
  AssertPass : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (into && flags.last) |-> (words_q == words(n_q, WordWidth, Kind)));
  AssertPassGap : assert property (@(posedge clk_i) disable iff (!rst_ni) (into && !flags.last) |=> into);
  // equation (2) is the minimum: either a pass uses its word as soon as it arrives, or words follow without a
  // gap
  AssertNoSlack : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (step == StepPass && flags.first) |-> (waiting_q == 1 || $past(into)));
  AssertQueueHas : assert property (@(posedge clk_i) disable iff (!rst_ni) out |-> (waiting_q > 0));
  AssertQueueHolds : assert property (@(posedge clk_i) disable iff (!rst_ni)
      waiting_q <= queue_depth(Width, WordWidth, Elements, Kind));

endmodule

bind perle_scalable_mul perle_scalable_mul_sva #(
  .Width      (Width),
  .WordWidth  (WordWidth),
  .Elements   (Elements),
  .Kind       (Kind),
  .Contexts   (Contexts),
  .TagBits    (TagBits),
  .OperandBits(OperandBits),
  .CtxBits    (CtxBits)
) u_sva (
  .*
);
