// SPDX-License-Identifier: Apache-2.0
//
// Radix-4 processing element: Z ← Z − q·2^Pos + 2^(Pos+2)·(q·M̂ + x·Y), q = bits Pos + 1, Pos of Z
//
// Ranges    Z = z_s + z_c, two words a cycle, least significant first; in the first word the bits below Pos are
//           0, as is bit Pos of z_c; y and m arrive Pos bits to the left and leave Pos + 2 bits to the left,
//           stream 0 once and stream 1 thrice the number
// Algorithm carter2012 figure 4 and figure 2 for two bits of x: two four-way multiplexers, two carry-save
//           adders. Bit Pos + 1 of q is the XOR of Z's two bits; their AND stays in the sum as a carry into the
//           bit above
// Cycles    a word goes out one cycle after it came in; x and q are latched with the first
// Left out  reset: words count only beside the flags of perle_scalable_chain
//
// Parameters
//   WordWidth   w          Pos   lower bit of the first word that is this element's digit

module perle_scalable_pe_r4
  import perle_scalable_pkg::*;
#(
  parameter  int unsigned WordWidth = 16,
  parameter  int unsigned Pos       = 0,
  localparam int unsigned Streams   = streams(KindR4)
) (
  input  logic                                clk_i,
  input  logic                                first_i,
  input  logic [         2:0]                 x_i,      // x's bits, and the one below them
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

  // bits of the first word that have gone out of the sum
  localparam logic [WordWidth-1:0] Gone = WordWidth'(3) << Pos;

  logic [1:0] x, q, x_q, q_q;
  logic [Streams-1:0][WordWidth-1:0] y, m;
  logic [Streams-1:0][2:0] y_below, m_below, y_top_q, m_top_q;
  logic [WordWidth-1:0] qm, xy, qm_s, qm_c, s, c;

  assign x = first_i ? x_i[2:1] : x_q;
  assign q = first_i ? {z_s_i[Pos+1] ^ z_c_i[Pos+1], z_s_i[Pos]} : q_q;

  // Three bits of the word below: two move up, and with twice the number a third one.
  for (genvar i = 0; i < Streams; i++) begin : gen_shift
    assign y_below[i] = first_i ? '0 : y_top_q[i];
    assign m_below[i] = first_i ? '0 : m_top_q[i];
    assign y[i] = {y_i[i][WordWidth-3:0], y_below[i][2:1]};
    assign m[i] = {m_i[i][WordWidth-3:0], m_below[i][2:1]};
  end

  always_comb begin
    unique case (q)
      2'd0: qm = '0;
      2'd1: qm = m[0];
      2'd2: qm = {m[0][WordWidth-2:0], m_below[0][0]};
      default: qm = m[1];
    endcase
    unique case (x)
      2'd0: xy = '0;
      2'd1: xy = y[0];
      2'd2: xy = {y[0][WordWidth-2:0], y_below[0][0]};
      default: xy = y[1];
    endcase
  end

  perle_scalable_csa #(
    .WordWidth(WordWidth)
  ) u_qm (
    .clk_i,
    .first_i,
    .a_i    (z_s_i),
    .b_i    (z_c_i),
    .c_i    (qm),
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
    .c_i    (xy),
    .sum_o  (s),
    .carry_o(c)
  );

  always_ff @(posedge clk_i) begin
    x_q <= x;
    q_q <= q;
    for (int unsigned i = 0; i < Streams; i++) begin
      y_top_q[i] <= y_i[i][WordWidth-1-:3];
      m_top_q[i] <= m_i[i][WordWidth-1-:3];
    end
    z_s_o <= s & ~(first_i ? Gone : '0);
    z_c_o <= c & ~(first_i ? Gone : '0);
    y_o <= y;
    m_o <= m;
  end

  assign owed_o = '0;

  logic unused;
  assign unused = ^{x_i[0], owed_i, y_below[1][0], m_below[1][0]};

endmodule
