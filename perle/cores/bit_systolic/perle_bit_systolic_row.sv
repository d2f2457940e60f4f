// SPDX-License-Identifier: Apache-2.0
//
// One row of columns that executes all rows of the array: borders, cells, operand bits and results.
//
//   z ≡ A·B·2^−(n+1) (mod M), one bit of A per row
//
// Ranges    A, B in [0, 2^n), M in [0, 2^(n−1)); S < M + B throughout
// Algorithm nedjah2002 Fig. 7, projected on one row: row i is in column j in cycle 2i + j, so that a product
//           starts a row in every other cycle, and the rows of a second product fit in between
// Cycles    load_i and load_slot_i in cycle 0; the rows of the product start in cycles 1, 3, … 2n + 1
//           (active_i), the last with last_i; z_j is computed in cycle 2n + 2 + j; push_o comes in cycle 3n +
//           2, z_o in 3n + 3
// Left out  control of the starts of rows: see perle_bit_systolic_pair
//
// Parameters
//   Bits       n, bits of an operand
//   Contexts   moduli selected by ctx_i

module perle_bit_systolic_row
  import perle_bit_systolic_pkg::*;
#(
  parameter  int unsigned Bits     = 1025,
  parameter  int unsigned Contexts = 1,
  localparam int unsigned CtxBits  = (Contexts > 1) ? $clog2(Contexts) : 1
) (
  input  logic                                          clk_i,
  input  logic                                          rst_ni,
  input  logic [Contexts-1:0][ConstCount-1:0][Bits-1:0] mod_i,
  input  logic                                          load_i,
  input  logic [    Bits-1:0]                           load_slot_i,
  input  logic [ CtxBits-1:0]                           ctx_i,
  input  logic [    Bits-1:0]                           b_i,
  input  logic                                          active_i,
  input  logic                                          last_i,
  input  logic                                          reduce_i,
  input  logic                                          a_i,
  output logic                                          push_o,
  output logic                                          zero_o,
  output logic [    Bits-1:0]                           z_o
);

  logic [Bits-1:0] b, m;
  logic [Bits:1] mb, sum;
  logic [Bits:0] first, last;
  logic a_first, q_first, carry_first, a_last, q_last, carry_last, s_right, s_left;

  perle_bit_systolic_operands #(
    .Bits    (Bits),
    .Contexts(Contexts)
  ) u_operands (
    .clk_i,
    .rst_ni,
    .mod_i,
    .load_i,
    .load_slot_i,
    .ctx_i,
    .b_i,
    .last_i (last),
    .first_o(first),
    .b_o    (b),
    .m_o    (m),
    .mb_o   (mb)
  );

  perle_bit_systolic_right u_right (
    .clk_i,
    .rst_ni,
    .active_i,
    .first_i(first[0]),
    .a_i,
    .b_i    (b[0]),
    .s_i    (s_right),
    .a_o    (a_first),
    .q_o    (q_first),
    .carry_o(carry_first)
  );

  perle_bit_systolic_cells #(
    .Cells(Bits - 1)
  ) u_cells (
    .clk_i,
    .rst_ni,
    .a_i      (a_first),
    .q_i      (q_first),
    .carry_i  (carry_first),
    .first_i  (first[Bits-1:1]),
    .b_i      (b[Bits-1:1]),
    .m_i      (m[Bits-1:1]),
    .mb_i     (mb[Bits-1:1]),
    .s_left_i (s_left),
    .sum_o    (sum[Bits-1:1]),
    .s_right_o(s_right),
    .a_o      (a_last),
    .q_o      (q_last),
    .carry_o  (carry_last)
  );

  perle_bit_systolic_left u_left (
    .clk_i,
    .rst_ni,
    .first_i(first[Bits]),
    .a_i    (a_last),
    .q_i    (q_last),
    .mb_i   (mb[Bits]),
    .carry_i(carry_last),
    .sum_o  (sum[Bits]),
    .s_o    (s_left)
  );

  perle_bit_systolic_collect #(
    .Bits(Bits)
  ) u_collect (
    .clk_i,
    .rst_ni,
    .last_i,
    .reduce_i,
    .sum_i (sum),
    .m_i   (m),
    .last_o(last),
    .push_o,
    .zero_o,
    .z_o
  );

endmodule
