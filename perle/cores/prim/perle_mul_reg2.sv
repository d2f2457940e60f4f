// SPDX-License-Identifier: Apache-2.0
//
// p ← x·y: one unsigned device multiplier with registers at its inputs and at its output.
//
// Ranges    x, y in [0, 2^Width); p in [0, 2^(2·Width))
// Cycles    p_o holds the product two cycles after x_i and y_i, a new product every cycle
// Left out  enable and reset: the surrounding module uses the product of the right cycle only
//
// Parameters
//   Width   bits of a factor; device multipliers take 17 or 18 unsigned bits

module perle_mul_reg2 #(
  parameter int unsigned Width = 17
) (
  input  logic               clk_i,
  input  logic [  Width-1:0] x_i,
  input  logic [  Width-1:0] y_i,
  output logic [2*Width-1:0] p_o
);

  logic [Width-1:0] x_q, y_q;

  always_ff @(posedge clk_i) begin
    x_q <= x_i;
    y_q <= y_i;
    p_o <= (2 * Width)'(x_q) * (2 * Width)'(y_q);
  end

endmodule
