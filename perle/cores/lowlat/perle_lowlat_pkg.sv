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
    logic resolve;    // the last sum is there: its carries are resolved
    logic result;    // the digits of the result are there
    logic zero;      // the result is M: it becomes zero
    logic peek;      // the last step is under way: the lowest digits of the result are those after it
    logic forward;   // the product in the row is B: its digits and its saved carries are used
    logic resolved;  // it is B still, and has been resolved
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

  // Cycles by which a response may come before its z: the last step, and three to resolve the carries.
  parameter int unsigned EarlyCycles = 4;

  // Cycles from the acceptance of OpMul to an early response.
  function automatic int unsigned early_cycles(int unsigned n, int unsigned delay);
    return mul_cycles(n, delay) - EarlyCycles;
  endfunction

  // Cycles from the acceptance of OpReduce to its response.
  function automatic int unsigned reduce_cycles(int unsigned n, int unsigned delay);
    return (n + delay) * Turn + 14;
  endfunction

endpackage
