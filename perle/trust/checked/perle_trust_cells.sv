// SPDX-License-Identifier: Apache-2.0
//
// Leaf cells at their real widths, each against the sum that its header states, for a model checker. Sums of the
// inputs are delayed as the cell delays its outputs. PERLE_CELL chooses one.
//
// Left out   the first cycles, in which registers hold anything

module perle_trust_cells (
  input logic         clk_i,
  input logic         carry_i,
  input logic [129:0] a_i,
  input logic [129:0] b_i,
  input logic [ 15:0] c_i
);

  logic [4:0] age_q = '0;
  always_ff @(posedge clk_i) if (!(&age_q)) age_q <= age_q + 5'd1;

  if (`PERLE_CELL == 0) begin : gen_add  // sum_o = a_i + b_i + carry_i, limbs in a pipeline
    localparam int unsigned Cycles = 4;
    logic [129:0] sum;
    logic carry;
    logic [Cycles:0][130:0] expected;

    assign expected[0] = 131'(a_i) + 131'(b_i) + 131'(carry_i);
    always_ff @(posedge clk_i) expected[Cycles:1] <= expected[Cycles-1:0];

    perle_karatsuba_add #(
      .Width    (130),
      .LimbWidth(33)
    ) u_add (
      .clk_i,
      .a_i,
      .b_i,
      .carry_i,
      .sum_o  (sum),
      .carry_o(carry)
    );
    always_comb if (age_q >= 5'(Cycles)) AssertSum : assert ({carry, sum} == expected[Cycles]);
  end else if (`PERLE_CELL == 1) begin : gen_difference  // diff_o = |x_i − y_i|
    localparam int unsigned Cycles = 3;
    logic [64:0] difference, x, y;
    logic negative;
    logic [Cycles:0][65:0] expected;

    assign x = a_i[64:0];
    assign y = b_i[64:0];
    assign expected[0] = (x >= y) ? {1'b0, x - y} : {1'b1, y - x};
    always_ff @(posedge clk_i) expected[Cycles:1] <= expected[Cycles-1:0];

    perle_karatsuba_absdiff #(
      .Width    (65),
      .LimbWidth(33)
    ) u_difference (
      .clk_i,
      .x_i       (x),
      .y_i       (y),
      .diff_o    (difference),
      .negative_o(negative)
    );
    always_comb begin
      if (age_q >= 5'(Cycles)) AssertDifference : assert ({negative, difference} == expected[Cycles]);
    end
  end else if (`PERLE_CELL == 2) begin : gen_save
    // a_i + b_i + c_i = sum_o + carry_o, the top carry a word later
    logic [15:0] sum, saved;
    logic [18:0] total, left;
    logic before_q;

    perle_scalable_csa #(
      .WordWidth(16)
    ) u_save (
      .clk_i,
      .first_i(carry_i),
      .a_i    (a_i[15:0]),
      .b_i    (b_i[15:0]),
      .c_i,
      .sum_o  (sum),
      .carry_o(saved)
    );

    assign total = 19'(a_i[15:0]) + 19'(b_i[15:0]) + 19'(c_i);
    // what of the words up to now is not in their outputs: 0 or one carry into the next word
    assign left = total + 19'(before_q && !carry_i) - 19'(sum) - 19'(saved);
    always_ff @(posedge clk_i) before_q <= left[16];
    always_comb begin
      if (age_q == '0) assume (carry_i);  // the first word of a sum
      if (age_q >= 5'd1) AssertSaved : assert (left == '0 || left == 19'h10000);
    end
  end else begin : gen_sum  // what leaves a PE of the stream and the carry kept are all of the sum
    logic [17:0] z;
    logic [36:0] u;

    assign u = a_i[36:0];
    perle_stream_sum #(
      .RadixBits(18)
    ) u_sum (
      .clk_i,
      .u_i(u),
      .z_i(b_i[17:0]),
      .z_o(z)
    );

    // in a cycle enter the low digit of u, its high one of the cycle before, and z
    logic [20:0] sum_q, carried_q, next;
    logic [18:0] high_q;
    logic [17:0] digit_q;
    assign next = sum_q + carried_q;
    // u is two products of digits; before the first one all factors are zero
    always_comb begin
      assume (u <= 37'd2 * 37'h3ffff * 37'h3ffff);
      if (age_q < 5'd5) assume (u == '0 && b_i[17:0] == '0);
    end
    always_ff @(posedge clk_i) begin
      high_q <= u[36:18];
      sum_q <= 21'(u[17:0]) + 21'(high_q) + 21'(b_i[17:0]);
      carried_q <= next >> 18;
      digit_q <= next[17:0];
    end
    always_comb if (age_q >= 5'd8) AssertDigit : assert (z == digit_q);
  end

endmodule
