// SPDX-License-Identifier: Apache-2.0
//
// Sizes and latencies of the PE chain. n is N, the digits of an operand; fold is the number of passes of a
// product.

package perle_stream_pkg;

  // The constants of a modulus, in the order of `mod_i`.
  parameter int unsigned ConstM = 0;
  parameter int unsigned ConstMhat = 1;
  parameter int unsigned ConstMprime = 2;
  parameter int unsigned ConstCount = 3;

  // Cycles from a digit at a PE to the next lower digit at the next PE: multiplier inputs, product, sum of
  // products, sum of digits of equal weight, carry; and one more, as the digit that is shifted out comes
  // first.
  parameter int unsigned ElementCycles = 6;

  // Cycles of the digit mux: a copy of the index per group, a digit of each group, the digit of the selected
  // group.
  parameter int unsigned DigitMuxCycles = 3;

  // Engine: cycles from the address of the first digit of x to the first cycle in which the first digit of
  // the result can be read, without the cycles of the PEs: 3 to the PE chain, 12 to the result, 2 to write
  // it.
  parameter int unsigned TurnCycles = 17;

  // N: products feed back without subtraction iff k·N >= Width + k + 2. At least three, so that a result can
  // move to the response register while the next one is read. A multiple of fold, as all passes take equally
  // many digits of A.
  function automatic int unsigned digits(int unsigned width, int unsigned radix_bits, int unsigned fold);
    int unsigned needed = (width + radix_bits + 2 + radix_bits - 1) / radix_bits;
    if (needed < 3) needed = 3;
    return (needed + fold - 1) / fold * fold;
  endfunction

  // S: turns of n + 1 cycles from a pass to the next one, and in the engine from the last pass to a product
  // that reads the result.
  function automatic int unsigned turns(int unsigned n, int unsigned fold);
    return (ElementCycles * (n / fold) + TurnCycles + n) / (n + 1);
  endfunction

  // Cycles from beat 0 at PE 0, in the first pass, to beat 0 at the last PE.
  function automatic int unsigned line_cycles(int unsigned n, int unsigned fold);
    return (fold - 1) * turns(n, fold) * (n + 1) + ElementCycles * (n / fold);
  endfunction

  // Average initiation interval: n + 1 beats in every pass.
  function automatic int unsigned interval(int unsigned n, int unsigned fold);
    return fold * (n + 1);
  endfunction

  // Latency of OpMul and OpReduce: 3 to the first PE, the PE chain, 11 to the first digit of the result from
  // the last PE, N digits, 1 to mark the result complete, N digits again, 5 to the response.
  function automatic int unsigned mul_cycles(int unsigned n, int unsigned fold);
    return DigitMuxCycles + line_cycles(n, fold) + 11 + n + 1 + n + 5;
  endfunction

  // Maximum number of operations in flight: as many as saturate the PE chain if no response is stalled.
  // With several passes S products start back to back, then none until their last pass.
  function automatic int unsigned in_flight(int unsigned n, int unsigned fold);
    int unsigned together = (fold == 1) ? 1 : turns(n, fold);
    int unsigned apart = together * interval(n, fold);
    return together * ((mul_cycles(n, fold) + 3 + apart - 1) / apart);
  endfunction

endpackage
