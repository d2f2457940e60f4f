// SPDX-License-Identifier: Apache-2.0
//
// One step of carry resolution, repeated until no carry is left; combinational. THE TIME DEPENDS ON THE DATA.
//
//   u ← u ⊕ v ;  v ← 2·(u ∧ v) ;  resolved_o = (v = 0)
//
// Ranges    u + v mod 2^Bits never changes; when v is zero, u is the sum. At most Bits cycles, since the
//           lowest set bit of v moves up in each
// Algorithm shand1990 section 3.4, the carry completion detector: all carries move up by one bit per cycle at
//           the same time; the longest carry propagation determines the time, about log2(Bits) on average
//
// Parameters
//   Bits   bits of u and v

module perle_mod_product_carry_resolve_fast #(
  parameter int unsigned Bits = 259
) (
  input  logic [Bits-1:0] u_i,
  input  logic [Bits-1:0] v_i,
  output logic [Bits-1:0] u_o,
  output logic [Bits-1:0] v_o,
  output logic            resolved_o
);

  assign u_o = u_i ^ v_i;
  assign v_o = (u_i & v_i) << 1;
  assign resolved_o = (v_i == '0);

endmodule
