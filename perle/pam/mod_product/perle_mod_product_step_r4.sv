// SPDX-License-Identifier: Apache-2.0
//
// One step of the recurrence at radix 4, quotient delay 1, in carry-save form; combinational.
//
//   q_o = S mod 4,   S ← ⌊S/4⌋ + q_i·M̂ + digit_i·A      with S = u + v,  M̂ = (Mt + 1)/16,  Mt ≡ −1 (mod 16)
//
// Ranges    S < 4·(M̂ + A) at input and output; u and v are not negative, so neither exceeds S
// Algorithm shand1990 equation (1), pipelined (Orup): q_i is the digit of the previous step, from a register,
//           and multiplies a constant: q·M̂ is one of four constants, a function of two bits in each
//           position. Five addends, u/4, v/4, q·M̂, A and 2·A, pass three rows of full adders. The last row
//           adds one word to two words of carries: its lowest position produces no carry, so the two lowest
//           bits of v are always zero. S mod 4 is u mod 4, from a register, and no carry is lost when v is
//           shifted.
// Left out  a register for 3·A, or signed digits: either would save the third row
//
// Parameters
//   AccBits   bits of u and v
//   Bits      bits of A
//   Width     bits of M̂
//   MHat      the constant M̂

module perle_mod_product_step_r4 #(
  parameter int unsigned        AccBits = 264,
  parameter int unsigned        Bits    = 261,
  parameter int unsigned        Width   = 254,
  parameter logic [Width-1:0]   MHat    = '1
) (
  input  logic [AccBits-1:0] u_i,
  input  logic [AccBits-1:0] v_i,
  input  logic [   Bits-1:0] a_i,
  input  logic [        1:0] digit_i,
  input  logic [        1:0] q_i,
  output logic [AccBits-1:0] u_o,
  output logic [AccBits-1:0] v_o,
  output logic [        1:0] q_o
);

  typedef logic [AccBits-1:0] acc_t;

  localparam acc_t MHat1 = acc_t'(MHat);
  localparam acc_t MHat2 = acc_t'(MHat) << 1;
  localparam acc_t MHat3 = MHat1 + MHat2;

  acc_t u, v, qm, a1, a2, s1, c1, s2, c2;

  always_comb begin
    u = u_i >> 2;
    v = v_i >> 2;
    unique case (q_i)
      2'd0: qm = '0;
      2'd1: qm = MHat1;
      2'd2: qm = MHat2;
      default: qm = MHat3;
    endcase
    a1 = digit_i[0] ? acc_t'(a_i) : '0;
    a2 = digit_i[1] ? acc_t'(a_i) << 1 : '0;

    s1 = u ^ v ^ qm;
    c1 = ((u & v) | (u & qm) | (v & qm)) << 1;
    s2 = s1 ^ a1 ^ a2;
    c2 = ((s1 & a1) | (s1 & a2) | (a1 & a2)) << 1;
    u_o = s2 ^ c1 ^ c2;
    v_o = ((s2 & c1) | (s2 & c2) | (c1 & c2)) << 1;
    q_o = u_i[1:0];
  end

endmodule
