// SPDX-License-Identifier: Apache-2.0
//
// Converts words of the RAM into bits for the row, and bits of the row into words.
//
//   b, y ← words, lowest bits first;  word ← p, lowest bits first
//
// Ranges    a word lasts WordBits/BitsPerCycle steps; zeros follow: a Charge multiplies by them
// Cycles    a word of the multiplier is loaded in the cycle before its first step, so that a register drives the
//           whole row; a word of the addend, of which a step uses one position only, in that step itself.
//           word_o is complete in the cycle after the last step of a word, which is the first step of the next
//
// Parameters
//   WordBits       bits of a word
//   BitsPerCycle   bits per step

module perle_reg_mul_streams #(
  parameter int unsigned WordBits     = 32,
  parameter int unsigned BitsPerCycle = 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    step_i,
  input  logic                    take_b_i,
  input  logic                    take_y_i,
  input  logic [    WordBits-1:0] word_i,
  output logic [BitsPerCycle-1:0] b_o,
  output logic [BitsPerCycle-1:0] y_o,
  input  logic [BitsPerCycle-1:0] p_i,
  output logic [    WordBits-1:0] word_o
);

  logic [WordBits-1:0] b_q, y_q, p_q, y;

  assign y = take_y_i ? word_i : y_q;
  assign b_o = b_q[BitsPerCycle-1:0];
  assign y_o = y[BitsPerCycle-1:0];
  assign word_o = p_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      b_q <= '0;
      y_q <= '0;
      p_q <= '0;
    end else begin
      if (take_b_i) b_q <= word_i;
      else if (step_i) b_q <= b_q >> BitsPerCycle;
      if (step_i) begin
        y_q <= y >> BitsPerCycle;
        p_q <= {p_i, p_q[WordBits-1:BitsPerCycle]};
      end
    end
  end

endmodule
