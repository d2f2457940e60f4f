// SPDX-License-Identifier: Apache-2.0
//
// sum + carry = a + b + c, one word per cycle, least significant first.
//
// Ranges    words of WordWidth bits; the carry into bit 0 is 0 in the word marked first
// Algorithm full adders; the top carry is registered for the next word
// Cycles    combinational, apart from the carry to the next word
// Left out  the carry out of the last word: operands have spare bits for it
//
// Parameters
//   WordWidth   w

module perle_scalable_csa #(
  parameter int unsigned WordWidth = 16
) (
  input  logic                 clk_i,
  input  logic                 first_i,
  input  logic [WordWidth-1:0] a_i,
  input  logic [WordWidth-1:0] b_i,
  input  logic [WordWidth-1:0] c_i,
  output logic [WordWidth-1:0] sum_o,
  output logic [WordWidth-1:0] carry_o
);

  logic [WordWidth-1:0] majority;
  logic top_q;

  assign majority = (a_i & b_i) | (a_i & c_i) | (b_i & c_i);
  assign sum_o = a_i ^ b_i ^ c_i;
  assign carry_o = {majority[WordWidth-2:0], top_q && !first_i};

  always_ff @(posedge clk_i) top_q <= majority[WordWidth-1];

endmodule
