// SPDX-License-Identifier: Apache-2.0
//
// q = −s·M^-1 mod 2^k and c = (s + q·M) / 2^k for the lowest digits of sum and modulus, one bit per cycle
//
// Ranges    s, M_0 and both results below 2^k; M odd
// Algorithm the lowest bit of the sum is that of the quotient: t ← (t + t_0·M_0)/2, k times from t = s
// Cycles    load_i, then run_i in k cycles; q and c are valid from the next cycle on, until clear_i
//
// Parameters
//   RadixBits   k

module perle_carry_save_quotient #(
  parameter int unsigned RadixBits = 8
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 load_i,
  input  logic                 run_i,
  input  logic                 clear_i,
  input  logic [RadixBits-1:0] sum_i,
  input  logic [RadixBits-1:0] modulus_i,
  output logic [RadixBits-1:0] quotient_o,
  output logic [RadixBits-1:0] carry_o
);

  logic [RadixBits-1:0] quotient_d, quotient_q, carry_d, carry_q;
  logic [RadixBits-1:0] half;

  assign half = RadixBits'(({1'b0, carry_q} + {1'b0, modulus_i & {RadixBits{carry_q[0]}}}) >> 1);

  always_comb begin
    carry_d = carry_q;
    quotient_d = quotient_q;
    if (load_i) carry_d = sum_i;
    if (run_i) begin
      carry_d = half;
      quotient_d = {carry_q[0], quotient_q[RadixBits-1:1]};
    end
    if (clear_i) begin
      carry_d = '0;
      quotient_d = '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      carry_q <= '0;
      quotient_q <= '0;
    end else begin
      carry_q <= carry_d;
      quotient_q <= quotient_d;
    end
  end

  assign quotient_o = quotient_q;
  assign carry_o = carry_q;

endmodule
