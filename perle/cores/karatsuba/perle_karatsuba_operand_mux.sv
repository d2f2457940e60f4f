// SPDX-License-Identifier: Apache-2.0
//
// q(t + 2) = a(t + 1) if take_a(t), b(t + 1) if take_b(t), 0 otherwise.
//
// Ranges    any bits; at most one of the selects is set, otherwise q is a | b
// Algorithm a select signal of all bits of a wide operand has a long routing delay. It is therefore needed
//           one cycle before the data and has a register per FanOut bits
// Cycles    2 from the selects, 1 from the operands
//
// Parameters
//   Width   bits

module perle_karatsuba_operand_mux
  import perle_karatsuba_pkg::*;
#(
  parameter int unsigned Width = 130
) (
  input  logic             clk_i,
  input  logic             take_a_i,
  input  logic [Width-1:0] a_i,
  input  logic             take_b_i,
  input  logic [Width-1:0] b_i,
  output logic [Width-1:0] q_o
);

  for (genvar i = 0; i < Width; i += FanOut) begin : gen_part
    localparam int unsigned Len = (i + FanOut < Width) ? FanOut : Width - i;
    logic take_a_q, take_b_q;

    (* keep *) always_ff @(posedge clk_i) take_a_q <= take_a_i;
    (* keep *) always_ff @(posedge clk_i) take_b_q <= take_b_i;
    always_ff @(posedge clk_i) begin
      q_o[i+:Len] <= (a_i[i+:Len] & {Len{take_a_q}}) | (b_i[i+:Len] & {Len{take_b_q}});
    end
  end

endmodule
