// SPDX-License-Identifier: Apache-2.0
//
// Constants and types of a tile: contexts, sizes, latencies, and the control word of a block product.
//
// Stages    an operation is at stage s of the data path s cycles after its addresses are at the memories.
//           Stage 2: words of the memories; 3: differences; 4: their absolute values; 5: differences of
//           digits; 6 … 8: multipliers; 7, 8, 9, 10: sums; 11: accumulators; 12: column complete; 13: carry

package perle_tile_pkg;

  // Contexts issue in turn, one cycle each, so that feedback within a context may take this many cycles.
  localparam int unsigned Contexts = 4;
  localparam int unsigned CtxBits = $clog2(Contexts);

  // Turns of a context from the last operation of a column to the first one that uses its quotient block.
  localparam int unsigned QuotientTurns = 4;

  // Most blocks of results that wait for a free port.
  localparam int unsigned WaitingBlocks = 16;

  // Bits of the index of a block.
  function automatic int unsigned index_bits(int unsigned blocks);
    return $clog2(blocks + 2);
  endfunction

  // Bits that the sum of a column has above its terms: at most 5·N terms; two of the bits are added
  // elsewhere.
  function automatic int unsigned guard_bits(int unsigned blocks);
    return $clog2((5 * blocks + 3) / 4 + 1);
  endfunction

  // N: products feed back iff N blocks have Width + block_bits + 2 bits. At least three.
  function automatic int unsigned blocks_for(int unsigned width, int unsigned block_bits);
    int unsigned needed = (width + block_bits + 2 + block_bits - 1) / block_bits;
    return (needed < 3) ? 3 : needed;
  endfunction

  // Numbers of N blocks that each context has in each memory (perle_tile_exponents): four, and half of the
  // powers.
  function automatic int unsigned places(int unsigned window_bits);
    return 4 + (1 << (window_bits - 1));
  endfunction

  // Numbers before those that all contexts share, 1 and β. With Narrow there is one more, zero, so that powers
  // of β begin in it.
  function automatic int unsigned own_numbers(int unsigned window_bits, bit narrow);
    return Contexts * places(window_bits) + (narrow ? 1 : 0);
  endfunction

  // Bits of an address of a memory with all these numbers.
  function automatic int unsigned addr_bits(int unsigned blocks, int unsigned window_bits, bit narrow);
    return $clog2((own_numbers(window_bits, narrow) + 1) * blocks);
  endfunction

  // Turns of a context from one product to the next one: N² + N operations, five turns without one. For three
  // blocks perle_tile_exponents is the limit.
  function automatic int unsigned product_turns(int unsigned blocks);
    int unsigned turns = blocks * blocks + blocks + 5;
    return (turns < 23) ? 23 : turns;
  endfunction

  // A lane's words in the memory of an engine: five operand slots, a word of m′, then the slots of E and of
  // the result.
  function automatic int unsigned exponent_word(int unsigned words);
    return 5 * words + 1;
  endfunction
  function automatic int unsigned result_word(int unsigned words);
    return 6 * words + 1;
  endfunction
  function automatic int unsigned lane_words(int unsigned words);
    return 7 * words + 1;
  endfunction

  // The constants of a modulus, in the order of `mod_i`.
  parameter int unsigned ConstM = 0;
  parameter int unsigned ConstMhat = 1;
  parameter int unsigned ConstMprime = 2;
  parameter int unsigned ConstCount = 3;

  // Cycles of perle_tile_leave: for each of three digits, and for the difference: quotient, pass over the
  // digits, drain.
  function automatic int unsigned leave_cycles(int unsigned digits);
    return 4 * (digits + 12) + 1;
  endfunction

  // Latencies of perle_tile_mul, sufficient whichever turn the tile begins in: operands in, N² + N + 12
  // turns, result out; for OpReduce then digits in, perle_tile_leave, digits out.
  function automatic int unsigned mul_cycles(int unsigned blocks);
    return Contexts * (blocks * blocks + blocks + 12) + 4 * blocks + 24;
  endfunction
  function automatic int unsigned reduce_cycles(int unsigned blocks);
    return mul_cycles(blocks) + 6 * blocks + leave_cycles(3 * blocks) + 1;
  endfunction

  // Control word of an operation in the data path.
  //   valid   there is an operation; with 0 no state changes
  //   clear   its context is idle: the window becomes zero
  //   diag    x_t·y_t or q_t·m̂_t; otherwise a pair, or nothing (0·0) at the end of a column without pairs
  //   first   in the first column of its modular product: earlier sums and carries are ignored
  //   open    first of its column and kind (diagonals, pairs)
  //   close   last of its column and kind
  //   result  its column yields a block of the result; otherwise of a quotient
  //   drop    the oldest diagonal leaves the window after this column
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
