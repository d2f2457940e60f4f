// SPDX-License-Identifier: Apache-2.0
//
// Assertions at every processing element: the first word of Z has only zeros below the digit of the element;
// its carry word has a zero in the lowest bit of the digit, so that q is exact (the paper's Booth element
// adds that bit); the count owed_i is within its range.

module perle_scalable_pe_sva
  import perle_scalable_pkg::*;
#(
  parameter int unsigned WordWidth = 16,
  parameter int unsigned Pos       = 0,
  parameter int unsigned MostOwed  = 0,
  parameter bit          Exact     = 1'b1  // bit Pos of z_c is 0 in a first word
) (
  input logic                 clk_i,
  input logic                 first_i,
  input logic [ OwedBits-1:0] owed_i,
  input logic [WordWidth-1:0] z_s_i,
  input logic [WordWidth-1:0] z_c_i
);

  localparam logic [WordWidth-1:0] LowMask = (WordWidth'(1) << Pos) - WordWidth'(1);

  // first_i may be a register without reset: its power-on value is overwritten after two edges
  logic [1:0] clocked_q;
  logic first;

  initial clocked_q = '0;
  always_ff @(posedge clk_i) clocked_q <= {clocked_q[0], 1'b1};
  assign first = first_i && clocked_q[1];

  AssertLowBitsZero : assert property (@(posedge clk_i) first |-> (((z_s_i | z_c_i) & LowMask) == '0));
  AssertDigitExact : assert property (@(posedge clk_i) (Exact && first) |-> !z_c_i[Pos]);
  AssertOwed : assert property (@(posedge clk_i) first |-> (owed_i <= OwedBits'(MostOwed)));

endmodule

bind perle_scalable_pe_r2 perle_scalable_pe_sva #(
  .WordWidth(WordWidth),
  .Pos      (Pos)
) u_sva (
  .*
);

bind perle_scalable_pe_r4 perle_scalable_pe_sva #(
  .WordWidth(WordWidth),
  .Pos      (Pos)
) u_sva (
  .first_i(first_q),
  .*
);

bind perle_scalable_pe_b4 perle_scalable_pe_sva #(
  .WordWidth(WordWidth),
  .Pos      (Pos),
  .MostOwed (5)
) u_sva (
  .first_i(first_q),
  .*
);

bind perle_scalable_pe_b4_paper perle_scalable_pe_sva #(
  .WordWidth(WordWidth),
  .Pos      (Pos),
  .MostOwed (2),
  .Exact    (1'b0)
) u_sva (
  .first_i(first_q),
  .*
);
