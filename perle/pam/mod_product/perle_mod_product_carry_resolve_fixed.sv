// SPDX-License-Identifier: Apache-2.0
//
// One step of carry resolution in constant time; combinational.
//
//   {carry_o, sum} = u[L-1:0] + v[L-1:0] + carry_i ;  u ← {sum, u >> L} ;  v ← v >> L        L = LimbBits
//
// Ranges    after Limbs cycles from carry_i = 0, u holds (u + v) mod 2^(Limbs·L) and v is zero
// Algorithm shand1990 section 3.4, "reduced to conventional binary form", always over the full length: one
//           limb per cycle, lowest first. With L = k it takes as long as the digits of the product; with an
//           adder of 32 bits, fast where the device has carry chains, it takes nine cycles.
// Left out  skipping limbs: the time would depend on the value
//
// Parameters
//   Bits       bits of u and v, at least Limbs·LimbBits
//   Limbs      cycles
//   LimbBits   L

module perle_mod_product_carry_resolve_fixed #(
  parameter int unsigned Bits     = 288,
  parameter int unsigned Limbs    = 9,
  parameter int unsigned LimbBits = 32
) (
  input  logic [Bits-1:0] u_i,
  input  logic [Bits-1:0] v_i,
  input  logic            carry_i,
  output logic [Bits-1:0] u_o,
  output logic [Bits-1:0] v_o,
  output logic            carry_o
);

  localparam int unsigned Top = (Limbs - 1) * LimbBits;

  logic [LimbBits-1:0] sum;

  always_comb begin
    {carry_o, sum} = (LimbBits + 1)'(u_i[LimbBits-1:0]) + (LimbBits + 1)'(v_i[LimbBits-1:0]) +
        (LimbBits + 1)'(carry_i);
    u_o = u_i >> LimbBits;
    u_o[Top+:LimbBits] = sum;
    v_o = v_i >> LimbBits;
  end

endmodule
