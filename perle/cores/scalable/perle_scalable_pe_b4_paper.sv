// SPDX-License-Identifier: Apache-2.0
//
// Booth radix-4 processing element as drawn in the paper:
//
//   Z ← Z − q·2^Pos + 2^(Pos+2)·(q·M̂ + x·Y), q ≡ Z/2^Pos (mod 4)
//
// Ranges    as perle_scalable_pe_b4, but bit Pos of z_c may be 1 in the first word; owed in 0 … 2
// Algorithm carter2012 section III-C and figure 5: the Booth encoder is in the path of a first word, q·M̂ is
//           added first, and in a first word a multiplexer of two inputs behind each carry-save adder handles
//           the corner cases: it drops the digit, and puts the 1 that completes a two's complement into the
//           free place of the carry word. The remaining units of weight 2^(Pos+2), the carry of the digit and
//           1 for −q where q < 0, are counted and added by the next element (owed): t = z_s + z_c + owed at
//           the digit is at most 8, and the count at most 2
// Cycles    latency 1
// Left out  reset: words count only with the flags of perle_scalable_chain
//
// Parameters
//   WordWidth   w          Pos   lower bit of the first word that is the digit of this element

module perle_scalable_pe_b4_paper
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
  // the free bit of a carry word; it is in the second word if the digit ends the first one
  localparam int unsigned Free = (Pos + 2) % WordWidth;
  localparam bit FreeIsLater = (Pos + 2 == WordWidth);

  logic first_q, second_q, free, q_minus, x_minus, x_minus_first, x_minus_q;
  factor_t q, q_first, q_q, x, x_first, x_q;
  logic [3:0] t;
  logic [2:0] y_prev, m_prev, y_top_q, m_top_q;
  logic [WordWidth-1:0] y, m, y_twice, m_twice, qm, xy, sum_mask;
  logic [WordWidth-1:0] qm_s, qm_c, qm_s_mux, qm_c_mux, xy_s, xy_c, xy_c_mux;

  assign t = 4'({z_s_i[Pos+1], z_s_i[Pos]}) + 4'({z_c_i[Pos+1], z_c_i[Pos]}) + 4'(owed_i);
  assign q_first.once = (t[1:0] == 2'd1);
  assign q_first.twice = 1'b0;  // never
  assign q_first.minus_once = (t[1:0] == 2'd3);
  assign q_first.minus_twice = (t[1:0] == 2'd2);
  assign x_first.once = !x_i[2] && (x_i[1] != x_i[0]);
  assign x_first.twice = (x_i == 3'b011);
  assign x_first.minus_once = x_i[2] && (x_i[1] != x_i[0]);
  assign x_first.minus_twice = (x_i == 3'b100);
  assign x_minus_first = x_i[2] && (x_i[1:0] != 2'b11);
  assign q = first_q ? q_first : q_q;
  assign x = first_q ? x_first : x_q;
  assign q_minus = q.minus_once || q.minus_twice;
  assign x_minus = first_q ? x_minus_first : x_minus_q;
  assign free = FreeIsLater ? second_q : first_q;

  // Top three bits of the previous word: two shift in, for twice the number a third one.
  assign y_prev = first_q ? '0 : y_top_q;
  assign m_prev = first_q ? '0 : m_top_q;
  assign y = {y_i[0][WordWidth-3:0], y_prev[2:1]};
  assign m = {m_i[0][WordWidth-3:0], m_prev[2:1]};

  assign sum_mask = first_q ? SumMask : '1;
  assign y_twice = {y[WordWidth-2:0], y_prev[0]};
  assign m_twice = {m[WordWidth-2:0], m_prev[0]};
  assign qm = (({WordWidth{q.once}} & m) | ({WordWidth{q.twice}} & m_twice) |
      ({WordWidth{q.minus_once}} & ~m) | ({WordWidth{q.minus_twice}} & ~m_twice)) & sum_mask;
  assign xy = (({WordWidth{x.once}} & y) | ({WordWidth{x.twice}} & y_twice) |
      ({WordWidth{x.minus_once}} & ~y) | ({WordWidth{x.minus_twice}} & ~y_twice)) & sum_mask;

  perle_scalable_csa #(
    .WordWidth(WordWidth)
  ) u_qm (
    .clk_i,
    .first_i(first_q),
    .a_i    (z_s_i),
    .b_i    (z_c_i),
    .c_i    (qm),
    .sum_o  (qm_s),
    .carry_o(qm_c)
  );

  assign qm_s_mux = first_q ? qm_s & SumMask : qm_s;
  always_comb begin
    qm_c_mux = first_q ? qm_c & SumMask : qm_c;
    if (free) qm_c_mux[Free] = q_minus;
  end

  perle_scalable_csa #(
    .WordWidth(WordWidth)
  ) u_xy (
    .clk_i,
    .first_i(first_q),
    .a_i    (qm_s_mux),
    .b_i    (qm_c_mux),
    .c_i    (xy),
    .sum_o  (xy_s),
    .carry_o(xy_c)
  );

  always_comb begin
    xy_c_mux = xy_c;
    if (free) xy_c_mux[Free] = x_minus;
  end

  always_ff @(posedge clk_i) begin
    first_q <= next_first_i;
    second_q <= first_q;
    q_q <= q;
    x_q <= x;
    x_minus_q <= x_minus;
    y_top_q <= y_i[0][WordWidth-1-:3];
    m_top_q <= m_i[0][WordWidth-1-:3];
    if (first_q) owed_o <= OwedBits'(t[3:2]) + OwedBits'(t[1]);
    z_s_o <= xy_s;
    z_c_o <= xy_c_mux;
    y_o[0] <= y;
    m_o[0] <= m;
  end

endmodule
