// SPDX-License-Identifier: Apache-2.0
//
// Sizes and latencies of the engine.

package perle_stream_engine_pkg;

  // Digits of a line of words, those that have to be zero included.
  function automatic int unsigned line_digits(int unsigned words, int unsigned word_bits,
                                              int unsigned radix_bits);
    return (words * word_bits + radix_bits - 1) / radix_bits;
  endfunction

  // Cycles from a position in an exponent to its bit: three to the address, two of the memory, two to choose it.
  parameter int unsigned ExponentCycles = 7;

  // Cycles from a product of the engine to slot 0 of the line: two to the address, one to reach it, two of the
  // memory, one to choose.
  parameter int unsigned OperandCycles = 6;

  // The lines of a lane's words, in the order in which they stand and are loaded.
  parameter logic [2:0] LoadM = 3'd0;
  parameter logic [2:0] LoadX = 3'd1;
  parameter logic [2:0] LoadY = 3'd2;
  parameter logic [2:0] LoadR2 = 3'd3;
  parameter logic [2:0] LoadMhat = 3'd4;
  parameter logic [2:0] LoadMprime = 3'd5;
  parameter int unsigned LoadSlots = 6;

  // Where the engine takes an operand from.
  typedef enum logic [1:0] {
    FromNothing,
    FromOne,
    FromHost,  // X; Y or R2
    FromSlot   // a result
  } from_e;

endpackage
