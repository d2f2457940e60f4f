// SPDX-License-Identifier: Apache-2.0
//
// Assertions of perle_tile_mul, bound in every simulation: latencies, a stable response under backpressure,
// the canonical range of OpReduce for legal moduli, and the cycles of perle_tile_leave.

module perle_tile_mul_sva
  import perle_pkg::*;
#(
  parameter  int unsigned Width       = 1024,
  parameter  int unsigned Contexts    = 1,
  parameter  int unsigned TagBits     = 4,
  parameter  int unsigned Blocks      = 20,
  parameter  int unsigned OperandBits = 1080,
  localparam int unsigned ConstCount  = perle_tile_pkg::ConstCount,
  localparam int unsigned CtxBits     = (Contexts > 1) ? $clog2(Contexts) : 1
) (
  // named as the core's ports, whatever their direction there
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
  input logic                                                    leave,  // perle_tile_leave starts
  input logic                                                    left    // and ends
  // verilog_lint: waive-stop port-name-suffix
);

  localparam int unsigned LeaveCycles = perle_tile_pkg::leave_cycles(3 * Blocks);

  int unsigned latency, leave_q;  // cycles of the last step so far
  logic reduce_q;
  logic [OperandBits-1:0] m_q, m;

  assign m = mod_i[req_ctx_i][perle_tile_pkg::ConstM];
  assign latency = (req_op_i == OpReduce) ? perle_tile_pkg::reduce_cycles(Blocks) :
      perle_tile_pkg::mul_cycles(Blocks);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reduce_q <= 1'b0;
      m_q <= '0;
      leave_q <= 0;
    end else begin
      leave_q <= leave ? 1 : (left || leave_q == 0) ? 0 : leave_q + 1;
      if (req_valid_i && req_ready_o) begin
        reduce_q <= (req_op_i == OpReduce) && m[0] && (m > OperandBits'(1)) && !m[Width];
        m_q <= m;
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

  AssertCanonical : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (rsp_valid_o && reduce_q) |-> (rsp_z_o < m_q));
  // checked separately, as the engines rely on it; the response comes at its fixed time later
  AssertLeave : assert property (@(posedge clk_i) disable iff (!rst_ni)
      left == (leave_q == LeaveCycles));

endmodule

bind perle_tile_mul perle_tile_mul_sva #(
  .Width      (Width),
  .Contexts   (Contexts),
  .TagBits    (TagBits),
  .Blocks     (Blocks),
  .OperandBits(OperandBits)
) u_sva (
  .*,
  .leave(u_leave.go_i),
  .left (u_leave.done_o)
);
