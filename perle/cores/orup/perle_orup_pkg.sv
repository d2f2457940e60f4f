// SPDX-License-Identifier: Apache-2.0
//
// Sizes, latencies and the micro-operations of the Orup row.

package perle_orup_pkg;

  // What the adder of a processing element does in a cycle (P = lo + hi·2^k, its product register).
  typedef enum logic [2:0] {
    PeIdle,      // keep
    PeClear,     // s, c ← 0
    PeShiftAdd,  // s + 2^k·c ← s_above + c + lo + hi_below       (⌊S/β⌋ + a_i·B)
    PeShift,     // s + 2^k·c ← s_above + c                       (⌊S/β⌋)
    PeAdd,       // s + 2^k·c ← s + 2^k·c + lo + hi_below         (S + q·M̂)
    PeCarry      // s + 2^k·c ← s + c_below                       (carry resolution)
  } pe_op_e;

  // Which digit is broadcast to the row.
  typedef enum logic [1:0] {
    XOne,      // 1
    XDigit,    // a_i, the next digit of the multiplier operand
    XSum,      // s_0: the quotient digit q_i of Orup's recurrence
    XQuotient  // lo(P_0): the quotient digit s_0·M'_0 of the last, classical pass
  } x_sel_e;

  // The constants of a modulus, in the order of `mod_i`.
  parameter int unsigned ConstM = 0;
  parameter int unsigned ConstMhat = 1;
  parameter int unsigned ConstMprime = 2;
  parameter int unsigned ConstCount = 3;

  // N: digits of an operand. Products feed back without subtraction iff k·N >= Width + k + 2.
  function automatic int unsigned digits(int unsigned width, int unsigned radix_bits);
    return (width + radix_bits + 2 + radix_bits - 1) / radix_bits;
  endfunction

  // Cycles from the acceptance of OpMul to its response: 2(N+5) with four chain segments.
  function automatic int unsigned mul_cycles(int unsigned n, int unsigned segments);
    return 2 * n + 6 + segments;
  endfunction

  // Cycles from the acceptance of OpReduce to its response.
  function automatic int unsigned reduce_cycles(int unsigned n, int unsigned segments);
    return 4 * n + 7 + segments;
  endfunction

endpackage
