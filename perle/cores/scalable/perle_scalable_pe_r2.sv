// SPDX-License-Identifier: Apache-2.0
//
// Radix-2 processing element: Z ← Z − q·2^Pos + 2^(Pos+1)·(q·M̂ + x·Y), q = bit Pos of Z
//
// Ranges    Z = z_s + z_c, two words per cycle, least significant first; in the first word the bits below Pos
//           are 0, and so is bit Pos of z_c; y and m arrive shifted left by Pos bits and are passed on
//           shifted by Pos + 1
// Algorithm carter2012 figures 2 and 3 for one bit of x: two rows of AND gates, two carry-save adders. The
//           bit that holds q is dropped; nothing is carried into the next bit, so the next element finds its
//           q in z_s alone
// Cycles    latency 1; x and q are registered with the first word
// Left out  reset: words count only with the flags of perle_scalable_chain
//
// Parameters
//   WordWidth   w          Pos   bit of the first word that is the digit of this element

module perle_scalable_pe_r2
  import perle_scalable_pkg::*;
#(
  parameter  int unsigned WordWidth = 16,
  parameter  int unsigned Pos       = 0,
  localparam int unsigned Streams   = streams(KindR2)
) (
  input  logic                                clk_i,
  input  logic                                first_i,
  input  logic [         1:0]                 x_i,  // the bit of x, and the next lower one
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

  // bits of the first word that are dropped from the sum
  localparam logic [WordWidth-1:0] Dropped = WordWidth'(1) << Pos;

  logic x, q, x_q, q_q, y_top_q, m_top_q;
  logic [WordWidth-1:0] y, m, qm_s, qm_c, s, c;

  assign x = first_i ? x_i[1] : x_q;
  assign q = first_i ? z_s_i[Pos] : q_q;
  assign y = {y_i[0][WordWidth-2:0], y_top_q && !first_i};
  assign m = {m_i[0][WordWidth-2:0], m_top_q && !first_i};

  perle_scalable_csa #(
    .WordWidth(WordWidth)
  ) u_qm (
    .clk_i,
    .first_i,
    .a_i    (z_s_i & ~(first_i ? Dropped : '0)),
    .b_i    (z_c_i),
    .c_i    (m & {WordWidth{q}}),
    .sum_o  (qm_s),
    .carry_o(qm_c)
  );

  perle_scalable_csa #(
    .WordWidth(WordWidth)
  ) u_xy (
    .clk_i,
    .first_i,
    .a_i    (qm_s),
    .b_i    (qm_c),
    .c_i    (y & {WordWidth{x}}),
    .sum_o  (s),
    .carry_o(c)
  );

  always_ff @(posedge clk_i) begin
    x_q <= x;
    q_q <= q;
    y_top_q <= y_i[0][WordWidth-1];
    m_top_q <= m_i[0][WordWidth-1];
    z_s_o <= s;
    z_c_o <= c;
    y_o[0] <= y;
    m_o[0] <= m;
  end

  assign owed_o = '0;

  logic unused;
  assign unused = ^{x_i[0], owed_i};

endmodule
