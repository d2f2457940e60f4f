// SPDX-License-Identifier: Apache-2.0
//
// p ← x·y: one unsigned device multiplier with registers at the inputs and the output, and a pipeline
// register if wanted.
//
// Ranges    x, y in [0, 2^Width); p in [0, 2^(2·Width))
// Cycles    p_o holds the product two cycles after x_i and y_i, three with the pipeline register
// Left out  enable and reset: the surrounding module uses the product of the right cycle only
//
// Parameters
//   Width    bits of a factor
//   Middle   1: with the pipeline register inside the multiplier

module perle_tile_leaf_mul #(
  parameter int unsigned Width  = 18,
  parameter bit          Middle = 1'b0
) (
  input  logic               clk_i,
  input  logic [  Width-1:0] x_i,
  input  logic [  Width-1:0] y_i,
  output logic [2*Width-1:0] p_o
);

  logic [Width-1:0] x_q, y_q;
  logic [2*Width-1:0] product;

  assign product = (2 * Width)'(x_q) * (2 * Width)'(y_q);

  always_ff @(posedge clk_i) begin
    x_q <= x_i;
    y_q <= y_i;
  end

  if (Middle) begin : gen_middle
    logic [2*Width-1:0] product_q;

    always_ff @(posedge clk_i) begin
      product_q <= product;
      p_o <= product_q;
    end
  end else begin : gen_no_middle
    always_ff @(posedge clk_i) p_o <= product;
  end

endmodule
