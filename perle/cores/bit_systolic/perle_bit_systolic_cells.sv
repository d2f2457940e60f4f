// SPDX-License-Identifier: Apache-2.0
//
// Inner cells of the row, columns 1 … Cells; bit j of every vector belongs to cell j.
//
//   x_j = 0, b_j, m_j or mb_j by (a_i, q_i);   (carry, s_{j−1}) ← s_j + x_j + carry
//
// Ranges    one bit each
// Algorithm nedjah2002 Fig. 6 lines 3–9 and the cell of Fig. 7, with the indices corrected: column j adds s_j
//           and x_j, and its sum becomes bit j−1 of the next S, which is the division by 2
// Cycles    latency 1: a, q and the carry go to column j+1, the sum to column j−1. Row i is in column j in
//           cycle 2i + j, so that a product uses a cell every other cycle and two products can share the
//           cells
// Left out  the operand bits and the results: see perle_bit_systolic_operands and perle_bit_systolic_collect
//
// Parameters
//   Cells   n − 1

module perle_bit_systolic_cells #(
  parameter int unsigned Cells = 1024
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // from the right border
  input  logic             a_i,
  input  logic             q_i,
  input  logic             carry_i,
  // for the row that is in each cell: operand bits, and whether it is the first of its product (S = 0)
  input  logic [Cells : 1] first_i,
  input  logic [Cells : 1] b_i,
  input  logic [Cells : 1] m_i,
  input  logic [Cells : 1] mb_i,
  input  logic             s_left_i,  // s of column Cells, from the left border
  output logic [Cells : 1] sum_o,     // bit j: s_{j−1} of the next row, not registered
  output logic             s_right_o, // s_0, to the right border
  // to the left border
  output logic             a_o,
  output logic             q_o,
  output logic             carry_o
);

  // Bit j of a_q, q_q, c_q is an output of cell j; bit j of s_q of cell j+1.
  logic [Cells : 1] a_q, q_q, c_q, a, q, c, s, x;
  logic [Cells-1 : 0] s_q;

  assign a = {a_q[Cells-1:1], a_i};
  assign q = {q_q[Cells-1:1], q_i};
  assign c = {c_q[Cells-1:1], carry_i};
  assign s = {s_left_i, s_q[Cells-1:1]} & ~first_i;
  assign x = (a & q & mb_i) | (a & ~q & b_i) | (~a & q & m_i);
  assign sum_o = s ^ x ^ c;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a_q <= '0;
      q_q <= '0;
      c_q <= '0;
      s_q <= '0;
    end else begin
      a_q <= a;
      q_q <= q;
      c_q <= (s & x) | (s & c) | (x & c);
      s_q <= sum_o;
    end
  end

  assign s_right_o = s_q[0];
  assign a_o = a_q[Cells];
  assign q_o = q_q[Cells];
  assign carry_o = c_q[Cells];

endmodule
