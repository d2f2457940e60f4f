// SPDX-License-Identifier: Apache-2.0
//
// Checks M >= 2, X < M and Y < M, from the flags of each word of a slot (perle_modexp_word).
//
// Ranges    any words; the time does not depend on where the words differ
// Algorithm X < M iff X − M borrows out of the highest word; a borrow propagates through words that are equal
// Cycles    busy_o is 1 in the two cycles after start_i, in which x, then y is to be read. The flags of the
//           words come Delay cycles later; the outputs are valid from Delay + 3 cycles after start_i on
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
  output logic             second_o,   // y is to be read
  input  logic [Words-1:0] lt_i,     // the word of the slot is less than that of M
  input  logic [Words-1:0] equal_i,
  input  logic [Words-1:0] zero_i,     // M's word is zero, apart from bit 0 of the lowest
  output logic             x_lt_o,
  output logic             y_lt_o,
  output logic             m_small_o
);

  logic [Delay+1:0] turn_q;
  logic lt;
  // verilator lint_off UNUSEDSIGNAL
  logic [Words-1:0] sum;  // only the carry out is used
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
