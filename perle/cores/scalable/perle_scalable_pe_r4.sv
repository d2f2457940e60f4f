// SPDX-License-Identifier: Apache-2.0
//
// Radix-4 processing element: Z ← Z − q·2^Pos + 2^(Pos+2)·(q·M̂ + x·Y), q = bits Pos + 1, Pos of Z
//
// Ranges    Z = z_s + z_c, two words per cycle, least significant first; in the first word the bits below Pos
//           are 0, and so is bit Pos of z_c; y and m arrive shifted left by Pos bits and are passed on
//           shifted by Pos + 2; stream 0 is the number, stream 1 three times the number
// Algorithm carter2012 figures 2 and 4 for two bits of x: two four-way multiplexers, two carry-save adders.
//           x·Y is added first, as q is the last input to be valid; with Paper q·M̂ is first, as in figure 4.
//           Bit Pos + 1 of q is the XOR of the two bits of Z; their AND stays in the sum as a carry into the
//           next bit
// Cycles    latency 1; x is registered in the cycle before the first word, q with the first word
// Left out  reset: words count only with the flags of perle_scalable_chain
//
// Parameters
//   WordWidth   w          Pos   lower bit of the first word that is the digit of this element
//   Paper       1: q·M̂ is added first

module perle_scalable_pe_r4
  import perle_scalable_pkg::*;
#(
  parameter  int unsigned WordWidth = 16,
  parameter  int unsigned Pos       = 0,
  parameter  bit          Paper     = 1'b0,
  localparam int unsigned Streams   = streams(KindR4)
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

  // bits of the first word that are dropped from the sum
  localparam logic [WordWidth-1:0] Dropped = WordWidth'(3) << Pos;

  // Selects a multiple; all zero selects 0.
  typedef struct packed {
    logic once;
    logic twice;
    logic thrice;
  } factor_t;

  logic first_q;
  factor_t q, x_q, q_q;
  logic [Streams-1:0][WordWidth-1:0] y, m;
  logic [Streams-1:0][2:0] y_prev, m_prev, y_top_q, m_top_q;
  logic [WordWidth-1:0] y_twice, m_twice, qm, xy, xy_s, xy_c, s, c;

  assign q.once = first_q ? z_s_i[Pos] && (z_s_i[Pos+1] == z_c_i[Pos+1]) : q_q.once;
  assign q.twice = first_q ? !z_s_i[Pos] && (z_s_i[Pos+1] != z_c_i[Pos+1]) : q_q.twice;
  assign q.thrice = first_q ? z_s_i[Pos] && (z_s_i[Pos+1] != z_c_i[Pos+1]) : q_q.thrice;

  // Top three bits of the previous word: two shift in, for twice the number a third one.
  for (genvar i = 0; i < Streams; i++) begin : gen_shift
    assign y_prev[i] = first_q ? '0 : y_top_q[i];
    assign m_prev[i] = first_q ? '0 : m_top_q[i];
    assign y[i] = {y_i[i][WordWidth-3:0], y_prev[i][2:1]};
    assign m[i] = {m_i[i][WordWidth-3:0], m_prev[i][2:1]};
  end

  assign y_twice = {y[0][WordWidth-2:0], y_prev[0][0]};
  assign m_twice = {m[0][WordWidth-2:0], m_prev[0][0]};
  assign qm = ({WordWidth{q.once}} & m[0]) | ({WordWidth{q.twice}} & m_twice) |
      ({WordWidth{q.thrice}} & m[1]);
  assign xy = ({WordWidth{x_q.once}} & y[0]) | ({WordWidth{x_q.twice}} & y_twice) |
      ({WordWidth{x_q.thrice}} & y[1]);

  perle_scalable_csa #(
    .WordWidth(WordWidth)
  ) u_xy (
    .clk_i,
    .first_i(first_q),
    .a_i    (z_s_i),
    .b_i    (z_c_i),
    .c_i    (Paper ? qm : xy),
    .sum_o  (xy_s),
    .carry_o(xy_c)
  );

  perle_scalable_csa #(
    .WordWidth(WordWidth)
  ) u_qm (
    .clk_i,
    .first_i(first_q),
    .a_i    (xy_s & ~(first_q ? Dropped : '0)),
    .b_i    (xy_c),
    .c_i    (Paper ? xy : qm),
    .sum_o  (s),
    .carry_o(c)
  );

  always_ff @(posedge clk_i) begin
    first_q <= next_first_i;
    if (next_first_i) begin
      x_q.once <= (x_i[2:1] == 2'd1);
      x_q.twice <= (x_i[2:1] == 2'd2);
      x_q.thrice <= (x_i[2:1] == 2'd3);
    end
    q_q <= q;
    for (int unsigned i = 0; i < Streams; i++) begin
      y_top_q[i] <= y_i[i][WordWidth-1-:3];
      m_top_q[i] <= m_i[i][WordWidth-1-:3];
    end
    z_s_o <= s;
    z_c_o <= c;
    y_o <= y;
    m_o <= m;
  end

  assign owed_o = '0;

  logic unused;
  assign unused = ^{x_i[0], owed_i, y_prev[1][0], m_prev[1][0]};

endmodule
