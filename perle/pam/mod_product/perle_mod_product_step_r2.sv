// SPDX-License-Identifier: Apache-2.0
//
// One step of the recurrence at radix 2, quotient delay 3, in carry-save form; combinational.
//
//   q_o = S mod 2,   S ← ⌊S/2⌋ + q_i·M̂ + digit_i·A      with S = u + v,  M̂ = (Mt + 1)/16,  Mt ≡ −1 (mod 16)
//
// Ranges    S < 2·(M̂ + A) at input and output; u and v are not negative, so neither exceeds S
// Algorithm shand1990 equation (1), pipelined (Orup): q_i was found three steps ago. Four addends, u/2, v/2,
//           q·M̂ and A, pass two rows of full adders; where M̂ has a zero the first is a half adder after
//           constant folding. Carries move up one position, so the lowest bit of v is always zero: S mod 2 is
//           the lowest bit of u, and no carry is lost when v is shifted.
//
// Parameters
//   AccBits   bits of u and v
//   Bits      bits of A
//   Width     bits of M̂
//   MHat      the constant M̂

module perle_mod_product_step_r2 #(
  parameter int unsigned        AccBits = 264,
  parameter int unsigned        Bits    = 261,
  parameter int unsigned        Width   = 254,
  parameter logic [Width-1:0]   MHat    = '1
) (
  input  logic [AccBits-1:0] u_i,
  input  logic [AccBits-1:0] v_i,
  input  logic [   Bits-1:0] a_i,
  input  logic               digit_i,
  input  logic               q_i,
  output logic [AccBits-1:0] u_o,
  output logic [AccBits-1:0] v_o,
  output logic               q_o
);

  typedef logic [AccBits-1:0] acc_t;

  acc_t u, v, qm, a1, s1, c1;

  always_comb begin
    u = u_i >> 1;
    v = v_i >> 1;
    qm = q_i ? acc_t'(MHat) : '0;
    a1 = digit_i ? acc_t'(a_i) : '0;

    s1 = u ^ v ^ qm;
    c1 = ((u & v) | (u & qm) | (v & qm)) << 1;
    u_o = s1 ^ c1 ^ a1;
    v_o = ((s1 & c1) | (s1 & a1) | (c1 & a1)) << 1;
    q_o = u_i[0];
  end

endmodule
