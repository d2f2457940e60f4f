// SPDX-License-Identifier: Apache-2.0
//
// Assertion of perle_tile_block_product: its two halves add up to the product, so that no sum inside
// overflows.

module perle_tile_block_product_sva #(
  parameter int unsigned RadixBits = 18,
  localparam int unsigned BlockBits = 3 * RadixBits
) (
  // named as the module's ports, whatever their direction there
  // verilog_lint: waive-start port-name-suffix
  input logic                        clk_i,
  input logic [       BlockBits-1:0] u_i,
  input logic [       BlockBits-1:0] v_i,
  input logic signed [BlockBits+2:0] low_o,
  input logic signed [BlockBits+1:0] high_o
  // verilog_lint: waive-stop port-name-suffix
);

  localparam int unsigned Cycles = 6;
  localparam int unsigned Wide = 2 * BlockBits + 4;

  logic [Wide-1:0] product_q[Cycles];
  // checks start when initial register values have left the pipeline
  // verilator lint_off PROCASSINIT
  logic [Cycles-1:0] there_q = '0;
  // verilator lint_on PROCASSINIT

  always_ff @(posedge clk_i) begin
    there_q <= {there_q[Cycles-2:0], 1'b1};
    product_q[0] <= Wide'(u_i) * Wide'(v_i);
    for (int unsigned n = 1; n < Cycles; n++) product_q[n] <= product_q[n-1];
  end

  AssertProduct : assert property (@(posedge clk_i) there_q[Cycles-1] |->
      (Wide'(low_o) + (Wide'(high_o) << BlockBits) == product_q[Cycles-1]));

endmodule

bind perle_tile_block_product perle_tile_block_product_sva #(.RadixBits(RadixBits)) u_sva (.*);
