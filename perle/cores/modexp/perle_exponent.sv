// SPDX-License-Identifier: Apache-2.0
//
// The exponent register: digit_o = bits pos_i … pos_i + WindowBits − 1 of E.
//
// Ranges    pos_i is a multiple of WindowBits if digit_o is used; bit_o = E[pos_i] for any pos_i
// Cycles    writes take effect at the clock edge; digit_o and bit_o three cycles after pos_i
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
  localparam int unsigned FineIdx = BitIdx / 2;
  localparam int unsigned FineBits = (1 << FineIdx) + WindowBits - 1;

  logic [WordBits-1:0] words_q[Words];
  logic [WordBits-1:0] word_q;
  logic [BitIdx-1:0] shift_q;
  logic [FineIdx-1:0] fine_q;
  logic [FineBits-1:0] part_q;
  logic [WindowBits-1:0] digit_q;

  // a word is shifted in two steps, by a multiple of 2^FineIdx first
  always_ff @(posedge clk_i) begin
    if (we_i) words_q[word_i] <= data_i;
    shift_q <= pos_i[BitIdx-1:0];
    part_q <= FineBits'(word_q >> {shift_q[BitIdx-1:FineIdx], FineIdx'(0)});
    fine_q <= shift_q[FineIdx-1:0];
    digit_q <= WindowBits'(part_q >> fine_q);
  end

  if (Words > 1) begin : gen_word
    always_ff @(posedge clk_i) word_q <= words_q[pos_i[PosBits-1:BitIdx]];
  end else begin : gen_only
    always_ff @(posedge clk_i) word_q <= words_q[0];
  end

  assign digit_o = digit_q;
  assign bit_o   = digit_q[0];

endmodule
