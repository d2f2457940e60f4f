// SPDX-License-Identifier: Apache-2.0
//
// p = x·y: a leaf of the recursion that is wider than a device multiplier, like those of 32 bits in the
// paper.
//
// Ranges    x, y in [0, 2^Width)
// Algorithm four device multipliers of half the width, h = ⌈Width/2⌉, X = 2^h·X1 + X0, Y = 2^h·Y1 + Y0:
//             X·Y = 2^(2h)·X1·Y1 + X0·Y0 + 2^h·(X1·Y0 + X0·Y1)
//           The middle term is added in one cycle, then it is added limb by limb to the 3h bits from bit h
//           on. The paper generates its leaves with vendor tools; table II counts four multipliers for each
// Cycles    latency leaf_cycles of perle_karatsuba_pkg; II 1
//
// Parameters
//   Width, LimbWidth   bits of a factor; longest carry chain, except the middle term of 2h + 1 bits

module perle_karatsuba_leaf
  import perle_karatsuba_pkg::*;
#(
  parameter int unsigned Width     = 32,
  parameter int unsigned LimbWidth = 32
) (
  input  logic               clk_i,
  input  logic [  Width-1:0] x_i,
  input  logic [  Width-1:0] y_i,
  output logic [2*Width-1:0] p_o
);

  localparam int unsigned Half = half(Width);
  localparam int unsigned Rest = 3 * Half;

  logic [1:0][Half-1:0] x, y;
  logic [1:0][1:0][2*Half-1:0] part;  // part[i][j] = X_i·Y_j
  logic [2*Half:0] middle_q;
  logic [4*Half-1:0] outer_q;
  logic [Rest-1:0] rest;
  logic [Half-1:0] lowest;
  logic unused_carry;

  assign x = (2 * Half)'(x_i);
  assign y = (2 * Half)'(y_i);

  for (genvar i = 0; i < 2; i++) begin : gen_x
    for (genvar j = 0; j < 2; j++) begin : gen_y
      perle_mul_reg2 #(
        .Width(Half)
      ) u_mul (
        .clk_i,
        .x_i(x[i]),
        .y_i(y[j]),
        .p_o(part[i][j])
      );
    end
  end

  always_ff @(posedge clk_i) begin
    middle_q <= (2 * Half + 1)'(part[1][0]) + (2 * Half + 1)'(part[0][1]);
    outer_q <= {part[1][1], part[0][0]};
  end

  perle_karatsuba_add #(
    .Width    (Rest),
    .LimbWidth(LimbWidth)
  ) u_add (
    .clk_i,
    .a_i    (outer_q[4*Half-1:Half]),
    .b_i    (Rest'(middle_q)),
    .carry_i(1'b0),
    .sum_o  (rest),
    .carry_o(unused_carry)
  );

  perle_karatsuba_delay #(
    .Width (Half),
    .Cycles(limbs(Rest, LimbWidth))
  ) u_wait (
    .clk_i,
    .d_i(outer_q[Half-1:0]),
    .q_o(lowest)
  );

  assign p_o = (2 * Width)'({rest, lowest});

endmodule
