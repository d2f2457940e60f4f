// SPDX-License-Identifier: Apache-2.0
//
// Operand lines: written by words (host) or whole (results), read whole on two ports.
//
// Ranges    a line holds Words·WordBits bits, words least significant first
// Cycles    writes land at the clock edge, reads are combinational
// Left out  reset: the exponentiator wipes the lines after reset
//
// Parameters
//   Lines, Words, WordBits   shape

module perle_operand_file #(
  parameter  int unsigned Lines    = 20,
  parameter  int unsigned Words    = 17,
  parameter  int unsigned WordBits = 64,
  localparam int unsigned IdxBits  = $clog2(Lines),
  localparam int unsigned WordIdx  = (Words > 1) ? $clog2(Words) : 1,
  localparam int unsigned LineBits = Words * WordBits
) (
  input  logic                clk_i,
  // whole line, or only the word word_i of it
  input  logic                we_i,
  input  logic                we_word_i,
  input  logic [ IdxBits-1:0] line_i,
  input  logic [ WordIdx-1:0] word_i,
  input  logic [LineBits-1:0] line_data_i,
  input  logic [WordBits-1:0] word_data_i,
  input  logic [ IdxBits-1:0] x_line_i,
  input  logic [ IdxBits-1:0] y_line_i,
  output logic [LineBits-1:0] x_o,
  output logic [LineBits-1:0] y_o
);

  logic [LineBits-1:0] lines_q[Lines];

  always_ff @(posedge clk_i) begin
    if (we_i) lines_q[line_i] <= line_data_i;
    else if (we_word_i) lines_q[line_i][word_i*WordBits+:WordBits] <= word_data_i;
  end

  assign x_o = lines_q[x_line_i];
  assign y_o = lines_q[y_line_i];

endmodule
