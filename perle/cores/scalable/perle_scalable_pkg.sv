// SPDX-License-Identifier: Apache-2.0
//
// Sizes and latencies of the chain, and what its parts tell each other.
//   v = radix_bits, w = word width, p = elements, n = operand width of an operation

package perle_scalable_pkg;

  // The processing elements, each a file of its own.
  parameter int unsigned KindR2 = 0;
  parameter int unsigned KindR4 = 1;
  parameter int unsigned KindB4 = 2;

  // The constants of a modulus, in the order of `mod_i`.
  parameter int unsigned ConstM = 0;
  parameter int unsigned ConstMhat = 1;
  parameter int unsigned ConstBits = 2;  // n; 0 and what exceeds Width count as Width
  parameter int unsigned ConstCount = 3;

  // Bits of the count of digits that an element hands to the next (Booth).
  parameter int unsigned OwedBits = 3;

  // Cycles that a sweep is longer than its words: they are asked for, and two cycles later on the way out, where
  // they are added up and put, each a cycle; the cycle of the sign counts for one.
  parameter int unsigned Drain = 3;

  // What travels beside a word.
  typedef struct packed {
    logic valid;
    logic first;  // word 0 of a pass
    logic last;   // word e
  } flags_t;

  // What the stage behind the fetch does with the word that was fetched.
  typedef enum logic [2:0] {
    StepNone,
    StepFirstPass,  // into the chain, with Z = 0
    StepPass,       // into the chain, with Z from the queue
    StepUnload,     // resolve a word of Z into the line
    StepCompare,    // compare the line with the multiples of M
    StepSubtract    // subtract the greatest that it contains
  } step_e;

  // v: bits of x that an element takes.
  function automatic int unsigned radix_bits(int unsigned kind);
    return (kind == KindR2) ? 1 : 2;
  endfunction

  // Streams of y and of M̂: themselves, and thrice themselves for radix 4.
  function automatic int unsigned streams(int unsigned kind);
    return (kind == KindR4) ? 2 : 1;
  endfunction

  // A product with 1 is below (multiples + 1)·M.
  function automatic int unsigned multiples(int unsigned kind);
    return (kind == KindR4) ? 3 : 1;
  endfunction

  // n2 = n + 2v + 2: the bits that are safe for every odd M.
  function automatic int unsigned extended(int unsigned n, int unsigned kind);
    return n + 2 * radix_bits(kind) + 2;
  endfunction

  // e: words of an operand.
  function automatic int unsigned words(int unsigned n, int unsigned w, int unsigned kind);
    return (extended(n, kind) + w - 1) / w;
  endfunction

  // f: digits of x.
  function automatic int unsigned digits(int unsigned n, int unsigned kind);
    return (extended(n, kind) + radix_bits(kind) - 1) / radix_bits(kind);
  endfunction

  // Cycles until a word comes back to the first element: p + ⌈vp/w⌉ + 1.
  function automatic int unsigned turn(int unsigned p, int unsigned w, int unsigned kind);
    return p + (radix_bits(kind) * p + w - 1) / w + 1;
  endfunction

  // Cycles of a pass.
  function automatic int unsigned period(int unsigned n, int unsigned w, int unsigned p, int unsigned kind);
    return (words(n, w, kind) + 1 > turn(p, w, kind)) ? words(n, w, kind) + 1 : turn(p, w, kind);
  endfunction

  // carter2012, equation (2), with its ceilings.
  function automatic int unsigned kernel_cycles(int unsigned n, int unsigned w, int unsigned p,
                                                int unsigned kind);
    return (digits(n, kind) + p - 1) / p * period(n, w, p, kind);
  endfunction

  // Cycles of a sweep.
  function automatic int unsigned sweep(int unsigned n, int unsigned w, int unsigned kind);
    return words(n, w, kind) + 1 + Drain;
  endfunction

  // Cycles of a pass or a sweep, whichever takes more.
  function automatic int unsigned longest(int unsigned n, int unsigned w, int unsigned p, int unsigned kind);
    return (sweep(n, w, kind) > period(n, w, p, kind)) ? sweep(n, w, kind) : period(n, w, p, kind);
  endfunction

  // Cycles from the acceptance of OpMul to its response: one to know n, and one ahead of the first word.
  function automatic int unsigned mul_cycles(int unsigned n, int unsigned w, int unsigned p,
                                             int unsigned kind);
    return kernel_cycles(n, w, p, kind) + sweep(n, w, kind) + 2;
  endfunction

  // Cycles from the acceptance of OpReduce to its response.
  function automatic int unsigned reduce_cycles(int unsigned n, int unsigned w, int unsigned p,
                                                int unsigned kind);
    return mul_cycles(n, w, p, kind) + 2 * sweep(n, w, kind);
  endfunction

  // Words that wait in the queue at most: what a pass is longer than a turn, and the one that is taken next.
  function automatic int unsigned queue_depth(int unsigned n, int unsigned w, int unsigned p,
                                              int unsigned kind);
    return period(n, w, p, kind) - turn(p, w, kind) + 1;
  endfunction

endpackage
