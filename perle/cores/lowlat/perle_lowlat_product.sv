// SPDX-License-Identifier: Apache-2.0
//
// p ← x·y: the product of two digits, with one device multiplier, or with four if the digits are wider than
// its factors.
//
// Ranges    x, y in [0, 2^k); p in [0, 2^(2k))
// Algorithm four multipliers: with h = ⌈k/2⌉, x = x_l + x_h·2^h and y = y_l + y_h·2^h,
//             p = x_l·y_l + (x_l·y_h + x_h·y_l)·2^h + x_h·y_h·2^(2h)
//           The first and the last product do not overlap; above 2^h, one carry-save step reduces them and
//           the two middle products to the operands of a single addition
// Cycles    product_cycles of perle_lowlat_pkg, from x_i and y_i: two registers of the multipliers, and with
//           four multipliers one of the sum; a new product every cycle
//
// Parameters
//   RadixBits   k, at most 2·WidestFactor

module perle_lowlat_product
  import perle_lowlat_pkg::*;
#(
  parameter int unsigned RadixBits = 36
) (
  input  logic                   clk_i,
  input  logic [  RadixBits-1:0] x_i,
  input  logic [  RadixBits-1:0] y_i,
  output logic [2*RadixBits-1:0] p_o
);

  if (RadixBits <= WidestFactor) begin : gen_one
    perle_mul_reg2 #(
      .Width(RadixBits)
    ) u_mul (
      .clk_i,
      .x_i,
      .y_i,
      .p_o
    );
  end else begin : gen_four
    localparam int unsigned Half = (RadixBits + 1) / 2;
    localparam int unsigned UpperBits = 2 * RadixBits - Half;

    logic [1:0][Half-1:0] x, y;
    // of x_h·y_h only the bits below 2^(2·(k−h)) can be nonzero
    // verilator lint_off UNUSEDSIGNAL
    logic [1:0][1:0][2*Half-1:0] part;  // part[i][j] = x_i·y_j
    // verilator lint_on UNUSEDSIGNAL
    logic [UpperBits-1:0] outer, inner, other, save_sum, save_carry, upper_q;
    logic [Half-1:0] lower_q;

    assign x = (2 * Half)'(x_i);
    assign y = (2 * Half)'(y_i);

    for (genvar i = 0; i < 2; i++) begin : gen_x
      for (genvar j = 0; j < 2; j++) begin : gen_y
        perle_mul_reg2 #(
          .Width(Half)
        ) u_mul (
          .clk_i,
          .x_i(x[i]),
          .y_i(y[j]),
          .p_o(part[i][j])
        );
      end
    end

    assign outer = UpperBits'({part[1][1], part[0][0][2*Half-1:Half]});
    assign inner = UpperBits'(part[0][1]);
    assign other = UpperBits'(part[1][0]);
    assign save_sum = outer ^ inner ^ other;
    assign save_carry = UpperBits'({(outer & (inner | other)) | (inner & other), 1'b0});

    always_ff @(posedge clk_i) begin
      lower_q <= part[0][0][Half-1:0];
      upper_q <= save_sum + save_carry;
    end

    assign p_o = {upper_q, lower_q};
  end

endmodule
