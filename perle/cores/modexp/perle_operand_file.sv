// SPDX-License-Identifier: Apache-2.0
//
// Operand lines: written whole or by words, two of them read at a time.
//
// Ranges    lines below Lines, words below Words
// Algorithm a memory for every word of a line, with a copy of the addresses: they have far to go
// Cycles    writes land at the clock edge; x_o and y_o two cycles after x_line_i and y_line_i
// Left out  reset: the memories are overwritten instead
//
// Parameters
//   Lines, Words, WordBits   lines, and their shape

module perle_operand_file #(
  parameter  int unsigned Lines    = 19,
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

  for (genvar w = 0; w < Words; w++) begin : gen_word
    logic [WordBits-1:0] words_q[Lines];
    logic [WordBits-1:0] x_q, y_q;
    logic [IdxBits-1:0] x_line_q, y_line_q;
    logic we;

    assign we = we_i || (we_word_i && word_i == WordIdx'(w));

    (* keep *) always_ff @(posedge clk_i) begin
      x_line_q <= x_line_i;
      y_line_q <= y_line_i;
    end
    always_ff @(posedge clk_i) begin
      if (we) words_q[line_i] <= we_i ? line_data_i[w*WordBits+:WordBits] : word_data_i;
      x_q <= words_q[x_line_q];
      y_q <= words_q[y_line_q];
    end
    assign x_o[w*WordBits+:WordBits] = x_q;
    assign y_o[w*WordBits+:WordBits] = y_q;
  end

endmodule
