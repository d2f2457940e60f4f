// SPDX-License-Identifier: Apache-2.0
//
// The lowest bits of R, ahead of the segments: finds the quotient bits early enough to be handed out by registers.
//
//   q_i = h_0 + in + a_i·b_0 mod 2 ;  h ← (h + in + a_i·B + q_i·M)/2
//
// Ranges    B, M the operands' lowest HeadBits bits; h <= B + M + 1 < 2^(HeadBits+1)
// Algorithm h is R without what the segments hold, HeadBits − 1 iterations further than they are. in_i is the bit
//           that segment 0 moved out HeadBits − 1 iterations ago, when it weighed 2^(HeadBits−1): now it weighs 1.
//           After the last iteration the segments' last HeadBits bits still come in: with a = q = 0 the shifting goes
//           on, and what is shifted out is the result, its lowest bit first; h is then the carry into segment 0
// Cycles    one an iteration, and HeadBits at the end
// Left out  reset: clear_i sets h, and low_o follows
//
// Parameters
//   HeadBits   iterations between finding q_i and the end of its addition in the segments, and one

module perle_iterative_head #(
  parameter int unsigned HeadBits = 5
) (
  input  logic                clk_i,
  input  logic                clear_i,
  input  logic                shift_i,  // an iteration, or shifting at the end
  input  logic                bit_i,    // an iteration
  input  logic                a_i,      // 0 when there are no more iterations
  input  logic                in_i,
  input  logic [HeadBits-1:0] b_i,
  input  logic [HeadBits-1:0] m_i,
  input  logic                zero_i,   // the result becomes 0
  output logic                q_o,
  output logic [         1:0] carry_o,  // in the last cycle
  output logic [HeadBits-1:0] low_o     // from the cycle after it on
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
