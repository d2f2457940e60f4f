// SPDX-License-Identifier: Apache-2.0
//
// z ← z − k·M, k the largest number up to Multiples with k·M ≤ z: two sweeps over the words of z and M.
//
// Ranges    z < (Multiples + 1)·M, so that the result is in [0, M)
// Algorithm a lane for each k subtracts k·M word by word and keeps what it lacks, at most 3; the first sweep
//           ends with as many lanes that lack nothing as M fits into z, the second puts out that lane's words
// Cycles    combinational; a word a cycle, least significant first; the same for every z and M
// Left out  reset
//
// Parameters
//   WordWidth   w          Multiples   1 … 3

module perle_scalable_exit #(
  parameter int unsigned WordWidth = 16,
  parameter int unsigned Multiples = 1
) (
  input  logic                 clk_i,
  input  logic                 first_i,   // z_i, m_i are words 0
  input  logic                 word_i,    // z_i, m_i are words
  input  logic                 decide_i,  // all words have been seen
  input  logic                 clear_i,   // forget the lane that an earlier z chose
  input  logic [WordWidth-1:0] z_i,
  input  logic [WordWidth-1:0] m_i,
  output logic [WordWidth-1:0] z_o
);

  logic [Multiples:0][WordWidth-1:0] lanes;
  logic [Multiples:1] fits;
  logic [1:0] k_q;

  assign lanes[0] = z_i;

  for (genvar k = 1; k <= Multiples; k++) begin : gen_lane
    logic [WordWidth+1:0] difference;
    logic [1:0] lack_q;

    // two's complement: the upper bits of a difference are minus what it lacks
    assign difference = (WordWidth + 2)'(z_i) - (WordWidth + 2)'(k) * (WordWidth + 2)'(m_i) -
        (WordWidth + 2)'(first_i ? 2'd0 : lack_q);
    assign lanes[k] = difference[WordWidth-1:0];
    assign fits[k] = (lack_q == '0);

    always_ff @(posedge clk_i) begin
      if (word_i) lack_q <= 2'd0 - difference[WordWidth+1:WordWidth];
    end
  end

  assign z_o = lanes[k_q];

  always_ff @(posedge clk_i) begin
    if (clear_i) k_q <= '0;
    else if (decide_i) k_q <= 2'($countones(fits));
  end

endmodule
