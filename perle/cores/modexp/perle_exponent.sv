// SPDX-License-Identifier: Apache-2.0
//
// The exponent register: digit_o = bits pos_i … pos_i + WindowBits − 1 of E.
//
// Ranges    pos_i is a multiple of WindowBits when a whole digit is wanted; bit_o = E[pos_i] at any pos_i
// Cycles    writes land at the clock edge, reads are combinational
//
// Parameters
//   Words, WordBits   shape of the register
//   WindowBits        bits of a digit, a divisor of WordBits

module perle_exponent #(
  parameter  int unsigned Words      = 17,
  parameter  int unsigned WordBits   = 64,
  parameter  int unsigned WindowBits = 4,
  localparam int unsigned WordIdx    = (Words > 1) ? $clog2(Words) : 1,
  localparam int unsigned PosBits    = $clog2(Words * WordBits)
) (
  input  logic                  clk_i,
  input  logic                  we_i,
  input  logic [   WordIdx-1:0] word_i,
  input  logic [  WordBits-1:0] data_i,
  input  logic [   PosBits-1:0] pos_i,
  output logic [WindowBits-1:0] digit_o,
  output logic                  bit_o
);

  localparam int unsigned BitIdx = $clog2(WordBits);

  logic [WordBits-1:0] words_q[Words];
  logic [WordBits-1:0] word, aligned;

  always_ff @(posedge clk_i) begin
    if (we_i) words_q[word_i] <= data_i;
  end

  if (Words > 1) begin : gen_word
    assign word = words_q[pos_i[PosBits-1:BitIdx]];
  end else begin : gen_only
    assign word = words_q[0];
  end

  assign aligned = word >> pos_i[BitIdx-1:0];
  assign digit_o = aligned[WindowBits-1:0];
  assign bit_o   = aligned[0];

  logic unused_aligned;
  assign unused_aligned = ^aligned;

endmodule
