// SPDX-License-Identifier: Apache-2.0
//
// Right border of the row, column 0: finds the quotient bit and starts the carry.
//
//   q_i = s_0 xor a_i·b_0          carry into column 1: s_0
//
// Ranges    one bit each
// Algorithm nedjah2002 Fig. 6 line 1. Bit 0 of the sum is zero by the choice of q_i; so x_0 = s_0, and the
//           carry, the majority of s_0, x_0 and 0, is s_0 itself: neither m_0 nor mb_0 is needed
// Cycles    latency one to column 1
//
// Parameters none

module perle_bit_systolic_right (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic active_i,  // a row of a product starts
  input  logic first_i,   // it is the first of its product: S = 0
  input  logic a_i,
  input  logic b_i,
  input  logic s_i,
  output logic a_o,
  output logic q_o,
  output logic carry_o
);

  logic s;

  assign s = s_i && !first_i && active_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a_o <= 1'b0;
      q_o <= 1'b0;
      carry_o <= 1'b0;
    end else begin
      a_o <= a_i;
      q_o <= s ^ (a_i && b_i && active_i);
      carry_o <= s;
    end
  end

endmodule
