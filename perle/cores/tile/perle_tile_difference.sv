// SPDX-License-Identifier: Apache-2.0
//
// |a − b| and its sign, or a alone.
//
//   magnitude_o = pair_i ? |a − b| : a     negative_o = pair_i and a < b
//
// Ranges    a, b in [0, 2^Bits)
// Cycles    latency 2; negative_o is valid one cycle before its magnitude_o
// Left out  resets
//
// Parameters
//   Bits   of a and b

module perle_tile_difference #(
  parameter int unsigned Bits = 54
) (
  input  logic            clk_i,
  input  logic            pair_i,
  input  logic [Bits-1:0] a_i,
  input  logic [Bits-1:0] b_i,
  output logic            negative_o,
  output logic [Bits-1:0] magnitude_o
);

  logic [Bits:0] difference, difference_q;
  logic [Bits-1:0] magnitude;

  assign negative_o = difference_q[Bits];

  perle_tile_adder #(
    .Bits(Bits + 1)
  ) u_difference (
    .a_i    ({1'b0, a_i}),
    .b_i    ({1'b0, b_i}),
    .use_i  (pair_i),
    .flip_i (pair_i),
    .carry_i(pair_i),
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
    .sum_o  (magnitude)
  );

  always_ff @(posedge clk_i) begin
    difference_q <= difference;
    magnitude_o <= magnitude;
  end

endmodule
