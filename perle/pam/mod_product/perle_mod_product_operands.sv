// SPDX-License-Identifier: Apache-2.0
//
// Next values of A and S if the digits of a result enter S at its top; combinational.
//
//   a_o = S' (last), 2·A (align), A (write) or One (read)     S' = {digit, S >> k}, without digit unless
//                                                             collect
//   s_o = S' (shift), 2·A (align), A (write), B1 or B3
//
// Ranges    at most one of write, align, mult_b1, mult_b3 and read is set; the parent enables the load of A
//           and of S; while shift is set both outputs are S'
// Algorithm shand1990 figure 4. The sources of a bit are gated and ORed: four LUTs of four inputs for a bit
//           of both registers. The last digit's bits above those of A are dropped: products are computed
//           modulo 2^Bits.
// Left out  a load of S by Square: S equals A already, or is what ReadP has left of it
//
// Parameters
//   RadixBits       k, bits of a digit
//   Bits            bits of A
//   MultiplierBits  bits of S, k·⌈Bits/k⌉
//   One             value of A after ReadP

module perle_mod_product_operands #(
  parameter int unsigned     RadixBits      = 2,
  parameter int unsigned     Bits           = 261,
  parameter int unsigned     MultiplierBits = 262,
  parameter logic [Bits-1:0] One            = '0
) (
  input  logic [                    Bits-1:0] a_i,
  // S without its lowest digit
  input  logic [MultiplierBits-RadixBits-1:0] s_i,
  input  logic [                    Bits-1:0] b1_i,
  input  logic [                    Bits-1:0] b3_i,
  input  logic [               RadixBits-1:0] digit_i,
  input  logic                                shift_i,
  input  logic                                collect_i,
  input  logic                                last_i,
  input  logic                                write_i,
  input  logic                                align_i,
  input  logic                                mult_b1_i,
  input  logic                                mult_b3_i,
  input  logic                                read_i,
  output logic [                    Bits-1:0] a_o,
  output logic [          MultiplierBits-1:0] s_o
);

  localparam int unsigned TopBits = RadixBits - (MultiplierBits - Bits);

  logic [RadixBits-1:0] digit;
  logic [MultiplierBits-1:0] shifted;
  logic [Bits-1:0] from_a, from_b;

  always_comb begin
    digit = !collect_i ? '0 : last_i ? RadixBits'(digit_i[TopBits-1:0]) : digit_i;
    shifted = {digit, s_i};
    from_a = (write_i ? a_i : '0) | (align_i ? a_i << 1 : '0);
    from_b = (mult_b1_i ? b1_i : '0) | (mult_b3_i ? b3_i : '0);
    a_o = shift_i ? Bits'(shifted) : from_a | (read_i ? One : '0);
    s_o = shift_i ? shifted : MultiplierBits'(from_a | from_b);
  end

endmodule
