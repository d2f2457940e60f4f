// SPDX-License-Identifier: Apache-2.0
//
// Instructions, sizes and latencies of the bus multiplier.

package perle_bus_mul_pkg;

  parameter int unsigned AddrBits = 2;
  parameter int unsigned DataBits = 32;

  // An instruction is an address and a direction; the other direction of each address is undefined.
  parameter logic [AddrBits-1:0] AddrWriteA = 2'd0;  // write
  parameter logic [AddrBits-1:0] AddrWriteB = 2'd1;  // write
  parameter logic [AddrBits-1:0] AddrWriteS = 2'd2;  // write
  parameter logic [AddrBits-1:0] AddrReadP = 2'd3;   // read

  // The length of A is set in steps of two words: 64 bits.
  parameter int unsigned LengthStep = 2;

  // Length of A in words after `count` WriteAs.
  function automatic int unsigned length(int unsigned words, int unsigned count);
    int unsigned rounded = (count + LengthStep - 1) / LengthStep * LengthStep;
    return (rounded < words) ? rounded : words;
  endfunction

  // Clock cycles per step: from the edge that accepts a WriteS to the first that can accept the next one.
  function automatic int unsigned step_cycles(int unsigned word_bits);
    return word_bits;
  endfunction

endpackage
