// SPDX-License-Identifier: Apache-2.0
//
// A segment of S, with its bits of A, B and M.
//
//   u ← a·B + q·M ;  s ← (s + u)/2 + in·2^(Bits−1)
//
// Ranges    A, B, M in [0, 2^Bits); u < 2^(Bits+1); s < 3·2^Bits (see README): two bits above the segment
//           hold its carries. carry_o <= 3 when the carries are resolved
// Algorithm S is the sum of all segments, each with its weight. During the iterations carries stay in their
//           segment: only the lowest bit of s + u leaves it, downwards, which is the division by 2.
//           At the end the bits above Bits are added to the next segment, one segment after the other,
//           through u
// Cycles    a_i, q_i in cycle t: u in t + 1, in which s + u is computed; resolve_i in cycle t: z_o in t + 1
// Left out  reset: open_i loads the operands and clears s
//
// Parameters
//   Bits   bits of the segment, at least 2

module perle_iterative_segment #(
  parameter int unsigned Bits = 32
) (
  input  logic            clk_i,
  // operands: loaded in every cycle with open_i = 1; otherwise A shifts down
  input  logic            open_i,
  input  logic [Bits-1:0] a_load_i,
  input  logic [Bits-1:0] b_i,
  input  logic [Bits-1:0] m_i,
  input  logic            a_shift_i,
  output logic            a_shift_o,
  output logic            equal_o,    // B = M, a cycle later
  // iterations
  input  logic            a_i,
  input  logic            q_i,
  input  logic            add_i,      // one cycle after a_i, q_i
  input  logic            in_i,
  output logic            out_o,
  // carries
  input  logic            carry_valid_i,
  input  logic [     1:0] carry_i,
  input  logic            resolve_i,
  input  logic            zero_i,     // with resolve_i: z becomes 0
  output logic [     1:0] carry_o,
  output logic [Bits-1:0] z_o
);

  logic [Bits-1:0] a_q, b_q, m_q;
  logic [Bits:0] u_q, addend;
  logic [Bits+1:0] s_q;
  logic [Bits+2:0] sum;
  logic [2:0] top;

  assign addend = (Bits + 1)'(a_i ? b_q : '0) + (Bits + 1)'(q_i ? m_q : '0);
  assign sum = (Bits + 3)'(s_q) + (Bits + 3)'(u_q);
  assign a_shift_o = a_q[0];
  assign out_o = s_q[0] ^ u_q[0];
  assign carry_o = sum[Bits+1:Bits];

  // the bits from Bits upwards, plus the bit of the next higher segment: at most 5
  assign top[0] = sum[Bits] ^ in_i;
  assign top[1] = sum[Bits+1] ^ (sum[Bits] & in_i);
  assign top[2] = sum[Bits+2] ^ (sum[Bits+1] & sum[Bits] & in_i);

  always_ff @(posedge clk_i) begin
    a_q <= open_i ? a_load_i : {a_shift_i, a_q[Bits-1:1]};
    if (open_i) begin
      b_q <= b_i;
      m_q <= m_i;
    end
    equal_o <= (b_q == m_q);
    // carry_i is valid only while the other addends are 0
    u_q <= {addend[Bits:2], addend[1:0] | (carry_valid_i ? carry_i : 2'b00)};
    if (open_i) s_q <= '0;
    else if (add_i) s_q <= {top, sum[Bits-1:1]};
    if (resolve_i) z_o <= zero_i ? '0 : sum[Bits-1:0];
  end

endmodule
