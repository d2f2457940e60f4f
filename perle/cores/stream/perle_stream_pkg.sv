// SPDX-License-Identifier: Apache-2.0
//
// Sizes and latencies of the line of elements. n is N, the digits of an operand; fold the passes of a product.

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
  parameter int unsigned DigitMuxCycles = 3;

  // Cycles from the address of a product's first digit of x to the first cycle in which its result's first digit
  // can be read, without the elements'. 3 to the line, 12 to the result, 2 to write it.
  parameter int unsigned TurnCycles = 17;

  // N: products feed back without subtraction iff k·N >= Width + k + 2. Three at least: a result moves on while the
  // next one is read. Every pass has as many digits of A.
  function automatic int unsigned digits(int unsigned width, int unsigned radix_bits, int unsigned fold);
    int unsigned needed = (width + radix_bits + 2 + radix_bits - 1) / radix_bits;
    if (needed < 3) needed = 3;
    return (needed + fold - 1) / fold * fold;
  endfunction

  // S, turns of n + 1 cycles once round the line: until a pass is followed by the next one, and the last pass by a
  // product that takes the result from memories.
  function automatic int unsigned turns(int unsigned n, int unsigned fold);
    return (ElementCycles * (n / fold) + TurnCycles + n) / (n + 1);
  endfunction

  // Cycles from slot 0 at element 0, of the first pass, to slot 0 at the last element.
  function automatic int unsigned line_cycles(int unsigned n, int unsigned fold);
    return (fold - 1) * turns(n, fold) * (n + 1) + ElementCycles * (n / fold);
  endfunction

  // Cycles between two products, on average: a digit more than an operand has, in every pass.
  function automatic int unsigned interval(int unsigned n, int unsigned fold);
    return fold * (n + 1);
  endfunction

  // Cycles from acceptance to response, of OpMul and of OpReduce: 3 to the first element, the line, 11 to the first
  // digit of the result out of the last element, N digits, 1 to count it complete, N digits again, 5 to the response.
  function automatic int unsigned mul_cycles(int unsigned n, int unsigned fold);
    return DigitMuxCycles + line_cycles(n, fold) + 11 + n + 1 + n + 5;
  endfunction

  // Operations between acceptance and response at most: as many as keep the line full, responses taken at once.
  // With several passes S products begin one after the other, then none until the last pass.
  function automatic int unsigned in_flight(int unsigned n, int unsigned fold);
    int unsigned together = (fold == 1) ? 1 : turns(n, fold);
    int unsigned apart = together * interval(n, fold);
    return together * ((mul_cycles(n, fold) + 3 + apart - 1) / apart);
  endfunction

endpackage
