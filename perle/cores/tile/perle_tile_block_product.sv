// SPDX-License-Identifier: Apache-2.0
//
// u·v of two blocks by six multipliers: Karatsuba of three digits.
//
//   low_o + high_o·2^(3k) = u·v     with D_i = u_i·v_i, P_ij = |u_i − u_j|·|v_i − v_j|, s_ij = ±1
//   E = D_0 + D_1·2^k + D_2·2^2k
//   u·v = E·(1 + 2^k + 2^2k) − s_01·P_01·2^k − s_02·P_02·2^2k − s_12·P_12·2^3k
//
// Ranges    u, v in [0, 2^(3k)); low_o in (−2^(3k), 3·2^(3k)), high_o in [−2, 2^(3k) + 1], both signed: no
//           carry is propagated between the halves
// Algorithm the digit products D are available two cycles before the products P of differences
//             G = E·(1 + 2^k)                         a cycle before P
//             T = G − s_01·P_01·2^k − s_12·P_12·2^3k  in two halves: P_01 is in the lower, P_12 in the upper
//                                                     one
//             K = E − s_02·P_02 >= 0
//             u·v = T + K·2^2k
// Cycles    latency 6
// Left out  resets
//
// Parameters
//   RadixBits   k, bits of a digit

module perle_tile_block_product #(
  parameter int unsigned RadixBits = 18,
  localparam int unsigned BlockBits = 3 * RadixBits
) (
  input  logic                        clk_i,
  input  logic [       BlockBits-1:0] u_i,
  input  logic [       BlockBits-1:0] v_i,
  output logic signed [BlockBits+2:0] low_o,
  output logic signed [BlockBits+1:0] high_o
);

  localparam int unsigned K = RadixBits;

  logic [2:0][2*K-1:0] d;  // D_0, D_1, D_2
  logic [2:0][2*K-1:0] p;  // P_01, P_12, P_02
  logic [2:0] u_negative, v_negative;
  logic [2:0][3:1] subtract_q;  // s_ij = 1, with P

  for (genvar i = 0; i < 3; i++) begin : gen_multiplier
    localparam int unsigned First = (i == 1) ? 1 : 0;
    localparam int unsigned Second = (i == 0) ? 1 : 2;
    logic [K-1:0] u_magnitude, v_magnitude;

    perle_tile_leaf_mul #(
      .Width(K)
    ) u_digit_product (
      .clk_i,
      .x_i(u_i[i*K+:K]),
      .y_i(v_i[i*K+:K]),
      .p_o(d[i])
    );

    perle_tile_digit_difference #(
      .Bits(K)
    ) u_of_u (
      .clk_i,
      .a_i        (u_i[First*K+:K]),
      .b_i        (u_i[Second*K+:K]),
      .negative_o (u_negative[i]),
      .magnitude_o(u_magnitude)
    );

    perle_tile_digit_difference #(
      .Bits(K)
    ) u_of_v (
      .clk_i,
      .a_i        (v_i[First*K+:K]),
      .b_i        (v_i[Second*K+:K]),
      .negative_o (v_negative[i]),
      .magnitude_o(v_magnitude)
    );

    perle_tile_leaf_mul #(
      .Width (K),
      .Middle(1'b1)
    ) u_difference_product (
      .clk_i,
      .x_i(u_magnitude),
      .y_i(v_magnitude),
      .p_o(p[i])
    );

    always_ff @(posedge clk_i) subtract_q[i] <= {subtract_q[i][2:1], u_negative[i] == v_negative[i]};
  end

  // E, then G and E
  logic [4*K-1:0] e_q, e_late_q;
  logic [3*K-1:0] e_high;
  logic [5*K:0] g_q;
  logic [4*K:0] g_high;

  perle_tile_adder #(
    .Bits(3 * K)
  ) u_e (
    .a_i    ({d[2], d[0][2*K-1:K]}),
    .b_i    ((3 * K)'(d[1])),
    .use_i  (1'b1),
    .flip_i (1'b0),
    .carry_i(1'b0),
    .sum_o  (e_high)
  );

  perle_tile_adder #(
    .Bits(4 * K + 1)
  ) u_g (
    .a_i    ((4 * K + 1)'(e_q[4*K-1:K])),
    .b_i    ({1'b0, e_q}),
    .use_i  (1'b1),
    .flip_i (1'b0),
    .carry_i(1'b0),
    .sum_o  (g_high)
  );

  always_ff @(posedge clk_i) begin
    e_q <= {e_high, d[0][K-1:0]};
    e_late_q <= e_q;
    g_q <= {g_high, e_q[K-1:0]};
  end

  // T, and K
  logic [3*K+1:0] t_low_q;
  logic [2*K+1:0] t_low_high;
  logic [2*K+2:0] t_high, t_high_q;
  logic [4*K:0] k, k_q;

  perle_tile_adder #(
    .Bits(2 * K + 2)
  ) u_t_low (
    .a_i    ({2'b00, g_q[3*K-1:K]}),
    .b_i    ({2'b00, p[0]}),
    .use_i  (1'b1),
    .flip_i (subtract_q[0][3]),
    .carry_i(subtract_q[0][3]),
    .sum_o  (t_low_high)
  );

  perle_tile_adder #(
    .Bits(2 * K + 3)
  ) u_t_high (
    .a_i    ({2'b00, g_q[5*K:3*K]}),
    .b_i    ({3'b000, p[1]}),
    .use_i  (1'b1),
    .flip_i (subtract_q[1][3]),
    .carry_i(subtract_q[1][3]),
    .sum_o  (t_high)
  );

  perle_tile_adder #(
    .Bits(4 * K + 1)
  ) u_k (
    .a_i    ({1'b0, e_late_q}),
    .b_i    ((4 * K + 1)'(p[2])),
    .use_i  (1'b1),
    .flip_i (subtract_q[2][3]),
    .carry_i(subtract_q[2][3]),
    .sum_o  (k)
  );

  always_ff @(posedge clk_i) begin
    t_low_q <= {t_low_high, g_q[K-1:0]};
    t_high_q <= t_high;
    k_q <= k;
  end

  // T + K·2^2k
  logic [K+2:0] low_high;
  logic [3*K+1:0] high;

  perle_tile_adder #(
    .Bits(K + 3)
  ) u_low (
    .a_i    ({t_low_q[3*K+1], t_low_q[3*K+1:2*K]}),
    .b_i    ({3'b000, k_q[K-1:0]}),
    .use_i  (1'b1),
    .flip_i (1'b0),
    .carry_i(1'b0),
    .sum_o  (low_high)
  );

  perle_tile_adder #(
    .Bits(3 * K + 2)
  ) u_high (
    .a_i    ((3 * K + 2)'($signed(t_high_q))),
    .b_i    ({1'b0, k_q[4*K:K]}),
    .use_i  (1'b1),
    .flip_i (1'b0),
    .carry_i(1'b0),
    .sum_o  (high)
  );

  always_ff @(posedge clk_i) begin
    low_o <= {low_high, t_low_q[2*K-1:0]};
    high_o <= high;
  end

endmodule
