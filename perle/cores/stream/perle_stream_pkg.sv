// SPDX-License-Identifier: Apache-2.0
//
// Sizes and latencies of the line of elements. n is N, the digits of an operand.

package perle_stream_pkg;

  // The constants of a modulus, in the order of `mod_i`.
  parameter int unsigned ConstM = 0;
  parameter int unsigned ConstMhat = 1;
  parameter int unsigned ConstMprime = 2;
  parameter int unsigned ConstCount = 3;

  // Cycles from a digit at an element to the digit one below it at the next one: factors, product, sum of products,
  // digits of equal weight, carry; and one cycle, as the digit that is shifted out comes first.
  parameter int unsigned ElementCycles = 6;

  // Cycles to find a digit of a constant: a copy of its index for every group, the group's digit, the one of them.
  parameter int unsigned PickCycles = 3;

  // N: products feed back without subtraction iff k·N >= Width + k + 2. Three at least: a result moves on while the
  // next one is read.
  function automatic int unsigned digits(int unsigned width, int unsigned radix_bits);
    int unsigned needed = (width + radix_bits + 2 + radix_bits - 1) / radix_bits;
    return (needed > 3) ? needed : 3;
  endfunction

  // Cycles between two products: a digit more than an operand has.
  function automatic int unsigned interval(int unsigned n);
    return n + 1;
  endfunction

  // Cycles from acceptance to response, of OpMul and of OpReduce: 3 to the first element, N elements, 11 to the first
  // digit of the result out of the last one, N digits, 1 to count it complete, N digits again, 5 to the response.
  function automatic int unsigned mul_cycles(int unsigned n);
    return PickCycles + ElementCycles * n + 11 + n + 1 + n + 5;
  endfunction

  // Operations between acceptance and response at most: as many as keep the line full, responses taken at once.
  function automatic int unsigned in_flight(int unsigned n);
    return (mul_cycles(n) + 3 + interval(n) - 1) / interval(n);
  endfunction

endpackage
