// SPDX-License-Identifier: Apache-2.0
//
// The lowest bits of S, ahead of the segments: computes the quotient bits early enough to distribute them
// through registers.
//
//   q_i = h_0 + in + a_i·b_0 mod 2 ;  h ← (h + in + a_i·B + q_i·M)/2
//
// Ranges    B, M the operands' lowest HeadBits bits; h <= B + M + 1 < 2^(HeadBits+1)
// Algorithm h is S without the part in the segments, HeadBits − 1 iterations ahead of them. in_i is the bit
//           that segment 0 shifted out HeadBits − 1 iterations ago; its weight was 2^(HeadBits−1) then and is
//           1 now. After the last iteration HeadBits bits of the segments have still to arrive: shifting
//           continues with a = q = 0 and yields the lowest bits of the result, low bit first; h is then the
//           carry into segment 0
// Cycles    one per iteration, and HeadBits at the end
// Left out  reset: clear_i clears h, and low_o follows
//
// Parameters
//   HeadBits   cycles from finding q_i to the end of its addition in the segments, plus one

module perle_iterative_head #(
  parameter int unsigned HeadBits = 5
) (
  input  logic                clk_i,
  input  logic                clear_i,
  input  logic                shift_i,  // an iteration, or shifting at the end
  input  logic                bit_i,    // an iteration
  input  logic                a_i,      // 0 after the last iteration
  input  logic                in_i,
  input  logic [HeadBits-1:0] b_i,
  input  logic [HeadBits-1:0] m_i,
  input  logic                zero_i,   // the result becomes 0
  output logic                q_o,
  output logic [         1:0] carry_o,  // in the last cycle
  output logic [HeadBits-1:0] low_o     // from the next cycle on
);

  localparam int unsigned SumBits = HeadBits + 2;

  logic [HeadBits:0] h_q;
  logic [SumBits-1:0] first, second;

  assign first = SumBits'(h_q) + SumBits'(a_i ? b_i : '0) + SumBits'(in_i);
  assign q_o = (h_q[0] ^ in_i ^ (a_i && b_i[0])) && bit_i;
  assign second = first + SumBits'(q_o ? m_i : '0);
  assign carry_o = second[2:1];

  always_ff @(posedge clk_i) begin
    if (clear_i) h_q <= '0;
    else if (shift_i) h_q <= second[SumBits-1:1];
    if (zero_i) low_o <= '0;
    else if (shift_i) low_o <= {second[0], low_o[HeadBits-1:1]};
  end

endmodule
