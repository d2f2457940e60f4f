// SPDX-License-Identifier: Apache-2.0
//
// The row: A and P, one full adder per bit of A, one bit of the digit of B per clock cycle.
//
//   P ← ⌊(P + b·A + s·2^N) / 2⌋                  load_i = 0, N = Words·WordBits
//   P ← ⌊(P + s·2^N) / 2⌋,  A ← ⌊(A + b·2^N) / 2⌋       load_i = 1
//
// Ranges    A in [0, 2^N). P = Σ (sum_i + carry_i)·2^i in [0, 2^(N+1) − 2] for all values of the bits: C_out,
//           bit 512 of the paper's P, is part of the carry-save form and needs no cell
// Algorithm shand1990 section 4.1, Lyon's pipeline multiplier. In cell i, sum_i + carry_i + b·a_i has a sum
//           bit, which moves to cell i − 1, and a carry bit, which after the division by 2 has the weight of
//           the same cell: carries never move. So nothing in cell i depends on a lower cell, and the sum bit
//           of any cell is the exact parity of the row that starts there: no carry into a bit that is shifted
//           out is outstanding
// Cycles    one per bit; the critical path is the AND, one full adder and the tap
// Left out  a systolic broadcast of b, as in Lyon's: here b reaches all cells in one cycle
//
// Parameters
//   Words      words of A
//   WordBits   bits of a word
//
// tap_o[w] is the output bit of the row that starts at word w.

module perle_bus_mul_row #(
  parameter  int unsigned Words    = 16,
  parameter  int unsigned WordBits = 32,
  localparam int unsigned Bits     = Words * WordBits
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             step_i,
  input  logic             load_i,
  input  logic             b_i,
  input  logic             s_i,
  output logic [Words-1:0] tap_o
);

  logic [Bits-1:0] a_q, sum_q, carry_q;
  logic [Bits-1:0] addend, sum;

  assign addend = a_q & {Bits{b_i && !load_i}};
  assign sum = sum_q ^ carry_q ^ addend;

  for (genvar w = 0; w < Words; w++) begin : gen_tap
    assign tap_o[w] = sum[w*WordBits];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a_q <= '0;
      sum_q <= '0;
      carry_q <= '0;
    end else if (step_i) begin
      sum_q <= Bits'({s_i, sum} >> 1);
      carry_q <= (sum_q & carry_q) | (addend & (sum_q | carry_q));
      if (load_i) a_q <= Bits'({b_i, a_q} >> 1);
    end
  end

endmodule
