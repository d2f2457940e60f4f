// SPDX-License-Identifier: Apache-2.0
//
// Is M at least 2, is X below M, is Y below M: one word a cycle, least significant first.
//
// Ranges    any words; the answer does not depend on when the words differ
// Algorithm X < M iff X − M borrows out of the last word
// Cycles    busy_o for Words + 2 cycles after start_i, the first two for the lines to come; a word is there a cycle
//           after its number, and the flags hold from two cycles after busy_o on
//
// Parameters
//   Words, WordBits   shape of a line

module perle_operand_check #(
  parameter  int unsigned Words    = 17,
  parameter  int unsigned WordBits = 64,
  localparam int unsigned WordIdx  = (Words > 1) ? $clog2(Words) : 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                start_i,
  output logic [ WordIdx-1:0] word_o,
  input  logic [WordBits-1:0] x_word_i,
  input  logic [WordBits-1:0] y_word_i,
  input  logic [WordBits-1:0] m_word_i,
  output logic                busy_o,
  output logic                x_below_o,
  output logic                y_below_o,
  output logic                m_small_o
);

  logic [1:0] lines_q;  // they are there
  logic valid_q, first_q;
  logic [WordBits-1:0] m_rest;

  // bit 0 of M says odd, every other bit says "at least 2"
  assign m_rest = first_q ? {m_word_i[WordBits-1:1], 1'b0} : m_word_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      word_o <= '0;
      busy_o <= 1'b0;
      lines_q <= '0;
      valid_q <= 1'b0;
      first_q <= 1'b0;
      x_below_o <= 1'b0;
      y_below_o <= 1'b0;
      m_small_o <= 1'b1;
    end else begin
      lines_q <= {lines_q[0], 1'b1};
      valid_q <= busy_o && lines_q[1];
      first_q <= (word_o == '0);
      if (busy_o && lines_q[1]) begin
        word_o <= word_o + WordIdx'(1);
        busy_o <= (word_o != WordIdx'(Words - 1));
      end
      if (valid_q) begin
        x_below_o <= (x_word_i < m_word_i) || (x_word_i == m_word_i && x_below_o);
        y_below_o <= (y_word_i < m_word_i) || (y_word_i == m_word_i && y_below_o);
        m_small_o <= m_small_o && (m_rest == '0);
      end
      if (start_i) begin
        word_o <= '0;
        busy_o <= 1'b1;
        lines_q <= '0;
        x_below_o <= 1'b0;
        y_below_o <= 1'b0;
        m_small_o <= 1'b1;
      end
    end
  end

endmodule
