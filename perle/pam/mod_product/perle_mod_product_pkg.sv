// SPDX-License-Identifier: Apache-2.0
//
// Instructions, sizes and latencies of the modular product unit. k = radix_bits, d = 4/k − 1: both radices
// find k·(d+1) = 4 bits of the quotient before the first of them is used.

package perle_mod_product_pkg;

  // An instruction is a word address and a direction; all others are undefined.
  parameter logic [2:0] AddrReadP = 3'd0;       // read
  parameter logic [2:0] AddrWriteB = 3'd0;      // write, as are all the following
  parameter logic [2:0] AddrWriteBAlign = 3'd1;
  parameter logic [2:0] AddrSquare = 3'd2;
  parameter logic [2:0] AddrMultB1 = 3'd3;
  parameter logic [2:0] AddrMultB3 = 3'd4;

  // k·(d+1), the number of pending quotient bits; after ReadP A is β/2^QuotientBits.
  parameter int unsigned QuotientBits = 4;

  // N: digits of β = 2^(k·N). Products feed back without subtraction if k·N >= Width + k(d+1) + 2.
  function automatic int unsigned digits(int unsigned width, int unsigned radix_bits);
    return (width + QuotientBits + 2 + radix_bits - 1) / radix_bits;
  endfunction

  // d: steps between finding a digit of the quotient and using it.
  function automatic int unsigned quotient_delay(int unsigned radix_bits);
    return QuotientBits / radix_bits - 1;
  endfunction

  // −M^-1 mod 16 from M mod 16: the odd residues form a group of exponent 4, so that M^-1 = M^3.
  function automatic logic [3:0] mprime(logic [3:0] m);
    return 4'd0 - 4'(m * m * m);
  endfunction

  // Steps of the recurrence: N digits, one more, and d until the last quotient digit has been used.
  function automatic int unsigned steps(int unsigned width, int unsigned radix_bits);
    return digits(width, radix_bits) + quotient_delay(radix_bits) + 1;
  endfunction

  // Bits of U + V that become A and S, without the k·d bits in the quotient queue.
  function automatic int unsigned sum_bits(int unsigned width, int unsigned radix_bits);
    return digits(width, radix_bits) * radix_bits + 1 - radix_bits * quotient_delay(radix_bits);
  endfunction

  // Cycles to add U and V, limb_bits at a time.
  function automatic int unsigned limbs(int unsigned width, int unsigned radix_bits,
                                        int unsigned limb_bits);
    return (sum_bits(width, radix_bits) + limb_bits - 1) / limb_bits;
  endfunction

  // Cycles to shift a word from S into P.
  function automatic int unsigned read_cycles(int unsigned radix_bits);
    return 32 / radix_bits;
  endfunction

endpackage
