// SPDX-License-Identifier: Apache-2.0
//
// Outputs the factors of a folded layer's three products in turn: X0 and Y0, X1 and Y1, |X1 − X0| and |Y1 −
// Y0|.
//
// Ranges    x, y in [0, 2^Width), and 0 in the two cycles after nonzero factors; X = 2^h·X1 + X0, h =
//           ⌈Width/2⌉
// Algorithm the differences are delayed to the third cycle of the round in which they are ready. In each
//           cycle at most one of the three pairs of factors is nonzero, so that they are ORed and no counter
//           is needed
// Cycles    X0 and Y0 after one, X1 and Y1 after two, the differences after 3·(1 + fold_rounds); II 3
//
// Parameters
//   Width, LimbWidth   bits of a factor, longest carry chain

module perle_karatsuba_fold_factors
  import perle_karatsuba_pkg::*;
#(
  parameter  int unsigned Width     = 130,
  parameter  int unsigned LimbWidth = 33,
  localparam int unsigned Half      = half(Width)
) (
  input  logic             clk_i,
  input  logic [Width-1:0] x_i,
  input  logic [Width-1:0] y_i,
  output logic [ Half-1:0] x_o,
  output logic [ Half-1:0] y_o,
  output logic             sub_o  // both differences have the same sign; valid with the undelayed differences
);

  localparam int unsigned Limbs = limbs(Half, LimbWidth);

  logic [Half-1:0] x0, x1, y0, y1, x1_q, y1_q, x_diff, y_diff, x_third, y_third;
  logic x_negative, y_negative;

  assign x0 = x_i[Half-1:0];
  assign y0 = y_i[Half-1:0];
  assign x1 = Half'(x_i[Width-1:Half]);
  assign y1 = Half'(y_i[Width-1:Half]);

  perle_karatsuba_absdiff #(
    .Width    (Half),
    .LimbWidth(LimbWidth)
  ) u_x_diff (
    .clk_i,
    .x_i       (x1),
    .y_i       (x0),
    .diff_o    (x_diff),
    .negative_o(x_negative)
  );

  perle_karatsuba_absdiff #(
    .Width    (Half),
    .LimbWidth(LimbWidth)
  ) u_y_diff (
    .clk_i,
    .x_i       (y1),
    .y_i       (y0),
    .diff_o    (y_diff),
    .negative_o(y_negative)
  );

  perle_karatsuba_delay #(
    .Width (2 * Half),
    .Cycles(Products * fold_rounds(Limbs) + 1 - Limbs)
  ) u_wait_third (
    .clk_i,
    .d_i({x_diff, y_diff}),
    .q_o({x_third, y_third})
  );

  always_ff @(posedge clk_i) begin
    x1_q <= x1;
    y1_q <= y1;
    x_o <= x0 | x1_q | x_third;
    y_o <= y0 | y1_q | y_third;
  end

  assign sub_o = (x_negative == y_negative);

endmodule
