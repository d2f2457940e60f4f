// SPDX-License-Identifier: Apache-2.0
//
// Sizes and latencies of the low-latency row, and what its control tells it in a cycle.

package perle_lowlat_pkg;

  // The constants of a modulus, in the order of `mod_i`.
  parameter int unsigned ConstM = 0;
  parameter int unsigned ConstMhat = 1;
  parameter int unsigned ConstMprime = 2;
  parameter int unsigned ConstCount = 3;

  // What the row is told: it reaches the elements over two registers.
  typedef struct packed {
    logic run;       // the row holds a sum; else it is cleared
    logic step;      // an iteration
    logic quotient;  // OpMul: quotient digits go to the multipliers; else zeros
    logic settle;    // the last sum is there: its carries are resolved
    logic result;    // the digits of the result are there
    logic zero;      // the result is M: it becomes zero
  } control_t;

  // N: digits of an operand. Products feed back without subtraction iff k·N >= Width + k·(d+1) + 2.
  function automatic int unsigned digits(int unsigned width, int unsigned radix_bits, int unsigned delay);
    return (width + radix_bits * (delay + 1) + 2 + radix_bits - 1) / radix_bits;
  endfunction

  // Digits of M and of M̂.
  function automatic int unsigned modulus_digits(int unsigned width, int unsigned radix_bits);
    return (width + radix_bits - 1) / radix_bits;
  endfunction

  // Cycles of a digit of OpReduce: two products, one after the other.
  parameter int unsigned Turn = 7;

  // Cycles from the acceptance of OpMul to its response.
  function automatic int unsigned mul_cycles(int unsigned n, int unsigned delay);
    return n + delay + 8;
  endfunction

  // Cycles from the acceptance of OpReduce to its response.
  function automatic int unsigned reduce_cycles(int unsigned n, int unsigned delay);
    return (n + delay) * Turn + 14;
  endfunction

endpackage
