// SPDX-License-Identifier: Apache-2.0
//
// sum ← a + b', where b' is b, −b − 1, 0 or −1. Combinational.
//
//   use_i flip_i   b'                                a difference is a + (−b − 1) + 1
//   1     0        b
//   1     1        −b − 1  (each bit inverted)
//   0     0        0
//   0     1        −1
//
// Ranges    modulo 2^Bits
//
// Parameters
//   Bits   of the operands and of the sum

module perle_tile_adder #(
  parameter int unsigned Bits = 54
) (
  input  logic [Bits-1:0] a_i,
  input  logic [Bits-1:0] b_i,
  input  logic            use_i,
  input  logic            flip_i,
  input  logic            carry_i,
  output logic [Bits-1:0] sum_o
);

  assign sum_o = a_i + ((b_i & {Bits{use_i}}) ^ {Bits{flip_i}}) + Bits'(carry_i);

endmodule
