// SPDX-License-Identifier: Apache-2.0
//
// |a − b| of digits and its sign; magnitude_o is to be registered at the input of a multiplier.
//
// Ranges    a, b in [0, 2^Bits)
// Cycles    latency 1; one addition lies between the register and magnitude_o
// Left out  resets
//
// Parameters
//   Bits   of a digit

module perle_tile_digit_difference #(
  parameter int unsigned Bits = 18
) (
  input  logic            clk_i,
  input  logic [Bits-1:0] a_i,
  input  logic [Bits-1:0] b_i,
  output logic            negative_o,
  output logic [Bits-1:0] magnitude_o
);

  logic [Bits:0] difference, difference_q;

  assign negative_o = difference_q[Bits];

  perle_tile_adder #(
    .Bits(Bits + 1)
  ) u_difference (
    .a_i    ({1'b0, a_i}),
    .b_i    ({1'b0, b_i}),
    .use_i  (1'b1),
    .flip_i (1'b1),
    .carry_i(1'b1),
    .sum_o  (difference)
  );

  perle_tile_adder #(
    .Bits(Bits)
  ) u_magnitude (
    .a_i    ('0),
    .b_i    (difference_q[Bits-1:0]),
    .use_i  (1'b1),
    .flip_i (negative_o),
    .carry_i(negative_o),
    .sum_o  (magnitude_o)
  );

  always_ff @(posedge clk_i) difference_q <= difference;

endmodule
