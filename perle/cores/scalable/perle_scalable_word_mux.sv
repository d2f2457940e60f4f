// SPDX-License-Identifier: Apache-2.0
//
// Multiplexer for one word of one of several operands.
//
//   word_o ← operand_i[operand][number]
//
// Ranges    a number of Words or more yields any word or 0
// Algorithm groups of eight words of each operand. The low bits of the number and the operand select in each
//           group; all groups but the selected one are cleared, and a cycle later all are ORed. Each group
//           has its own copy of the select signals
// Cycles    next_i and next_operand_i are those of the next cycle; word_o is valid in the cycle after that
// Left out  reset
//
// Parameters
//   WordWidth   w          Words   of an operand          Operands   to select from

module perle_scalable_word_mux #(
  parameter  int unsigned WordWidth  = 16,
  parameter  int unsigned Words      = 17,
  parameter  int unsigned Operands   = 1,
  localparam int unsigned WordIdx    = (Words > 1) ? $clog2(Words) : 1,
  localparam int unsigned OperandIdx = (Operands > 1) ? $clog2(Operands) : 1
) (
  input  logic                                               clk_i,
  input  logic [   WordIdx-1:0]                              next_i,
  input  logic [OperandIdx-1:0]                              next_operand_i,
  input  logic [  Operands-1:0][Words-1:0][WordWidth-1:0]    operand_i,
  output logic [ WordWidth-1:0]                              word_o
);

  localparam int unsigned LowBits = 3;
  localparam int unsigned Group = 1 << LowBits;
  localparam int unsigned Groups = (Words + Group - 1) / Group;

  logic [Groups-1:0][Operands-1:0][Group-1:0][WordWidth-1:0] padded;
  logic [Groups-1:0][WordWidth-1:0] chosen_q;

  for (genvar l = 0; l < Operands; l++) begin : gen_operand
    logic [Groups*Group-1:0][WordWidth-1:0] words;

    assign words = (Groups * Group * WordWidth)'(operand_i[l]);
    for (genvar g = 0; g < Groups; g++) begin : gen_part
      assign padded[g][l] = words[Group*g+:Group];
    end
  end

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    logic [LowBits-1:0] low_q;
    logic [OperandIdx-1:0] operand_q;
    logic selected_q;

    (* keep *) always_ff @(posedge clk_i) begin
      low_q <= LowBits'(next_i);
      operand_q <= next_operand_i;
      selected_q <= (32'(next_i) >> LowBits) == g;
    end

    always_ff @(posedge clk_i) chosen_q[g] <= selected_q ? padded[g][operand_q][low_q] : '0;
  end

  always_comb begin
    word_o = '0;
    for (int unsigned g = 0; g < Groups; g++) word_o |= chosen_q[g];
  end

endmodule
