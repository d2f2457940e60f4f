// SPDX-License-Identifier: Apache-2.0
//
// Streams of the words of y or of M̂ (or M) for the chain; for radix 4 also of three times the number.
//
//   stream 0 ← word ;  stream 1 ← word of 3·number
//
// Ranges    3·number fits its words
// Algorithm one of the two external carry-propagate adders of carter2012: a number plus twice the number
// Cycles    latency 1
// Left out  a memory for the multiples: they are computed again in every pass
//
// Parameters
//   WordWidth   w          Kind   the element (perle_scalable_pkg)

module perle_scalable_feed
  import perle_scalable_pkg::*;
#(
  parameter  int unsigned WordWidth = 16,
  parameter  int unsigned Kind      = KindR2,
  localparam int unsigned Streams   = streams(Kind)
) (
  input  logic                              clk_i,
  input  logic                              first_i,
  input  logic [WordWidth-1:0]              word_i,
  output logic [Streams-1:0][WordWidth-1:0] words_o
);

  always_ff @(posedge clk_i) words_o[0] <= word_i;

  if (Streams > 1) begin : gen_thrice
    logic [WordWidth:0] thrice;
    logic top_q, carry_q;

    assign thrice = (WordWidth + 1)'(word_i) + {1'b0, word_i[WordWidth-2:0], top_q && !first_i} +
        (WordWidth + 1)'(carry_q && !first_i);

    always_ff @(posedge clk_i) begin
      words_o[1] <= thrice[WordWidth-1:0];
      top_q <= word_i[WordWidth-1];
      carry_q <= thrice[WordWidth];
    end
  end else begin : gen_once
    logic unused_first;
    assign unused_first = first_i;
  end

endmodule
