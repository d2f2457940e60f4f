// SPDX-License-Identifier: Apache-2.0
//
// Σ rows_o = digit·value_i + Σ_r 2^(OperandBits + 1 + 2r)   modulo 2^Bits, for digit = Σ_r digit_i[r]·4^r
//
// Algorithm a row of partial products for each digit of Booth. A negative one is the complement, and 1 more: that
//           bit stands where the next row has none, that of the last row in a row of its own. A row's sign bit is
//           complemented instead of extended, which adds the constant.
//
// Parameters
//   Digits        digits of Booth
//   OperandBits   bits of the value, without sign
//   Bits          bits of a row

module perle_booth_row_multiple
  import perle_booth_row_pkg::*;
#(
  parameter int unsigned Digits      = 4,
  parameter int unsigned OperandBits = 273,
  parameter int unsigned Bits        = 283
) (
  input  booth_t [Digits-1:0]                  digit_i,
  input  logic               [OperandBits-1:0] value_i,
  output logic   [  Digits:0][       Bits-1:0] rows_o
);

  for (genvar r = 0; r < Digits; r++) begin : gen_rows
    logic [OperandBits:0] once, twice, product;
    assign once = {1'b0, value_i};
    assign twice = {value_i, 1'b0};
    assign product = ((once & {OperandBits + 1{digit_i[r].one}}) | (twice & {OperandBits + 1{digit_i[r].two}}))
        ^ {OperandBits + 1{digit_i[r].neg}};
    if (r == 0) begin : gen_first
      assign rows_o[r] = Bits'({~digit_i[r].neg, product});
    end else begin : gen_others
      assign rows_o[r] = Bits'({~digit_i[r].neg, product, 1'b0, digit_i[r-1].neg}) << (2 * r - 2);
    end
  end
  assign rows_o[Digits] = Bits'(digit_i[Digits-1].neg) << (2 * Digits - 2);

endmodule
