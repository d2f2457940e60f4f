// SPDX-License-Identifier: Apache-2.0
//
// Sizes and latencies of the iterative multiplier.

package perle_iterative_pkg;

  // The constants of a modulus, in the order of `mod_i`: M alone.
  parameter int unsigned ConstM = 0;
  parameter int unsigned ConstCount = 1;

  // Iterations, and RExp: operands and results stay below 2·M without a subtraction iff R = 2^RExp >= 4·M.
  function automatic int unsigned iterations(int unsigned width);
    return width + 2;
  endfunction

  // Bits of an operand line: operands are below 2·M < 2^(Width+1).
  function automatic int unsigned operand_bits(int unsigned width);
    return width + 1;
  endfunction

  // Cycles from the acceptance of OpMul to its response.
  function automatic int unsigned mul_cycles(int unsigned width, bit paper_states);
    return (paper_states ? 3 : 1) * iterations(width) + 1;
  endfunction

  // Cycles from the acceptance of OpReduce to its response.
  function automatic int unsigned reduce_cycles(int unsigned width, bit paper_states);
    return mul_cycles(width, paper_states) + (paper_states ? 0 : 1);
  endfunction

endpackage
