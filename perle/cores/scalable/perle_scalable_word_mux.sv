// SPDX-License-Identifier: Apache-2.0
//
// One word out of lines of words.
//
//   word_o ← slot_i[line][number]
//
// Ranges    a number of Words or more gives any word or 0
// Algorithm eight words of each line go together. The lower bits of the number and the line choose in each group,
//           all groups but the one of the upper bits are cleared, and all are ORed a cycle later. Each group has
//           its own copy of what chooses
// Cycles    next_i and next_slot_i are those of the next cycle, whose word is there in the cycle after that
// Left out  reset
//
// Parameters
//   WordWidth   w          Words   of a line          Slots   of which one is read

module perle_scalable_word_mux #(
  parameter  int unsigned WordWidth = 16,
  parameter  int unsigned Words     = 17,
  parameter  int unsigned Slots     = 1,
  localparam int unsigned WordIdx   = (Words > 1) ? $clog2(Words) : 1,
  localparam int unsigned SlotIdx   = (Slots > 1) ? $clog2(Slots) : 1
) (
  input  logic                                            clk_i,
  input  logic [  WordIdx-1:0]                           next_i,
  input  logic [  SlotIdx-1:0]                           next_slot_i,
  input  logic [    Slots-1:0][Words-1:0][WordWidth-1:0] slot_i,
  output logic [WordWidth-1:0]                           word_o
);

  localparam int unsigned LowBits = 3;
  localparam int unsigned Group = 1 << LowBits;
  localparam int unsigned Groups = (Words + Group - 1) / Group;

  logic [Groups-1:0][Slots-1:0][Group-1:0][WordWidth-1:0] padded;
  logic [Groups-1:0][WordWidth-1:0] chosen_q;

  for (genvar l = 0; l < Slots; l++) begin : gen_word
    logic [Groups*Group-1:0][WordWidth-1:0] words;

    assign words = (Groups * Group * WordWidth)'(slot_i[l]);
    for (genvar g = 0; g < Groups; g++) begin : gen_part
      assign padded[g][l] = words[Group*g+:Group];
    end
  end

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    logic [LowBits-1:0] low_q;
    logic [SlotIdx-1:0] slot_q;
    logic mine_q;

    (* keep *) always_ff @(posedge clk_i) begin
      low_q <= LowBits'(next_i);
      slot_q <= next_slot_i;
      mine_q <= (32'(next_i) >> LowBits) == g;
    end

    always_ff @(posedge clk_i) chosen_q[g] <= mine_q ? padded[g][slot_q][low_q] : '0;
  end

  always_comb begin
    word_o = '0;
    for (int unsigned g = 0; g < Groups; g++) word_o |= chosen_q[g];
  end

endmodule
