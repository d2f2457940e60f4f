// SPDX-License-Identifier: Apache-2.0
//
// Sizes and latencies of the row.

package perle_carry_save_pkg;

  // The constants of a modulus, in the order of `mod_i`.
  parameter int unsigned ConstM = 0;
  parameter int unsigned ConstMhat = 1;
  parameter int unsigned ConstCount = 2;

  // A digit of radix 4: −1, 0, 1 or 2, one-hot; all zero for 0.
  typedef struct packed {
    logic minus;
    logic two;
    logic one;
  } digit_t;

  // Micro-operation of the row: a step, S ← ⌊S/β⌋ + multiples. In other cycles its two words are added, in
  // four cycles from `first` on; a resolved sum is stable.
  typedef struct packed {
    logic step;
    logic first;  // the first cycle that resolves: S is in carry-save form
    logic clear;
  } row_op_t;

  // N: digits of an operand: k·N >= Width + k·(d+1) + 2.
  function automatic int unsigned digits(int unsigned width, int unsigned radix_bits,
                                         int unsigned delay);
    return (width + radix_bits * (delay + 1) + 2 + radix_bits - 1) / radix_bits;
  endfunction

  // Bits of an operand that may be 1: it is below 2·Mt.
  function automatic int unsigned value_bits(int unsigned width, int unsigned radix_bits,
                                             int unsigned delay);
    return width + radix_bits * (delay + 1) + 1;
  endfunction

  // Columns of the sum: it is signed, below 2^(columns − 2).
  function automatic int unsigned columns(int unsigned width, int unsigned radix_bits,
                                          int unsigned delay);
    return value_bits(width, radix_bits, delay) + radix_bits + 2;
  endfunction

  // Cycles from the request to the first step, which adds the multiple of y for the first digit of x.
  function automatic int unsigned first_step(int unsigned delay);
    return delay + 1;
  endfunction

  // Cycles of a digit of OpReduce: two to resolve, one per bit of the quotient digit, d to form its multiple,
  // the step.
  function automatic int unsigned turn(int unsigned radix_bits, int unsigned delay);
    return radix_bits + 3 + delay;
  endfunction

  // Latency of OpMul: N + d + 2 steps, four cycles to resolve.
  function automatic int unsigned mul_cycles(int unsigned n, int unsigned delay);
    return first_step(delay) + n + delay + 7;
  endfunction

  // Latency of OpReduce: a step that loads y, N digits and the recoding carry of the last, d steps, four to
  // resolve.
  function automatic int unsigned reduce_cycles(int unsigned n, int unsigned radix_bits,
                                                int unsigned delay);
    return first_step(delay) + (n + 1) * turn(radix_bits, delay) + delay + 6;
  endfunction

endpackage
