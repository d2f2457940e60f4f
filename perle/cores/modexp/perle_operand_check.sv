// SPDX-License-Identifier: Apache-2.0
//
// Is M at least 2, is X below M, is Y below M: from the flags of each word of a slot (perle_modexp_word).
//
// Ranges    any words; the answer does not depend on when the words differ
// Algorithm X < M iff X − M borrows out of the last word; a borrow runs through the words that are equal
// Cycles    busy_o, in the two cycles after start_i: x and y are to be read. The words' answers come Delay cycles after
//           that, and the flags hold from Delay + 3 cycles after start_i on
//
// Parameters
//   Words   of a slot      Delay   cycles from the number of a slot to lt_i and equal_i of its words

module perle_operand_check #(
  parameter int unsigned Words = 17,
  parameter int unsigned Delay = 6
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             start_i,
  output logic             busy_o,
  output logic             second_o,   // it is y's turn
  input  logic [Words-1:0] lt_i,     // the word of the slot is less than that of M
  input  logic [Words-1:0] equal_i,
  input  logic [Words-1:0] zero_i,     // M's word is zero, but for bit 0 of the lowest
  output logic             x_lt_o,
  output logic             y_lt_o,
  output logic             m_small_o
);

  logic [Delay+1:0] turn_q;
  logic lt;
  // verilator lint_off UNUSEDSIGNAL
  logic [Words-1:0] sum;  // its carry is what counts
  // verilator lint_on UNUSEDSIGNAL

  assign busy_o = turn_q[0] || turn_q[1];
  assign second_o = turn_q[1];
  assign {lt, sum} = (Words + 1)'(lt_i | equal_i) + (Words + 1)'(lt_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      turn_q <= '0;
      x_lt_o <= 1'b0;
      y_lt_o <= 1'b0;
      m_small_o <= 1'b1;
    end else begin
      turn_q <= {turn_q[Delay:0], start_i};
      if (turn_q[Delay]) x_lt_o <= lt;
      if (turn_q[Delay+1]) y_lt_o <= lt;
      m_small_o <= &zero_i;
    end
  end

endmodule
