// SPDX-License-Identifier: Apache-2.0
//
// sum_o + carry_o = Σ rows_i   modulo 2^Bits, for at least three rows
//
// Ranges    words in [0, 2^Bits); Rows >= 3
// Algorithm full adders, Rows − 2 of them in every column. Each takes the first three words of a queue and
//           appends its two outputs, which gives a tree of minimum depth
// Cycles    none: combinational
//
// Parameters
//   Rows, Bits   words, and bits of each

module perle_carry_save_tree #(
  parameter int unsigned Rows = 10,
  parameter int unsigned Bits = 280
) (
  input  logic [Rows-1:0][Bits-1:0] rows_i,
  output logic [Bits-1:0]           sum_o,
  output logic [Bits-1:0]           carry_o
);

  localparam int unsigned Words = 3 * Rows - 4;

  logic [Words-1:0][Bits-1:0] words;

  assign words[Rows-1:0] = rows_i;
  for (genvar i = 0; i < Rows - 2; i++) begin : gen_adders
    logic [Bits-1:0] a, b, c;
    logic [Bits-2:0] carry;
    assign {a, b, c} = {words[3*i], words[3*i+1], words[3*i+2]};
    // the carry out of the highest column is dropped: sums are modulo 2^Bits
    assign carry = (Bits - 1)'((a & b) | (a & c) | (b & c));
    assign words[Rows+2*i] = a ^ b ^ c;
    assign words[Rows+2*i+1] = {carry, 1'b0};
  end
  assign sum_o   = words[Words-2];
  assign carry_o = words[Words-1];

endmodule
