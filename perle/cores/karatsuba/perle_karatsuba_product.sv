// SPDX-License-Identifier: Apache-2.0
//
// p = x·y, and low = p mod 2^Width some cycles earlier.
//
// Ranges    x, y in [0, 2^Width); with Fold, 0 in the two cycles after nonzero factors
// Algorithm chow2010 section III and figure 2, recursively down to a device multiplier. h = ⌈Width/2⌉,
//           X = 2^h·X1 + X0, Y = 2^h·Y1 + Y0, z2 = X1·Y1, z0 = X0·Y0, g = |X1 − X0|·|Y1 − Y0|:
//             X·Y = 2^(2h)·z2 + z0 + 2^h·(z2 + z0 ± g)       − where both differences have the same sign
//           The middle 2h bits plus three pairs of halves are added in carry-save form (figure 1), g is added
//           or subtracted, and the remaining carry, 0 … 2, is added to the top half
// Cycles    latency outer_cycles, of low_o low_cycles (perle_karatsuba_pkg); II 1, or 3 with Fold
// Left out  narrower multipliers for the upper half of an odd width: X1 and Y1 get a leading zero, so that
//           all three products of a layer have the same latency
//
// Parameters
//   Width       bits of a factor
//   LeafWidth   bits of a factor of a leaf, at least 2: of a device multiplier (17 or 18), 32 in the paper
//   SplitLeaf   1: a leaf is four device multipliers of half its width; 0: one multiplier, left to synthesis
//               if wide
//   LimbWidth   longest carry chain
//   Fold        1: this layer has one multiplier of half the width and uses it three times, the serialisation
//               that chow2010 section IV leaves to future work; inner layers are not folded

module perle_karatsuba_product
  import perle_karatsuba_pkg::*;
