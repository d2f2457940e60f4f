// SPDX-License-Identifier: Apache-2.0
//
// OpMul     z ≡ x·y·R^-1 (mod M)          R = 2^(Width+2)
// OpReduce  z = y·R^-1 mod M              canonical; x is ignored
//
// Ranges    M odd, 3 <= M < 2^Width.
//           OpMul     x, y in [0, 2·M) → z in [0, 2·M): results feed back unchanged
//           OpReduce  y in [0, 2·M)    → z in [0, M)
//           No register overflows for any x, y of OperandBits
// Algorithm nedjah2002 Fig. 1 with A = x, B = y, and Width + 2 iterations instead of n:
//             for i = 0 … Width + 1:  S ← S + a_i·B;  if S is even then S ← S/2 else S ← (S + M)/2
//           with S in segments that save their carries (perle_iterative_segmented), or on the data path of
//           Fig. 2 (perle_iterative_whole). OpReduce is the product by A = 1: the result is at most M, and M
//           itself (only for y = M) becomes 0. Constant time
// Cycles                                    OpMul                    OpReduce
//             segments, K of them           Width + K + 8            the same
//             whole adders, one state       Width + 3                Width + 4
//             whole adders, paper's states  3·(Width+2) + 1          the same
//           the next request is accepted with the response
// Left out  several operations in flight
//
// Parameters
//   Width         bits of the widest modulus
//   PaperStates   1: whole adders and the six states of section 3, three cycles per bit; 0: one cycle per bit
//   Segment       bits of a segment; below 2: S is not split (perle_iterative_whole)
//   Contexts      moduli held by the wrapper and selected by req_ctx_i
//   TagBits       bits of the tag that travels with an operation

module perle_iterative_mul
  import perle_pkg::*;
  import perle_iterative_pkg::*;
#(
  parameter  int unsigned Width       = 1024,
  parameter  bit          PaperStates = 1'b0,
  parameter  int unsigned Segment     = 32,
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

  logic load, reduce;
  logic [TagBits-1:0] tag_q;
  logic [OperandBits-1:0] m;

  assign rsp_tag_o = tag_q;
  assign reduce = (req_op_i == OpReduce);
  assign m = mod_i[req_ctx_i][ConstM];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) tag_q <= '0;
    else if (load) tag_q <= req_tag_i;
  end

  if (segmented(PaperStates, Segment)) begin : gen_segmented
    perle_iterative_segmented #(
      .Width  (Width),
      .Segment(Segment)
    ) u_segmented (
      .clk_i,
      .rst_ni,
      .req_valid_i,
      .req_ready_o,
      .req_reduce_i(reduce),
      .req_x_i,
      .req_y_i,
      .req_m_i     (m),
      .load_o      (load),
      .rsp_valid_o,
      .rsp_ready_i,
      .rsp_z_o
    );
  end else begin : gen_whole
    perle_iterative_whole #(
      .Width      (Width),
      .PaperStates(PaperStates)
    ) u_whole (
      .clk_i,
      .rst_ni,
      .req_valid_i,
      .req_ready_o,
      .req_reduce_i(reduce),
      .req_x_i,
      .req_y_i,
      .req_m_i     (m),
      .load_o      (load),
      .rsp_valid_o,
      .rsp_ready_i,
      .rsp_z_o
    );
  end

endmodule
