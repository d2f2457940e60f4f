// SPDX-License-Identifier: Apache-2.0
//
// Sizes and latencies of the engine.

package perle_stream_engine_pkg;

  // Digits of an operand slot of whole words, including digits above the operand, which must be zero.
  function automatic int unsigned line_digits(int unsigned words, int unsigned word_bits,
                                              int unsigned radix_bits);
    return (words * word_bits + radix_bits - 1) / radix_bits;
  endfunction

  // Latency of an exponent bit: three cycles to the address, two of the memory, two to select the bit.
  parameter int unsigned ExponentCycles = 7;

  // Cycles from the issue of a product to its beat 0 at the PE chain: two to the addresses, one of wiring,
  // two of the memories, one to select.
  parameter int unsigned OperandCycles = 6;

  // The operand slots of a lane, in the order in which they are stored and loaded.
  parameter logic [2:0] LoadM = 3'd0;
  parameter logic [2:0] LoadX = 3'd1;
  parameter logic [2:0] LoadY = 3'd2;
  parameter logic [2:0] LoadR2 = 3'd3;
  parameter logic [2:0] LoadMhat = 3'd4;
  parameter logic [2:0] LoadMprime = 3'd5;
  parameter int unsigned LoadSlots = 6;

  // The source of an operand.
  typedef enum logic [1:0] {
    FromNothing,
    FromOne,
    FromHost,  // X; Y or R2
    FromSlot   // a result
  } from_e;

endpackage
