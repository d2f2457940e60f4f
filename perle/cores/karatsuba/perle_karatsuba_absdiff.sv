// SPDX-License-Identifier: Apache-2.0
//
// diff = |x − y|, negative = (x < y).
//
// Ranges    x, y, diff in [0, 2^Width)
// Algorithm chow2010 section III.B: both differences limb by limb, then the one without borrow
// Cycles    latency ⌈Width/LimbWidth⌉ + 1, II 1
//
// Parameters
//   Width, LimbWidth   bits of an operand, longest carry chain

module perle_karatsuba_absdiff #(
  parameter int unsigned Width     = 65,
  parameter int unsigned LimbWidth = 33
) (
  input  logic             clk_i,
  input  logic [Width-1:0] x_i,
  input  logic [Width-1:0] y_i,
  output logic [Width-1:0] diff_o,
  output logic             negative_o
);

  logic [Width-1:0] x_minus_y, y_minus_x;
  logic x_ge_y, unused_carry;

  perle_karatsuba_add #(
    .Width    (Width),
    .LimbWidth(LimbWidth)
  ) u_x_minus_y (
    .clk_i,
    .a_i    (x_i),
    .b_i    (~y_i),
    .carry_i(1'b1),
    .sum_o  (x_minus_y),
    .carry_o(x_ge_y)
  );

  perle_karatsuba_add #(
    .Width    (Width),
    .LimbWidth(LimbWidth)
  ) u_y_minus_x (
    .clk_i,
    .a_i    (y_i),
    .b_i    (~x_i),
    .carry_i(1'b1),
    .sum_o  (y_minus_x),
    .carry_o(unused_carry)
  );

  always_ff @(posedge clk_i) begin
    diff_o <= x_ge_y ? x_minus_y : y_minus_x;
    negative_o <= !x_ge_y;
  end

endmodule
