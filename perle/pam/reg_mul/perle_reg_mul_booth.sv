// SPDX-License-Identifier: Apache-2.0
//
// Data path for two multiplier bits per cycle, Booth recoded: the same row of adders, with a digit of −2 … 2
// instead of a bit.
//
//   4·V' + p = V + d·A + y·2^Width,     V = S + C + x + (u + r)·2^(Width−2),     d = b_0 + e − 2·b_1,     e'
//   = b_1
//
// Ranges    S in [0, 2^(Width−2)), C in [0, 2^(Width−1)), x in {0, 1}, u in −3 … 3, r in 0 … 3; V + e·A is
//           the value of the serial row: in [0, 2^(Width+1)) after every step
// Algorithm shand1990 section 3.3. Recoding an unsigned number leaves e = b_(Width−1) over, one more A of
//           weight 2^Width. It is not added but carried into the first digit of the next instruction: another
//           Mult with the same A, whose multiplier continues this one, or a Charge, with digits e, 0, 0, …
//           −|d|·A is the complement, plus one in the lowest position. Everything above the row, signs
//           included, is one signed number of four bits (top); what is shifted out below it is a sum of three
//           bits (bottom), with carry x. The top is added one step later: its two lower bits are then the
//           upper bits of the row, and t = ⌊top/4⌋ in {−1, 0, 1} is its carry. So y, which comes from the
//           RAM, only drives r
// Cycles    one per step
// Left out  bits above Width of the result of a Charge: load_s_i replaces V
//
// Parameters
//   Width      bits of a register, even
//   WordBits   bits of the words in which A and S are loaded, lowest word first

module perle_reg_mul_booth #(
  parameter int unsigned Width    = 256,
  parameter int unsigned WordBits = 32
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                step_i,
  input  logic [         1:0] b_i,
  input  logic [         1:0] y_i,
  output logic [         1:0] p_o,
  input  logic                load_a_i,
  input  logic                load_s_i,
  input  logic [WordBits-1:0] word_i
);

  logic [Width-1:0] a_q;
  logic [Width-3:0] s_q;
  logic [Width-2:0] c_q;
  logic signed [2:0] u_q;
  logic [1:0] r_q;
  logic x_q, e_q;

  logic one, two, neg;
  logic [Width:0] term;
  logic [Width-1:0] s, sum, carry, c;
  logic signed [3:0] top;
  logic signed [1:0] t;
  logic [2:0] bottom;

  always_comb begin
    one = b_i[0] ^ e_q;
    two = (b_i[1] ^ b_i[0]) && !one;
    neg = b_i[1] && (one || two);
    // |d|·A or its complement; the sign has weight −2^(Width+1)
    term = ((one ? {1'b0, a_q} : '0) | (two ? {a_q, 1'b0} : '0)) ^ {(Width + 1){neg}};
    top = 4'(u_q) + $signed({2'b00, r_q});
    t = top[3:2];
    s = {top[1:0], s_q};
    c = {1'b0, c_q};
    sum = s ^ c ^ term[Width-1:0];
    carry = (s & c) | (s & term[Width-1:0]) | (c & term[Width-1:0]);
    bottom = 3'(sum[1:0]) + {1'b0, carry[0], 1'b0} + 3'(neg) + 3'(x_q);
    p_o = bottom[1:0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a_q <= '0;
      s_q <= '0;
      c_q <= '0;
      u_q <= '0;
      r_q <= '0;
      x_q <= 1'b0;
      e_q <= 1'b0;
    end else begin
      if (load_a_i) a_q <= Width'({word_i, a_q} >> WordBits);
      if (load_s_i) begin
        s_q <= (Width - 2)'({word_i, s} >> WordBits);
        u_q <= {1'b0, word_i[WordBits-1-:2]};
        r_q <= '0;
        c_q <= '0;
        x_q <= 1'b0;
        e_q <= 1'b0;
      end else if (step_i) begin
        s_q <= sum[Width-1:2];
        u_q <= 3'(t) + 3'($signed({neg, term[Width]}));
        r_q <= y_i;
        c_q <= carry[Width-1:1];
        x_q <= bottom[2];
        e_q <= b_i[1];
      end
    end
  end

endmodule