#(
  parameter int unsigned Width     = 130,
  parameter int unsigned LeafWidth = 17,
  parameter int unsigned LimbWidth = 33,
  parameter int unsigned SplitLeaf = 0,
  parameter int unsigned Fold      = 0
) (
  input  logic               clk_i,
  input  logic [  Width-1:0] x_i,
  input  logic [  Width-1:0] y_i,
  output logic [  Width-1:0] low_o,
  output logic [2*Width-1:0] p_o
);

  if ((Width <= LeafWidth) && (SplitLeaf != 0)) begin : gen_split
    perle_karatsuba_leaf #(
      .Width    (Width),
      .LimbWidth(LimbWidth)
    ) u_mul (
      .clk_i,
      .x_i,
      .y_i,
      .p_o
    );

    assign low_o = p_o[Width-1:0];
  end else if (Width <= LeafWidth) begin : gen_leaf
    perle_mul_reg2 #(
      .Width(Width)
    ) u_mul (
      .clk_i,
      .x_i,
      .y_i,
      .p_o
    );

    assign low_o = p_o[Width-1:0];
  end else if (Fold != 0) begin : gen_fold
    localparam int unsigned Half = half(Width);
    localparam int unsigned Multiplier = product_cycles(Half, LeafWidth, LimbWidth, SplitLeaf);
    localparam int unsigned Multiplied = folded_cycles(Width, LeafWidth, LimbWidth, SplitLeaf);

    logic [Half-1:0] x, y, unused_low;
    logic [2*Half-1:0] product, z;
    logic sub;

    perle_karatsuba_fold_factors #(
      .Width    (Width),
      .LimbWidth(LimbWidth)
    ) u_factors (
      .clk_i,
      .x_i,
      .y_i,
      .x_o  (x),
      .y_o  (y),
      .sub_o(sub)
    );

    perle_karatsuba_product #(
      .Width    (Half),
      .LeafWidth(LeafWidth),
      .LimbWidth(LimbWidth),
      .SplitLeaf(SplitLeaf)
    ) u_half (
      .clk_i,
      .x_i  (x),
      .y_i  (y),
      .low_o(unused_low),
      .p_o  (product)
    );

    perle_karatsuba_delay #(
      .Width (2 * Half),
      .Cycles(Multiplied - Multiplier)
    ) u_wait_z (
      .clk_i,
      .d_i(product),
      .q_o(z)
    );

    perle_karatsuba_fold_sum #(
      .Width     (Width),
      .LimbWidth (LimbWidth),
      .Multiplier(Multiplied)
    ) u_sum (
      .clk_i,
      .z_i  (z),
      .sub_i(sub),
      .low_o,
      .p_o
    );
  end else begin : gen_layer
    localparam int unsigned Half = half(Width);
    localparam int unsigned Limbs = limbs(Half, LimbWidth);
    localparam int unsigned HalfCycles = product_cycles(Half, LeafWidth, LimbWidth, SplitLeaf);

    logic [Half-1:0] x0, x1, y0, y1, x_diff, y_diff;
    logic x_negative, y_negative, sub_early, sub_soon, sub_delayed;
    logic [2*Limbs-1:0] sub;
    logic [2*Half-1:0] z0, z2, g, s_early, s, middle;
    logic [2*Limbs-1:0] c_early, c;
    logic msb_early, msb;
    logic [Half-1:0] z0_low, z0_low_delayed, z2_high, lower, top;
    logic [1:0] msbs, msbs_delayed, carry, net;
    logic unused_carry;
    logic [2:0][Half-1:0] unused_low;

    assign x0 = x_i[Half-1:0];
    assign y0 = y_i[Half-1:0];
    assign x1 = Half'(x_i[Width-1:Half]);
    assign y1 = Half'(y_i[Width-1:Half]);

    perle_karatsuba_absdiff #(
      .Width    (Half),
      .LimbWidth(LimbWidth)
    ) u_x_diff (
      .clk_i,
      .x_i       (x1),
      .y_i       (x0),
      .diff_o    (x_diff),
      .negative_o(x_negative)
    );

    perle_karatsuba_absdiff #(
      .Width    (Half),
      .LimbWidth(LimbWidth)
    ) u_y_diff (
      .clk_i,
      .x_i       (y1),
      .y_i       (y0),
      .diff_o    (y_diff),
      .negative_o(y_negative)
    );

    perle_karatsuba_product #(
      .Width    (Half),
      .LeafWidth(LeafWidth),
      .LimbWidth(LimbWidth),
      .SplitLeaf(SplitLeaf)
    ) u_z0 (
      .clk_i,
      .x_i  (x0),
      .y_i  (y0),
      .low_o(unused_low[0]),
      .p_o  (z0)
    );

    perle_karatsuba_product #(
      .Width    (Half),
      .LeafWidth(LeafWidth),
      .LimbWidth(LimbWidth),
      .SplitLeaf(SplitLeaf)
    ) u_z2 (
      .clk_i,
      .x_i  (x1),
      .y_i  (y1),
      .low_o(unused_low[1]),
      .p_o  (z2)
    );

    perle_karatsuba_product #(
      .Width    (Half),
      .LeafWidth(LeafWidth),
      .LimbWidth(LimbWidth),
      .SplitLeaf(SplitLeaf)
    ) u_g (
      .clk_i,
      .x_i  (x_diff),
      .y_i  (y_diff),
      .low_o(unused_low[2]),
      .p_o  (g)
    );

    // g is valid Limbs + 1 cycles after z0 and z2; the carry-save adder takes two of them.
    perle_karatsuba_csa #(
      .Width    (Half),
      .LimbWidth(LimbWidth)
    ) u_csa (
      .clk_i,
      .z0_i   (z0),
      .z2_i   (z2),
      .sum_o  (s_early),
      .carry_o(c_early),
      .msb_o  (msb_early)
    );

    perle_karatsuba_delay #(
      .Width (2 * Half + 2 * Limbs + 1),
      .Cycles(Limbs - 1)
    ) u_wait_g (
      .clk_i,
      .d_i({msb_early, c_early, s_early}),
      .q_o({msb, c, s})
    );

    assign sub_early = (x_negative == y_negative);
    perle_karatsuba_delay #(
      .Width (1),
      .Cycles(HalfCycles - 1)
    ) u_wait_sub (
      .clk_i,
      .d_i(sub_early),
      .q_o(sub_soon)
    );
    // one copy per limb
    for (genvar i = 0; i < 2 * Limbs; i++) begin : gen_sub
      logic sub_q;
      (* keep *) always_ff @(posedge clk_i) sub_q <= sub_soon;
      assign sub[i] = sub_q;
    end

    perle_karatsuba_addsub #(
      .Width    (Half),
      .LimbWidth(LimbWidth)
    ) u_addsub (
      .clk_i,
      .s_i    (s),
      .c_i    (c[2*Limbs-2:0]),
      .g_i    (g),
      .sub_i  (sub),
      .lower_o(lower),
      .sum_o  (middle),
      .carry_o(carry)
    );

    // The carries of weight 2^(3h): two of the carry-save adder, and one signed. Their sum is 0 … 2.
    assign msbs = 2'(msb) + 2'(c[2*Limbs-1]);
    perle_karatsuba_delay #(
      .Width (3),
      .Cycles(2 * Limbs)
    ) u_wait_carry (
      .clk_i,
      .d_i({sub[0], msbs}),
      .q_o({sub_delayed, msbs_delayed})
    );
    assign net = 2'(3'(msbs_delayed) + 3'(carry) - 3'(sub_delayed));

    // Delays: the lowest half waits for the lower half of the middle, then for the rest.
    perle_karatsuba_delay #(
      .Width (Half),
      .Cycles(2 * Limbs + 1)
    ) u_wait_low (
      .clk_i,
      .d_i(z0[Half-1:0]),
      .q_o(z0_low)
    );
    perle_karatsuba_delay #(
      .Width (Half),
      .Cycles(2 * Limbs)
    ) u_wait_high (
      .clk_i,
      .d_i(z0_low),
      .q_o(z0_low_delayed)
    );
    perle_karatsuba_delay #(
      .Width (Half),
      .Cycles(3 * Limbs + 1)
    ) u_wait_top (
      .clk_i,
      .d_i(z2[2*Half-1:Half]),
      .q_o(z2_high)
    );

    perle_karatsuba_add #(
      .Width    (Half),
      .LimbWidth(LimbWidth)
    ) u_top (
      .clk_i,
      .a_i    (z2_high),
      .b_i    (Half'(net)),
      .carry_i(1'b0),
      .sum_o  (top),
      .carry_o(unused_carry)
    );

    logic [2*Half-1:0] middle_delayed;
    perle_karatsuba_delay #(
      .Width (2 * Half),
      .Cycles(Limbs)
    ) u_wait_p (
      .clk_i,
      .d_i(middle),
      .q_o(middle_delayed)
    );

    assign low_o = Width'({lower, z0_low});
    assign p_o = (2 * Width)'({top, middle_delayed, z0_low_delayed});
  end

endmodule
