// SPDX-License-Identifier: Apache-2.0
//
// OpMul     z ≡ x·y·R^-1 (mod M)          R = 2^(n+1), n = Width + 1
// OpReduce  z = y·R^-1 mod M              canonical, x is ignored
//
// Ranges    M odd, 3 <= M < 2^Width.
//           OpMul     x, y in [0, 2·M) → z in [0, 2·M), so that results feed back unchanged
//           OpReduce  y in [0, 2·M)    → z in [0, M)
// Algorithm nedjah2002 Fig. 6, corrected, on one row of columns: row i of the array is in column j in cycle
//           2i + j. Constant time
// Cycles    Paper = 0   3n + 8, two products accepted every 2(n + 1) cycles: perle_bit_systolic_pair
//           Paper = 1   3n + 3, one product at a time: perle_bit_systolic_single
// Left out  bit-serial operands: the row could load and deliver one bit per cycle; the contract is parallel
//
// Parameters
//   Width      bits of the widest modulus
//   Paper      1: the row as in the paper, with one product in flight and no registers at the ports
//   Contexts   moduli held by the wrapper and selected by req_ctx_i
//   TagBits    bits of the tag that travels with an operation

module perle_bit_systolic_mul
  import perle_pkg::*;
  import perle_bit_systolic_pkg::*;
#(
  parameter  int unsigned Width       = 1024,
  parameter  bit          Paper       = 1'b0,
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

  if (Paper) begin : gen_single
    perle_bit_systolic_single #(
      .Width   (Width),
      .Contexts(Contexts),
      .TagBits (TagBits)
    ) u_single (
      .*
    );
  end else begin : gen_pair
    perle_bit_systolic_pair #(
      .Width   (Width),
      .Contexts(Contexts),
      .TagBits (TagBits)
    ) u_pair (
      .*
    );
  end

endmodule
