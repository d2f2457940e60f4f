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

  // Bits of an operand: operands are below 2·M < 2^(Width+1).
  function automatic int unsigned operand_bits(int unsigned width);
    return width + 1;
  endfunction

  // Bits of S below the segments: the number of cycles from a quotient bit to the bit that segment 0 shifts
  // out with it, as there are three registers on the path to the segments, that of the addend and that of the
  // bit.
  parameter int unsigned HeadBits = 5;

  // Segments that share a register of a and q.
  parameter int unsigned GroupSegments = 8;

  // Whether S is split into segments; otherwise it has the adders of the paper.
  function automatic bit segmented(bit paper_states, int unsigned segment);
    return !paper_states && (segment > 1);
  endfunction

  // Segments of S above the head.
  function automatic int unsigned segments(int unsigned width, int unsigned segment);
    return (operand_bits(width) > HeadBits) ? (operand_bits(width) - HeadBits + segment - 1) / segment : 1;
  endfunction

  // Latency of OpMul, acceptance to response.
  function automatic int unsigned mul_cycles(int unsigned width, bit paper_states, int unsigned segment);
    if (segmented(paper_states, segment)) return iterations(width) + segments(width, segment) + HeadBits + 1;
    return (paper_states ? 3 : 1) * iterations(width) + 1;
  endfunction

  // Latency of OpReduce, acceptance to response.
  function automatic int unsigned reduce_cycles(int unsigned width, bit paper_states, int unsigned segment);
    return mul_cycles(width, paper_states, segment) +
        ((paper_states || segmented(paper_states, segment)) ? 0 : 1);
  endfunction

endpackage
