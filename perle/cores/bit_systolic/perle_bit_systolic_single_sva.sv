// SPDX-License-Identifier: Apache-2.0
//
// Assertions of perle_bit_systolic_single, bound in every simulation: the latency, a stable response under
// backpressure, the closed range for legal moduli and operands, and that S starts at zero.

module perle_bit_systolic_single_sva
  import perle_pkg::*;
  import perle_bit_systolic_pkg::*;
#(
  parameter  int unsigned Width       = 1024,
  parameter  int unsigned Contexts    = 1,
  parameter  int unsigned TagBits     = 4,
  parameter  int unsigned OperandBits = 1025,
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
  input logic    [OperandBits-1:0]                               req_x_i,
  input logic    [OperandBits-1:0]                               req_y_i,
  input logic                                                    rsp_valid_o,
  input logic                                                    rsp_ready_i,
  input logic    [ TagBits-1:0]                                  rsp_tag_o,
  input logic    [OperandBits-1:0]                               rsp_z_o,
  input logic                                                    begins,  // row 0 enters column 0 next
  input logic    [  OperandBits:0]                               sum
  // verilog_lint: waive-stop port-name-suffix
);

  localparam int unsigned Wide = OperandBits + 1;

  logic reduce_q, legal_q;
  logic [OperandBits-1:0] m_q, m;
  logic [Wide-1:0] twice;

  assign m = mod_i[req_ctx_i][ConstM];
  assign twice = {m, 1'b0};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reduce_q <= 1'b0;
      legal_q <= 1'b0;
      m_q <= '0;
    end else if (req_valid_i && req_ready_o) begin
      reduce_q <= (req_op_i == OpReduce);
      legal_q <= m[0] && (m > OperandBits'(1)) && !m[Width] && (Wide'(req_y_i) < twice) &&
          ((req_op_i == OpReduce) || (Wide'(req_x_i) < twice));
      m_q <= m;
    end
  end

  perle_mul_contract_sva #(
    .TagBits    (TagBits),
    .OperandBits(OperandBits)
  ) u_contract (
    .*,
    .latency_i(single_cycles(Width))
  );

  AssertClosed : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (rsp_valid_o && legal_q) |-> (Wide'(rsp_z_o) < (reduce_q ? {1'b0, m_q} : {m_q, 1'b0})));
  AssertBeginsAtZero : assert property (@(posedge clk_i) disable iff (!rst_ni) begins |-> (sum == '0));

endmodule

bind perle_bit_systolic_single perle_bit_systolic_single_sva #(
  .Width      (Width),
  .Contexts   (Contexts),
  .TagBits    (TagBits),
  .OperandBits(OperandBits)
) u_sva (
  .*,
  .begins(busy_q && count_q == '0),
  .sum   ({top_q, s_q})
);
