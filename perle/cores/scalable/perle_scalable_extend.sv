// SPDX-License-Identifier: Apache-2.0
//
// Sign extension of y or M̂ after a shift by a whole word: the sign follows the last word. Word 0 is dropped
// because perle_scalable_align delays the flags.
//
// Ranges    words in two's complement
// Cycles    latency 0
// Left out  reset
//
// Parameters
//   WordWidth   w

module perle_scalable_extend #(
  parameter int unsigned WordWidth = 16
) (
  input  logic                 clk_i,
  input  logic                 last_i,  // word_i is the last word
  input  logic [WordWidth-1:0] word_i,
  output logic [WordWidth-1:0] word_o
);

  logic after_last_q, negative_q;

  assign word_o = after_last_q ? {WordWidth{negative_q}} : word_i;

  always_ff @(posedge clk_i) begin
    after_last_q <= last_i;
    negative_q <= word_i[WordWidth-1];
  end

endmodule
