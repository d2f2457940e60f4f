// SPDX-License-Identifier: Apache-2.0
//
// Sizes and latencies of the low-latency row, and its micro-operation.

package perle_lowlat_pkg;

  // The constants of a modulus, in the order of `mod_i`.
  parameter int unsigned ConstM = 0;
  parameter int unsigned ConstMhat = 1;
  parameter int unsigned ConstMprime = 2;
  parameter int unsigned ConstCount = 3;

  // Micro-operation of the row: it reaches the PEs through two registers.
  typedef struct packed {
    logic run;       // the row holds a sum; 0 clears it
    logic step;      // an iteration
    logic quotient;  // OpMul: quotient digits go to the multipliers; 0: zeros
    logic resolve;   // the last sum is in the row: start to resolve its carries
    logic result;    // the digits of the result are valid
    logic zero;      // the result is M and becomes zero
    logic peek;      // the last step is in progress: read the lowest digits as they will be after it
    logic forward;   // the product in the row is B: use its digits and saved carries
    logic resolved;  // the product in the row is B and its carries are resolved
  } control_t;

  // N: digits of an operand. Products feed back without subtraction iff k·N >= Width + k·(d+1) + 2.
  function automatic int unsigned digits(int unsigned width, int unsigned radix_bits, int unsigned delay);
    return (width + radix_bits * (delay + 1) + 2 + radix_bits - 1) / radix_bits;
  endfunction

  // Digits of M and of M̂.
  function automatic int unsigned modulus_digits(int unsigned width, int unsigned radix_bits);
    return (width + radix_bits - 1) / radix_bits;
  endfunction

  // Bits of the widest factor of a device multiplier: the product of two longer digits takes four.
  parameter int unsigned WidestFactor = 18;

  // Registers of a product of two digits.
  function automatic int unsigned product_cycles(int unsigned radix_bits);
    return (radix_bits > WidestFactor) ? 3 : 2;
  endfunction

  // PEs that share a copy of the digits of A and Q, and of other signals that reach all PEs.
  function automatic int unsigned group_size(int unsigned radix_bits);
    return (radix_bits > WidestFactor) ? 4 : 8;
  endfunction

  // Registers that distribute a quotient digit after that of the sum, on the way to the multipliers.
  function automatic int unsigned copies(int unsigned delay, int unsigned radix_bits);
    return delay - product_cycles(radix_bits) - 1;
  endfunction

  // Cycles per digit of OpReduce: two dependent products.
  function automatic int unsigned turn(int unsigned radix_bits);
    return 2 * product_cycles(radix_bits) + 3;
  endfunction

  // Latency of OpMul, acceptance to response.
  function automatic int unsigned mul_cycles(int unsigned n, int unsigned delay, int unsigned radix_bits);
    return n + delay + product_cycles(radix_bits) + 6;
  endfunction

  // Cycles from an early response to its complete z: the last step, and three to resolve the carries.
  parameter int unsigned EarlyCycles = 4;

  // Latency of OpMul, acceptance to early response.
  function automatic int unsigned early_cycles(int unsigned n, int unsigned delay, int unsigned radix_bits);
    return mul_cycles(n, delay, radix_bits) - EarlyCycles;
  endfunction

  // Latency of OpReduce, acceptance to response.
  function automatic int unsigned reduce_cycles(int unsigned n, int unsigned delay, int unsigned radix_bits);
    return (n + delay) * turn(radix_bits) + product_cycles(radix_bits) + 12;
  endfunction

endpackage
