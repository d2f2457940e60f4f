// SPDX-License-Identifier: Apache-2.0
//
// OpMul     z ≡ x·y·R^-1 (mod M)          R = 2^(Width+2)
// OpReduce  z = y·R^-1 mod M              canonical, x is ignored
//
// Ranges    M odd, 3 <= M < 2^Width.
//           OpMul     x, y in [0, 2·M) → z in [0, 2·M), so that results feed back unchanged
//           OpReduce  y in [0, 2·M)    → z in [0, M)
//           Any x, y of OperandBits keep every register within its bits
// Algorithm nedjah2002 Fig. 1 with A = x, B = y, and Width + 2 iterations in place of n:
//             for i = 0 … Width + 1:  R ← R + a_i·B;  if r_0 = 0 then R ← R/2 else R ← (R + M)/2
//           on the datapath of Fig. 2. OpReduce is the product by A = 1: it ends at or below M, and M itself
//           (only from y = M) becomes 0. No data-dependent time
// Cycles                        OpMul             OpReduce
//             PaperStates = 0   Width + 3         Width + 4
//             PaperStates = 1   3·(Width+2) + 1   3·(Width+2) + 1
//           the next request is accepted with the response
// Left out  several operations in flight; a carry-save form of R: both adders ripple through in one cycle
//
// Parameters
//   Width         bits of the widest modulus
//   PaperStates   1: the six states of Fig. 3, three cycles a bit; 0: one cycle a bit
//   Contexts      moduli held by the wrapper and selected by req_ctx_i
//   TagBits       bits of the tag that travels with an operation

module perle_iterative_mul
  import perle_pkg::*;
  import perle_iterative_pkg::*;
#(
  parameter  int unsigned Width       = 1024,
  parameter  bit          PaperStates = 1'b0,
  parameter  int unsigned Contexts    = 1,
  parameter  int unsigned TagBits     = 4,
  localparam int unsigned OperandBits = operand_bits(Width),
  localparam int unsigned CtxBits     = (Contexts > 1) ? $clog2(Contexts) : 1
) (
  input  logic                                                    clk_i,
  input  logic                                                    rst_ni,
  input  logic    [Contexts-1:0][ConstCount-1:0][OperandBits-1:0] mod_i,
  input  logic                                                    req_valid_i,
  output logic                                                    req_ready_o,
  input  mul_op_e                                                 req_op_i,
  input  logic    [ CtxBits-1:0]                                  req_ctx_i,
  input  logic    [ TagBits-1:0]                                  req_tag_i,
  input  logic    [OperandBits-1:0]                               req_x_i,
  input  logic    [OperandBits-1:0]                               req_y_i,
  output logic                                                    rsp_valid_o,
  input  logic                                                    rsp_ready_i,
  output logic    [ TagBits-1:0]                                  rsp_tag_o,
  output logic    [OperandBits-1:0]                               rsp_z_o
);

  localparam int unsigned Iterations = iterations(Width);

  logic load, sum, shift, clear, reduce_q;
  logic [TagBits-1:0] tag_q;

  assign rsp_tag_o = tag_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reduce_q <= 1'b0;
      tag_q <= '0;
    end else if (load) begin
      reduce_q <= (req_op_i == OpReduce);
      tag_q <= req_tag_i;
    end
  end

  if (PaperStates) begin : gen_paper
    perle_iterative_ctrl_paper #(
      .Iterations(Iterations)
    ) u_ctrl (
      .clk_i,
      .rst_ni,
      .req_valid_i,
      .req_ready_o,
      .reduce_i(reduce_q),
      .rsp_valid_o,
      .rsp_ready_i,
      .load_o  (load),
      .sum_o   (sum),
      .shift_o (shift),
      .clear_o (clear)
    );
  end else begin : gen_streamlined
    perle_iterative_ctrl_streamlined #(
      .Iterations(Iterations)
    ) u_ctrl (
      .clk_i,
      .rst_ni,
      .req_valid_i,
      .req_ready_o,
      .reduce_i(reduce_q),
      .rsp_valid_o,
      .rsp_ready_i,
      .load_o  (load),
      .sum_o   (sum),
      .shift_o (shift),
      .clear_o (clear)
    );
  end

  perle_iterative_datapath #(
    .Width(Width)
  ) u_datapath (
    .clk_i,
    .load_i (load),
    .sum_i  (sum),
    .shift_i(shift),
    .clear_i(clear),
    .a_i    ((req_op_i == OpReduce) ? OperandBits'(1) : req_x_i),
    .b_i    (req_y_i),
    .m_i    (mod_i[req_ctx_i][ConstM]),
    .r_o    (rsp_z_o)
  );

endmodule
