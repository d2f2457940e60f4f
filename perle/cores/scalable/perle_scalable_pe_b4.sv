// SPDX-License-Identifier: Apache-2.0
//
// Booth radix-4 processing element: Z ← Z − q·2^Pos + 2^(Pos+2)·(q·M̂ + x·Y), q ≡ Z/2^Pos (mod 4)
//
// Ranges    q in {0, 1, −2, −1}, x in {−2 … 2}; Z = z_s + z_c + owed·2^Pos in two's complement, two words per
//           cycle, least significant first; in the first word the bits below Pos are 0, and so is bit Pos of
//           z_c; owed in 0 … 5; y and m arrive shifted left by Pos bits and are passed on shifted by Pos + 2
// Algorithm carter2012 figures 2 and 5: a Booth encoder, a five-way and a four-way multiplexer, two
//           carry-save adders, x·Y first, as q is the last input to be valid.
//           t = z_s + z_c + owed at the digit, by a short carry-propagate adder, is at most 10:
//             q = t mod 4, minus 4 if that exceeds 1
//           Units of weight 2^(Pos+2) that have no place in the words are counted and added by the next
//             element (owed): the carry ⌊t/4⌋, 1 for −q where q < 0, and 1 for each two's complement
//             (complement plus one)
//           at most 2 + 1 + 1 + 1 = 5
// Cycles    latency 1; x is registered in the cycle before the first word, q and the count with the first
//           word
// Left out  reset: words count only with the flags of perle_scalable_chain
//
// Parameters
//   WordWidth   w          Pos   lower bit of the first word that is the digit of this element

module perle_scalable_pe_b4
  import perle_scalable_pkg::*;
#(
  parameter  int unsigned WordWidth = 16,
  parameter  int unsigned Pos       = 0,
  localparam int unsigned Streams   = streams(KindB4)
) (
  input  logic                                clk_i,
  input  logic                                next_first_i,  // the next word is word 0
  input  logic [         2:0]                 x_i,           // the bits of x, and the next lower one
  input  logic [OwedBits-1:0]                 owed_i,
  input  logic [WordWidth-1:0]                z_s_i,
  input  logic [WordWidth-1:0]                z_c_i,
  input  logic [Streams-1:0][WordWidth-1:0]   y_i,
  input  logic [Streams-1:0][WordWidth-1:0]   m_i,
  output logic [OwedBits-1:0]                 owed_o,
  output logic [WordWidth-1:0]                z_s_o,
  output logic [WordWidth-1:0]                z_c_o,
  output logic [Streams-1:0][WordWidth-1:0]   y_o,
  output logic [Streams-1:0][WordWidth-1:0]   m_o
);

  // Selects a multiple, or the complement of one; all zero selects 0.
  typedef struct packed {
    logic once;
    logic twice;
    logic minus_once;
    logic minus_twice;
  } factor_t;

  // bits of the first word that are still part of the sum
  localparam logic [WordWidth-1:0] SumMask =
      ~((WordWidth'(1) << Pos) - WordWidth'(1) + (WordWidth'(3) << Pos));

  logic first_q;
  factor_t q, q_first, x_first, x_q, q_q;
  logic x_negative_q;
  logic [3:0] t;
  logic [2:0] y_prev, m_prev, y_top_q, m_top_q;
  logic [WordWidth-1:0] y, m, y_twice, m_twice, qm, xy, xy_s, xy_c, s, c, sum_mask;

  assign t = 4'({z_s_i[Pos+1], z_s_i[Pos]}) + 4'({z_c_i[Pos+1], z_c_i[Pos]}) + 4'(owed_i);
  assign q_first.once = (t[1:0] == 2'd1);
  assign q_first.twice = 1'b0;  // never
  assign q_first.minus_once = (t[1:0] == 2'd3);
  assign q_first.minus_twice = (t[1:0] == 2'd2);
  assign x_first.once = !x_i[2] && (x_i[1] != x_i[0]);
  assign x_first.twice = (x_i == 3'b011);
  assign x_first.minus_once = x_i[2] && (x_i[1] != x_i[0]);
  assign x_first.minus_twice = (x_i == 3'b100);
  assign q = first_q ? q_first : q_q;

  // Top three bits of the previous word: two shift in, for twice the number a third one.
  assign y_prev = first_q ? '0 : y_top_q;
  assign m_prev = first_q ? '0 : m_top_q;
  assign y = {y_i[0][WordWidth-3:0], y_prev[2:1]};
  assign m = {m_i[0][WordWidth-3:0], m_prev[2:1]};

  assign sum_mask = first_q ? SumMask : '1;
  assign y_twice = {y[WordWidth-2:0], y_prev[0]};
  assign m_twice = {m[WordWidth-2:0], m_prev[0]};
  assign qm = ({WordWidth{q.once}} & m & sum_mask) | ({WordWidth{q.minus_once}} & ~m & sum_mask) |
      ({WordWidth{q.minus_twice}} & ~m_twice & sum_mask);
  assign xy = (({WordWidth{x_q.once}} & y) | ({WordWidth{x_q.twice}} & y_twice) |
      ({WordWidth{x_q.minus_once}} & ~y) | ({WordWidth{x_q.minus_twice}} & ~y_twice)) & sum_mask;

  perle_scalable_csa #(
    .WordWidth(WordWidth)
  ) u_xy (
    .clk_i,
    .first_i(first_q),
    .a_i    (z_s_i & sum_mask),
    .b_i    (z_c_i & sum_mask),
    .c_i    (xy),
    .sum_o  (xy_s),
    .carry_o(xy_c)
  );

  perle_scalable_csa #(
    .WordWidth(WordWidth)
  ) u_qm (
    .clk_i,
    .first_i(first_q),
    .a_i    (xy_s),
    .b_i    (xy_c),
    .c_i    (qm),
    .sum_o  (s),
    .carry_o(c)
  );

  always_ff @(posedge clk_i) begin
    first_q <= next_first_i;
    if (next_first_i) begin
      x_q <= x_first;
      x_negative_q <= x_i[2] && (x_i[1:0] != 2'b11);
    end
    q_q <= q;
    y_top_q <= y_i[0][WordWidth-1-:3];
    m_top_q <= m_i[0][WordWidth-1-:3];
    if (first_q) owed_o <= OwedBits'(t[3:2]) + {t[1], 1'b0} + OwedBits'(x_negative_q);
    z_s_o <= s;
    z_c_o <= c;
    y_o[0] <= y;
    m_o[0] <= m;
  end

endmodule
