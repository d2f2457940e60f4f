// SPDX-License-Identifier: Apache-2.0
//
// Data path of nedjah2002 Fig. 2: S ← (S + a_i·B + q·M)/2, q the low bit of S + a_i·B. The paper calls S R.
//
// Ranges    A, B in [0, 2^(Width+1)), M in [0, 2^Width). Between iterations S < M + B < 2^(Width+2), so the
//           sums of ADDER1 and ADDER2 are below 2^(Width+3)
// Algorithm MUX1 selects 0 or B by the low bit of SHIFT REGISTER1 (A); ADDER1 adds S; MUX2 selects 0 or M by
//           the low bit of ADDER1's sum (Fig. 1, line 3, tests it after line 2); ADDER2 adds it;
//           SHIFT REGISTER2 (S) loads ADDER2's sum and shifts right by one bit
// Cycles    sum_i and shift_i take one cycle each, or one together: S then loads the shifted sum
// Left out  reset: load_i sets every register
//
// Parameters
//   Width   bits of the widest modulus

module perle_iterative_datapath #(
  parameter  int unsigned Width       = 1024,
  localparam int unsigned OperandBits = Width + 1
) (
  input  logic                   clk_i,
  input  logic                   load_i,   // A, B, M ← operands and modulus, S ← 0
  input  logic                   sum_i,    // S ← ADDER2
  input  logic                   shift_i,  // A ← A/2, S ← S/2 (with sum_i: ADDER2/2)
  input  logic                   clear_i,  // S ← 0 if it equals M
  input  logic [OperandBits-1:0] a_i,
  input  logic [OperandBits-1:0] b_i,
  input  logic [OperandBits-1:0] m_i,
  output logic [OperandBits-1:0] r_o
);

  localparam int unsigned SumBits = Width + 3;

  logic [OperandBits-1:0] a_q, b_q, m_q;
  logic [SumBits-1:0] r_q, adder1, adder2, next;

  assign adder1 = r_q + (a_q[0] ? SumBits'(b_q) : '0);
  assign adder2 = adder1 + (adder1[0] ? SumBits'(m_q) : '0);
  assign next = sum_i ? adder2 : r_q;
  assign r_o = r_q[OperandBits-1:0];

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      a_q <= a_i;
      b_q <= b_i;
      m_q <= m_i;
      r_q <= '0;
    end else begin
      if (shift_i) a_q <= a_q >> 1;
      if (sum_i || shift_i) r_q <= shift_i ? next >> 1 : next;
      if (clear_i && r_o == m_q) r_q <= '0;
    end
  end

endmodule
