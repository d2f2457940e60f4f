// SPDX-License-Identifier: Apache-2.0
//
// Partial products of digit·value_i: with digit = Σ_r digit_i[r]·4^r of the cycle before
//
//   Σ rows_o = digit·value_i + Σ_r 2^(ValueBits + 1 + 2r)   modulo 2^Bits
//
// Ranges    value_i in [0, 2^ValueBits); digit_i[r] in {−1, 0, 1, 2}, one-hot
// Algorithm one row for each digit of radix 4. A negative row is the complement plus one; the one is placed
//           in an empty position of the next row, that of the last row in an extra row. The sign bit of a row
//           is complemented instead of extended, which adds the constant. The digits are registered, with a
//           copy for every Group columns: a buffer tree from one copy to all columns would take as long as
//           two full adders
// Cycles    rows_o one cycle after digit_i, and in the cycle of value_i
//
// Parameters
//   Digits        digits of radix 4
//   ValueBits     bits of the value, unsigned
//   Bits          bits of a row
//   Group         columns that share a copy of the digits

module perle_carry_save_multiple
  import perle_carry_save_pkg::*;
#(
  parameter int unsigned Digits    = 4,
  parameter int unsigned ValueBits = 273,
  parameter int unsigned Bits      = 283,
  parameter int unsigned Group     = 16
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  input  digit_t [   Digits-1:0]           digit_i,
  input  logic   [ValueBits-1:0]           value_i,
  output logic   [     Digits:0][Bits-1:0] rows_o
);

  localparam int unsigned Groups = (ValueBits + Group) / Group;  // of ValueBits + 1 columns

  logic [Digits-1:0][ValueBits:0] product;
  logic [ValueBits+1:0] value;  // with a zero below the lowest bit and one above the highest
  digit_t [Digits-1:0] lowest, highest;

  assign value = {1'b0, value_i, 1'b0};

  for (genvar g = 0; g < Groups; g++) begin : gen_groups
    localparam int unsigned First = g * Group;
    localparam int unsigned Size = (First + Group > ValueBits + 1) ? ValueBits + 1 - First : Group;
    // synthesis must not merge the copies
    digit_t [Digits-1:0] digit_q;
    (* keep *) always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) digit_q <= '0;
      else digit_q <= digit_i;
    end
    for (genvar r = 0; r < Digits; r++) begin : gen_rows
      assign product[r][First+:Size] = (value[First+1+:Size] & {Size{digit_q[r].one}}) |
          (value[First+:Size] & {Size{digit_q[r].two}}) | (~value[First+1+:Size] & {Size{digit_q[r].minus}});
    end
    if (g == 0) begin : gen_lowest
      assign lowest = digit_q;
    end
    if (g == Groups - 1) begin : gen_highest
      assign highest = digit_q;
    end
  end

  for (genvar r = 0; r < Digits; r++) begin : gen_rows
    if (r == 0) begin : gen_first
      assign rows_o[r] = Bits'({~highest[r].minus, product[r]});
    end else begin : gen_others
      assign rows_o[r] = Bits'({~highest[r].minus, product[r], 1'b0, lowest[r-1].minus}) << (2 * r - 2);
    end
  end
  assign rows_o[Digits] = Bits'(lowest[Digits-1].minus) << (2 * Digits - 2);

endmodule
