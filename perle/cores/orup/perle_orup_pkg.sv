// SPDX-License-Identifier: Apache-2.0
//
// Sizes, latencies and micro-operations of the Orup row.

package perle_orup_pkg;

  // Operation of the adder of PE j in a cycle (P = lo + hi·2^k, the product register; s: digit, c: saved
  // carry):
  //   shift    s_j + 2^k·c_j ← s_{j+1} + c_j + lo_j + hi_{j−1}         (⌊S/β⌋ + a_i·B)
  //   else     s_j + 2^k·c_j ← s_j + c_{j−1} + lo_j + hi_{j−1}         (S + q·M̂)
  typedef struct packed {
    logic step;   // a sum is formed in this cycle
    logic shift;
    logic chain;  // the carries of this sum go to the carry chain
  } pe_op_t;

  parameter pe_op_t PeIdle = '{default: 1'b0};
  parameter pe_op_t PeShift = '{step: 1'b1, shift: 1'b1, default: 1'b0};
  parameter pe_op_t PeAdd = '{step: 1'b1, default: 1'b0};
  parameter pe_op_t PeCarry = '{step: 1'b1, chain: 1'b1, default: 1'b0};

  // Micro-operation of the row: the product that starts in this cycle, and the adders' operation when it is
  // valid.
  typedef struct packed {
    logic   x_quotient;  // x: 1: the quotient digit, 0: the next digit of a
    logic   y_modulus;   // y: 1: the modulus (M̂, or M in OpReduce), 0: b
    pe_op_t op;
  } row_op_t;

  // The constants of a modulus, in the order of `mod_i`.
  parameter int unsigned ConstM = 0;
  parameter int unsigned ConstMhat = 1;
  parameter int unsigned ConstMprime = 2;
  parameter int unsigned ConstCount = 3;

  // N: digits of an operand. Products feed back without subtraction iff k·N >= Width + k·(d+1) + 2.
  function automatic int unsigned digits(int unsigned width, int unsigned radix_bits, int unsigned delay);
    return (width + radix_bits * (delay + 1) + 2 + radix_bits - 1) / radix_bits;
  endfunction

  // Registers between the digit mux and the multipliers, for quotient delay d.
  function automatic int unsigned tree_stages(int unsigned delay);
    return (delay == 0) ? 0 : 2 * delay - 1;
  endfunction

  // Cycles from the product of a quotient digit in PE 0 to the product of the next digit that depends on it.
  function automatic int unsigned turn(int unsigned delay);
    return tree_stages(delay) + ((delay == 0) ? 2 : 3);
  endfunction

  // Latency of OpMul, acceptance to response: 2(N+5) without quotient delay and with four chain segments.
  function automatic int unsigned mul_cycles(int unsigned n, int unsigned segments, int unsigned delay);
    return 2 * n + 4 * delay + 6 + segments;
  endfunction

  // Latency of OpReduce, acceptance to response.
  function automatic int unsigned reduce_cycles(int unsigned n, int unsigned segments, int unsigned delay);
    return n * (2 * turn(delay) + 2) + 3 * delay + 9 + segments;
  endfunction

endpackage
