// SPDX-License-Identifier: Apache-2.0
//
// Carries between digits, from two bits per digit: g, the digit overflows; any, it overflows with a carry-in.
//
//   cin_0 = 0 ;  cin_{j+1} = g_j or (any_j and cin_j)
//
// Ranges    g implies any
// Algorithm carry-select: the sum of the vectors any and g has these carries. Both halves are added at the
//           same time, the upper one for both values of the carry out of the lower one; a copy of that carry
//           serves a few digits
// Cycles    latency 1, with one LUT level after the registers
//
// Parameters
//   Digits   number of digits

module perle_lowlat_carry_resolve #(
  parameter int unsigned Digits = 30
) (
  input  logic              clk_i,
  input  logic [Digits-1:0] generate_i,
  input  logic [Digits-1:0] any_i,
  output logic [Digits-1:0] carry_o
);

  localparam int unsigned Lower = (Digits + 1) / 2;
  localparam int unsigned Upper = Digits - Lower;
  localparam int unsigned CopyDigits = 4;

  logic [Lower-1:0] any_l, both_l, lower_q;
  logic [Upper-1:0] any_u, both_u, without_q, with_q, upper;
  logic [Lower:0] sum_l;
  // the last digit has no carry-out
  // verilator lint_off UNUSEDSIGNAL
  logic [Upper:0] sum_without;
  logic [Upper+1:0] sum_with;
  // verilator lint_on UNUSEDSIGNAL

  assign both_l = generate_i[Lower-1:0];
  assign any_l = any_i[Lower-1:0];
  assign both_u = generate_i[Digits-1:Lower];
  assign any_u = any_i[Digits-1:Lower];
  assign sum_l = {1'b0, any_l} + {1'b0, both_l};
  assign sum_without = {1'b0, any_u} + {1'b0, both_u};
  assign sum_with = {1'b0, any_u, 1'b1} + {1'b0, both_u, 1'b1};

  always_ff @(posedge clk_i) begin
    lower_q <= any_l ^ both_l ^ sum_l[Lower-1:0];
    without_q <= any_u ^ both_u ^ sum_without[Upper-1:0];
    with_q <= any_u ^ both_u ^ sum_with[Upper:1];
  end

  // Copies of the carry into the upper half, as it fans out across the array: synthesis must not merge them.
  for (genvar j = 0; j < Upper; j += CopyDigits) begin : gen_copy
    localparam int unsigned Last = (j + CopyDigits < Upper) ? j + CopyDigits : Upper;
    logic out_q;
    (* keep *) always_ff @(posedge clk_i) out_q <= sum_l[Lower];
    assign upper[Last-1:j] = out_q ? with_q[Last-1:j] : without_q[Last-1:j];
  end

  assign carry_o = {upper, lower_q};

endmodule
