// SPDX-License-Identifier: Apache-2.0
//
// Digits of a sum of numbers that come digit by digit, the lowest first, with whatever carry is between them.
//
//   Σ z_o·β^j = Σ (u_i + z_i)·β^j        β = 2^k
//
// The same module as ../../stream/perle_stream_sum.sv, bit for bit and cycle for cycle, and the same netlist. A
// simulator that knows X takes 0 + X for X in every bit, and so never gets rid of what the carry was at power-up; here
// no carry of at most 3 comes out of a digit that is 0, as in hardware.
//
// Ranges    u <= 2·(β−1)^2, z < β. v = (u mod β) + ⌊u/β⌋ of the digit before + z <= 4β − 6; with the carry at most
//           4β − 3, so that the carry is at most 3
// Algorithm feed-forward to numbers of k + 2 bits; the loop of the carry is an addition of two bits to one of them
// Cycles    2, a digit a cycle. Numbers follow each other without a gap where the first ends with carry 0: then a
//           digit of the next one, with it zeros, takes up its last ⌊u/β⌋
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
`ifndef SYNTHESIS
    if (v_q == '0) carry_q <= '0;
`endif  // SYNTHESIS
  end

endmodule
