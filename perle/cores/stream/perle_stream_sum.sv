// SPDX-License-Identifier: Apache-2.0
//
// Sum of numbers that arrive digit by digit, the lowest first; carries between the digits are resolved.
//
//   Σ z_o·β^j = Σ (u_i + z_i)·β^j        β = 2^k
//
// Ranges    u <= 2·(β−1)^2, z < β. v = (u mod β) + ⌊u/β⌋ of the digit before + z <= 4β − 6; with the carry at
//           most 4β − 3, so that the carry is at most 3
// Algorithm v is computed without feedback, in k + 2 bits; the carry loop only adds two bits to it
// Cycles    latency 2, one digit per cycle. Numbers may follow each other without a gap if the first ends
//           with carry 0 and the next begins with u = z = 0: the last ⌊u/β⌋ of the first is output there
//
// Parameters
//   RadixBits   k

module perle_stream_sum #(
  parameter int unsigned RadixBits = 18
) (
  input  logic                   clk_i,
  input  logic [2*RadixBits : 0] u_i,
  input  logic [  RadixBits-1:0] z_i,
  output logic [  RadixBits-1:0] z_o
);

  localparam int unsigned SumBits = RadixBits + 2;

  logic [RadixBits:0] high_q, low, z, save_sum, save_carry;
  logic [SumBits-1:0] v_q;
  logic [1:0] carry_q;

  assign low = {1'b0, u_i[RadixBits-1:0]};
  assign z = {1'b0, z_i};
  assign save_sum = low ^ high_q ^ z;
  assign save_carry = (low & high_q) | (low & z) | (high_q & z);

  always_ff @(posedge clk_i) begin
    high_q <= u_i[2*RadixBits:RadixBits];
    v_q <= SumBits'(save_sum) + {save_carry, 1'b0};
    {carry_q, z_o} <= v_q + SumBits'(carry_q);
  end

endmodule
