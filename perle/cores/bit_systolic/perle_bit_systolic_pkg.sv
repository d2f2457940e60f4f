// SPDX-License-Identifier: Apache-2.0
//
// Sizes and latencies of the bit-systolic row. n is the operands' width in bits.

package perle_bit_systolic_pkg;

  // The constants of a modulus, in the order of `mod_i`: M alone.
  parameter int unsigned ConstM = 0;
  parameter int unsigned ConstCount = 1;

  // Maximum number of operations in flight: as many as saturate the row.
  parameter int unsigned InFlight = 4;

  // Columns that share a copy of a control signal: few enough to be near each other.
  parameter int unsigned SpreadColumns = 64;

  // n, bits of an operand: operands are below 2·M < 2^(Width+1).
  function automatic int unsigned operand_bits(int unsigned width);
    return width + 1;
  endfunction

  // Rows of the array, i = 0 … n, and RExp: results stay below 2·M without a subtraction iff 2^RExp >= 4·M.
  function automatic int unsigned rows(int unsigned width);
    return operand_bits(width) + 1;
  endfunction

  // Cycles from acceptance until the operands are at the columns, in the port registers.
  parameter int unsigned EntryCycles = 1;

  // Cycles from operands at the columns until the first bit of the result is in a register: 2n + 3, as
  // printed.
  function automatic int unsigned first_bit_cycles(int unsigned width);
    return 2 * operand_bits(width) + 3;
  endfunction

  // Latency of OpMul and OpReduce: 3n + 8. All bits are valid 3n + 3 cycles after the operands are at the
  // columns, and pass through the InFlight words of the FIFO.
  function automatic int unsigned mul_cycles(int unsigned width);
    return EntryCycles + 3 * operand_bits(width) + 3 + InFlight;
  endfunction

  // Latency with Paper, which has no port registers and no FIFO.
  function automatic int unsigned single_cycles(int unsigned width);
    return 3 * operand_bits(width) + 3;
  endfunction

endpackage
