// SPDX-License-Identifier: Apache-2.0
//
// What the parts of a tile agree on: its contexts, its pipeline, and what accompanies a product of blocks.
//
// Stages    an operation is at stage s of the data path s cycles after its addresses are at the memories. Stage 2:
//           words of the memories; 3: differences; 4: their absolute values; 5: differences of digits; 6 … 8:
//           multipliers; 7, 8, 9, 10: sums; 11: accumulators; 12: column complete; 13: its carry

package perle_tile_pkg;

  // Contexts take turns, one cycle each. Whatever belongs to a context may take this many cycles to come back.
  localparam int unsigned Contexts = 4;
  localparam int unsigned CtxBits = $clog2(Contexts);

  // Turns of a context from the last operation of a column to the first one that uses its quotient block.
  localparam int unsigned QuotientTurns = 4;

  // Results that wait for a free port.
  localparam int unsigned WaitingBlocks = 16;

  // Bits of an index below so many blocks.
  function automatic int unsigned index_bits(int unsigned blocks);
    return $clog2(blocks + 2);
  endfunction

  // Bits that a sum of a column has above those of its terms: 5·N terms at most, 2 bits are added elsewhere.
  function automatic int unsigned guard_bits(int unsigned blocks);
    return $clog2((5 * blocks + 3) / 4 + 1);
  endfunction

  // What the data path is told of an operation.
  //   valid   there is one: otherwise nothing is kept
  //   clear   its context is at rest: the window becomes zero
  //   diag    x_t·y_t or q_t·m̂_t; otherwise a pair, or nothing (0·0) at the end of a column without pairs
  //   first   of its modular product and of its kind (diagonals, pairs)
  //   open    first of its column and kind
  //   close   last of its column and kind
  //   result  its column is one of the result; otherwise of a quotient
  //   drop    a diagonal leaves the window after its column
  typedef struct packed {
    logic valid;
    logic clear;
    logic diag;
    logic first;
    logic open;
    logic close;
    logic result;
    logic drop;
  } op_t;

endpackage
