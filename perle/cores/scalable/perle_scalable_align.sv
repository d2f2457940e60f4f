// SPDX-License-Identifier: Apache-2.0
//
// Z ← Z / 2^Shift: drops the lowest Shift bits of a pass, which are all 0, and sign-extends Z at the top.
//
// Ranges    Shift in 1 … w; Z = z_s + z_c ≥ 0, or (Signed) |Z| < 2^(bits of a pass − 2) in two's complement
// Algorithm a word is delayed until the low bits of the next one arrive; the sign follows the last word. The
//           sign of a redundant Z is given by the sum t of the two top bits of both words. As Z has two spare
//           bits, t mod 4 is 0 for Z ≥ 0, and for Z < 0 it is 3 or 2, with or without a carry from the lower
//           bits. t, as a signed number, replaces the two top bits of z_s, and 0 those of z_c
// Cycles    latency 1: the ⌈vp/w⌉ of equation (2) are these cycles
// Left out  reset of the words
//
// Parameters
//   WordWidth   w          Shift   bits          Signed   Z may be negative

module perle_scalable_align
  import perle_scalable_pkg::*;
#(
  parameter int unsigned WordWidth = 16,
  parameter int unsigned Shift     = 16,
  parameter bit          Signed    = 1'b0
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  flags_t               flags_i,
  input  logic [WordWidth-1:0] z_s_i,
  input  logic [WordWidth-1:0] z_c_i,
  output flags_t               flags_o,
  output logic [WordWidth-1:0] z_s_o,
  output logic [WordWidth-1:0] z_c_o
);

  logic [1:0] t;
  logic [WordWidth-1:0] s, c, s_q, c_q, s_next, c_next;
  logic negative_q;

  assign t = z_s_i[WordWidth-1-:2] + z_c_i[WordWidth-1-:2];

  always_comb begin
    s = z_s_i;
    c = z_c_i;
    if (Signed && flags_i.last) begin
      s[WordWidth-1-:2] = t;
      c[WordWidth-1-:2] = '0;
    end
    s_next = flags_o.last ? {WordWidth{negative_q}} : s;
    c_next = flags_o.last ? '0 : c;
  end

  assign z_s_o = WordWidth'({s_next, s_q} >> Shift);
  assign z_c_o = WordWidth'({c_next, c_q} >> Shift);

  always_ff @(posedge clk_i) begin
    s_q <= s;
    c_q <= c;
    negative_q <= Signed && t[1];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) flags_o <= '0;
    else flags_o <= flags_i;
  end

endmodule
