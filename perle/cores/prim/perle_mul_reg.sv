// SPDX-License-Identifier: Apache-2.0
//
// p ← x·y: one unsigned device multiplier with its output register.
//
// Ranges    x, y in [0, 2^Width); p in [0, 2^(2·Width))
// Cycles    p_o holds the product one cycle after en_i
// Left out  input and pipeline registers: the digit recurrences that use this leaf close in two cycles
//
// Parameters
//   Width   bits of a factor; device multipliers take 17 or 18 unsigned bits

module perle_mul_reg #(
  parameter int unsigned Width = 17
) (
  input  logic               clk_i,
  input  logic               en_i,
  input  logic [  Width-1:0] x_i,
  input  logic [  Width-1:0] y_i,
  output logic [2*Width-1:0] p_o
);

  always_ff @(posedge clk_i) begin
    if (en_i) p_o <= (2 * Width)'(x_i) * (2 * Width)'(y_i);
  end

endmodule
