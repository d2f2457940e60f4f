// SPDX-License-Identifier: Apache-2.0
//
// Combines the three products of a folded layer, z0, z2 in the next cycle and g later, to p = x·y; low = p
// mod 2^Width some cycles earlier.
//
// Ranges    as perle_karatsuba_product
// Algorithm z0 is delayed by one cycle to z2; the rest is as in an unfolded layer: carry-save adder, ± g, top
//           (chow2010 figure 2). The pipeline is the same; its outputs are valid in one cycle of three. In
//           the others products are added that do not belong together, and the sum is not used
// Cycles    latency from z0 3·(fold_rounds + s) + 2, with s limbs per half; low_o a multiple of three cycles
//           earlier; II 3
// Left out  adders of a third of the width, which could take three cycles each
//
// Parameters
//   Width, LimbWidth   bits of a factor, longest carry chain
//   Multiplier         cycles from the factors of a product to z_i

module perle_karatsuba_fold_sum
  import perle_karatsuba_pkg::*;
#(
  parameter  int unsigned Width      = 130,
  parameter  int unsigned LimbWidth  = 33,
  parameter  int unsigned Multiplier = 2,
  localparam int unsigned Half       = half(Width)
) (
  input  logic               clk_i,
  input  logic [ 2*Half-1:0] z_i,
  input  logic               sub_i,
  output logic [  Width-1:0] low_o,
  output logic [2*Width-1:0] p_o
);

  localparam int unsigned Limbs = limbs(Half, LimbWidth);
  localparam int unsigned Wait = Products * fold_rounds(Limbs);  // g is valid Wait + 1 cycles after z2

  logic sub_soon, sub_delayed, msb_early, msb, unused_carry;
  logic [2*Limbs-1:0] sub, c_early, c;
  logic [2*Half-1:0] z0_q, s_early, s, middle, middle_delayed;
  logic [Half-1:0] z0_low, z0_low_delayed, z2_high, lower, top;
  logic [1:0] msbs, msbs_delayed, carry, net;

  always_ff @(posedge clk_i) z0_q <= z_i;

  // z_i is z2 while z0_q is z0, and g Wait + 1 cycles later; the carry-save adder takes two of these cycles.
  perle_karatsuba_csa #(
    .Width    (Half),
    .LimbWidth(LimbWidth)
  ) u_csa (
    .clk_i,
    .z0_i   (z0_q),
    .z2_i   (z_i),
    .sum_o  (s_early),
    .carry_o(c_early),
    .msb_o  (msb_early)
  );

  perle_karatsuba_delay #(
    .Width (2 * Half + 2 * Limbs + 1),
    .Cycles(Wait - 1)
  ) u_wait_g (
    .clk_i,
    .d_i({msb_early, c_early, s_early}),
    .q_o({msb, c, s})
  );

  perle_karatsuba_delay #(
    .Width (1),
    .Cycles(Wait + 1 - Limbs + Multiplier)
  ) u_wait_sub (
    .clk_i,
    .d_i(sub_i),
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
    .g_i    (z_i),
    .sub_i  (sub),
    .lower_o(lower),
    .sum_o  (middle),
    .carry_o(carry)
  );

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

  perle_karatsuba_delay #(
    .Width (Half),
    .Cycles(Wait + 1 + Limbs)
  ) u_wait_low (
    .clk_i,
    .d_i(z0_q[Half-1:0]),
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
    .Cycles(Wait + 1 + 2 * Limbs)
  ) u_wait_top (
    .clk_i,
    .d_i(z_i[2*Half-1:Half]),
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

  perle_karatsuba_delay #(
    .Width (2 * Half),
    .Cycles(Limbs)
  ) u_wait_p (
    .clk_i,
    .d_i(middle),
    .q_o(middle_delayed)
  );

  perle_karatsuba_delay #(
    .Width (Width),
    .Cycles(2 * Limbs % Products)
  ) u_wait_early (
    .clk_i,
    .d_i(Width'({lower, z0_low})),
    .q_o(low_o)
  );
  assign p_o = (2 * Width)'({top, middle_delayed, z0_low_delayed});

endmodule
