// SPDX-License-Identifier: Apache-2.0
//
// Cells that add, subtract and carry, at their real widths or, where no checker ends with these, at narrower ones, each
// against what its header states. Sums of the inputs are delayed as the cell delays its outputs. PERLE_CELL chooses one.
//
// Left out   the first cycles, in which registers hold anything

module perle_trust_adders
  import perle_carry_save_pkg::*;
(
  input logic             clk_i,
  input logic             flag_i,
  input logic [    129:0] a_i,
  input logic [    129:0] b_i,
  input logic [ 8:0][2:0] rows_i,
  input digit_t [    1:0] digit_i
);

  logic [3:0] age_q = '0;
  always_ff @(posedge clk_i) if (!(&age_q)) age_q <= age_q + 4'd1;

  if (`PERLE_CELL == 0) begin : gen_carries  // cin_{j+1} = g_j or (any_j and cin_j)
    localparam int unsigned Digits = 30;
    logic [Digits-1:0] overflow, any, carry, expected_q;
    logic [Digits:0] into;

    assign any = a_i[Digits-1:0];
    assign overflow = any & b_i[Digits-1:0];
    always_comb begin
      into[0] = 1'b0;
      for (int unsigned j = 0; j < Digits; j++) into[j+1] = overflow[j] || (any[j] && into[j]);
    end
    always_ff @(posedge clk_i) expected_q <= into[Digits-1:0];

    perle_lowlat_carry_resolve #(
      .Digits(Digits)
    ) u_carries (
      .clk_i,
      .generate_i(overflow),
      .any_i     (any),
      .carry_o   (carry)
    );
    always_comb if (age_q >= 4'd1) AssertCarries : assert (carry == expected_q);
  end else if (`PERLE_CELL == 1) begin : gen_difference  // |a − b| and its sign, or a alone
    localparam int unsigned Bits = 54;
    logic [Bits-1:0] a, b, magnitude;
    logic negative;
    logic [1:0][Bits:0] expected_q;

    assign a = a_i[Bits-1:0];
    assign b = b_i[Bits-1:0];
    always_ff @(posedge clk_i) begin
      expected_q[0] <= !flag_i ? {1'b0, a} : (a < b) ? {1'b1, b - a} : {1'b0, a - b};
      expected_q[1] <= expected_q[0];
    end

    perle_tile_difference #(
      .Bits(Bits)
    ) u_difference (
      .clk_i,
      .pair_i     (flag_i),
      .a_i        (a),
      .b_i        (b),
      .negative_o (negative),
      .magnitude_o(magnitude)
    );
    always_comb begin
      if (age_q >= 4'd1) AssertSign : assert (negative == expected_q[0][Bits]);
      if (age_q >= 4'd2) AssertDifference : assert (magnitude == expected_q[1][Bits-1:0]);
    end
  end else if (`PERLE_CELL == 2) begin : gen_digits  // |a − b| of digits and its sign
    localparam int unsigned Bits = 18;
    logic [Bits-1:0] a, b, magnitude;
    logic negative;
    logic [Bits:0] expected_q;

    assign a = a_i[Bits-1:0];
    assign b = b_i[Bits-1:0];
    always_ff @(posedge clk_i) expected_q <= (a < b) ? {1'b1, b - a} : {1'b0, a - b};

    perle_tile_digit_difference #(
      .Bits(Bits)
    ) u_difference (
      .clk_i,
      .a_i        (a),
      .b_i        (b),
      .negative_o (negative),
      .magnitude_o(magnitude)
    );
    always_comb if (age_q >= 4'd1) AssertDifference : assert ({negative, magnitude} == expected_q);
  end else if (`PERLE_CELL == 3) begin : gen_middle
    // the middle of a product: U(z0) + L(z2) in both halves, L(z0) below, U(z2) above; limbs of 7 and 6 bits
    localparam int unsigned Width = 13;
    localparam int unsigned Limb = 7;
    logic [2*Width-1:0] z0, z2, sum;
    logic [3:0] carry;
    logic msb;
    logic [2*Width+1:0] expected_q[2], shared, third;

    assign z0 = a_i[2*Width-1:0];
    assign z2 = b_i[2*Width-1:0];
    assign shared = (2 * Width + 2)'(z0[2*Width-1:Width]) + (2 * Width + 2)'(z2[Width-1:0]);
    assign third = (2 * Width + 2)'({z2[2*Width-1:Width], z0[Width-1:0]});
    always_ff @(posedge clk_i) begin
      expected_q[0] <= (shared << Width) + shared + third;
      expected_q[1] <= expected_q[0];
    end

    perle_karatsuba_csa #(
      .Width    (Width),
      .LimbWidth(Limb)
    ) u_middle (
      .clk_i,
      .z0_i   (z0),
      .z2_i   (z2),
      .sum_o  (sum),
      .carry_o(carry),
      .msb_o  (msb)
    );
    always_comb begin
      if (age_q >= 4'd2) begin
        AssertSum : assert ((2 * Width + 2)'(sum) + ((2 * Width + 2)'(carry[0]) << Limb) +
                            ((2 * Width + 2)'(carry[1]) << Width) +
                            ((2 * Width + 2)'(carry[2]) << (Width + Limb)) +
                            ((2 * Width + 2)'(2'(carry[3]) + 2'(msb)) << (2 * Width)) == expected_q[1]);
      end
    end
  end else if (`PERLE_CELL == 4) begin : gen_either  // s + Σ c_i·2^(start of limb i) ± g, 26 bits in limbs
    localparam int unsigned Width = 13;
    localparam int unsigned Limb = 7;
    localparam int unsigned Bits = 2 * Width;
    localparam int unsigned Cycles = 4;
    logic [Bits-1:0] s, g, sum;
    logic [Width-1:0] lower;
    logic [3:1] c;
    logic [1:0] carry;
    logic [Bits+1:0] saved, expected_q[Cycles];

    assign s = a_i[Bits-1:0];
    assign g = b_i[Bits-1:0];
    assign c = b_i[Bits+:3];
    assign saved = (Bits + 2)'(s) + ((Bits + 2)'(c[1]) << Limb) + ((Bits + 2)'(c[2]) << Width) +
        ((Bits + 2)'(c[3]) << (Width + Limb));
    always_ff @(posedge clk_i) begin
      expected_q[0] <= flag_i ? saved - (Bits + 2)'(g) + ((Bits + 2)'(1) << Bits) : saved + (Bits + 2)'(g);
      for (int unsigned i = 1; i < Cycles; i++) expected_q[i] <= expected_q[i-1];
    end

    perle_karatsuba_addsub #(
      .Width    (Width),
      .LimbWidth(Limb)
    ) u_either (
      .clk_i,
      .s_i    (s),
      .c_i    (c),
      .g_i    (g),
      .sub_i  ({4{flag_i}}),
      .lower_o(lower),
      .sum_o  (sum),
      .carry_o(carry)
    );
    always_comb begin
      if (age_q >= 4'd2) AssertLower : assert (lower == expected_q[1][Width-1:0]);
      if (age_q >= 4'(Cycles)) AssertSum : assert ({carry, sum} == expected_q[Cycles-1]);
    end
  end else if (`PERLE_CELL == 5) begin : gen_resolve  // two words become one, in four cycles
    localparam int unsigned Bits = 30;
    logic [Bits-1:0] sum_q, saved_q, total_q, sum, saved;
    logic first;

    assign first = (age_q == 4'd1);
    always_ff @(posedge clk_i) begin
      {sum_q, saved_q} <= {sum, saved};
      if (age_q == '0) {sum_q, saved_q} <= {a_i[Bits-1:0], b_i[Bits-1:0]};
      if (first) total_q <= sum_q + saved_q + Bits'(flag_i);
    end

    perle_carry_save_resolve #(
      .Bits   (Bits),
      .Segment(3)
    ) u_resolve (
      .clk_i,
      .rst_ni    (age_q != '0),
      .first_i   (first),
      .sum_i     (sum_q),
      .carry_i   (saved_q),
      .carry_in_i(flag_i && first),
      .sum_o     (sum),
      .carry_o   (saved)
    );
    always_comb if (age_q >= 4'd5) AssertResolved : assert (sum_q == total_q && saved_q == '0);
  end else if (`PERLE_CELL == 6) begin : gen_multiple  // rows of a multiple, and the constant of their signs
    localparam int unsigned Bits = 36;
    localparam int unsigned ValueBits = 30;
    logic [2:0][Bits-1:0] rows;
    logic [ValueBits-1:0] value;
    logic [Bits-1:0] expected;
    digit_t [1:0] digit_q;

    function automatic logic [Bits-1:0] multiple(digit_t digit, logic [ValueBits-1:0] number);
      return digit.one ? Bits'(number) : digit.two ? Bits'(number) << 1 : digit.minus ? -Bits'(number) : '0;
    endfunction

    assign value = a_i[ValueBits-1:0];
    assign expected = multiple(digit_q[0], value) + (multiple(digit_q[1], value) << 2) +
        (Bits'(5) << (ValueBits + 1));
    always_ff @(posedge clk_i) digit_q <= digit_i;
    for (genvar r = 0; r < 2; r++) begin : gen_one
      always_comb assume ($onehot0(digit_i[r]));
    end

    perle_carry_save_multiple #(
      .Digits   (2),
      .ValueBits(ValueBits),
      .Bits     (Bits),
      .Group    (8)
    ) u_multiple (
      .clk_i,
      .rst_ni (1'b1),
      .digit_i,
      .value_i(value),
      .rows_o (rows)
    );
    always_comb if (age_q >= 4'd1) AssertMultiple : assert (rows[0] + rows[1] + rows[2] == expected);
  end else begin : gen_tree  // nine words become two, modulo 2^3
    logic [2:0] sum, saved, expected;

    always_comb begin
      expected = '0;
      for (int unsigned r = 0; r < 9; r++) expected += rows_i[r];
    end
    perle_carry_save_tree #(
      .Rows(9),
      .Bits(3)
    ) u_tree (
      .rows_i,
      .sum_o  (sum),
      .carry_o(saved)
    );
    always_comb AssertSum : assert (sum + saved == expected);
  end

endmodule
