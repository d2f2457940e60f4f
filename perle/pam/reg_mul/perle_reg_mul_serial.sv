// SPDX-License-Identifier: Apache-2.0
//
// Data path for one multiplier bit per cycle: a row of Width full adders in carry-save form.
//
//   2·V' + p = V + b·A + y·2^Width,     V = S + C
//
// Ranges    S, C in [0, 2^Width): V has Width + 1 bits, the paper's 256-bit ACC and its carry
// Algorithm shand1990 section 4.2 on the bit-serial row of [L]: A stays in place, the multiplier bits b
//           arrive lowest first; each step shifts out one bit p of the product at the bottom and takes one
//           bit y of R[s1] at the top. After Width steps the bits p form T mod 2^Width and V = ⌊T/2^Width⌋ +
//           R[s1]. Steps with b = 0 shift out V and resolve its carries on the way: Charge is a Mult by zero.
// Cycles    one per step
// Left out  bits above Width of the result of a Charge: load_s_i replaces V
//
// Parameters
//   Width      bits of a register
//   WordBits   bits of the words in which A and S are loaded, lowest word first

module perle_reg_mul_serial #(
  parameter int unsigned Width    = 256,
  parameter int unsigned WordBits = 32
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                step_i,
  input  logic                b_i,
  input  logic                y_i,
  output logic                p_o,
  input  logic                load_a_i,
  input  logic                load_s_i,
  input  logic [WordBits-1:0] word_i
);

  logic [Width-1:0] a_q, s_q, c_q;
  logic [Width-1:0] term, sum, carry;

  always_comb begin
    term = b_i ? a_q : '0;
    sum = s_q ^ c_q ^ term;
    carry = (s_q & c_q) | (s_q & term) | (c_q & term);
    p_o = sum[0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a_q <= '0;
      s_q <= '0;
      c_q <= '0;
    end else begin
      if (load_a_i) a_q <= Width'({word_i, a_q} >> WordBits);
      if (load_s_i) begin
        s_q <= Width'({word_i, s_q} >> WordBits);
        c_q <= '0;
      end else if (step_i) begin
        s_q <= {y_i, sum[Width-1:1]};
        c_q <= carry;
      end
    end
  end

endmodule
