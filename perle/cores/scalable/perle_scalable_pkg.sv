// SPDX-License-Identifier: Apache-2.0
//
// Sizes, latencies and types of the chain.
//   v = radix_bits, w = word width, p = elements, n = operand width of an operation

package perle_scalable_pkg;

  // The processing elements, one file each.
  parameter int unsigned KindR2 = 0;
  parameter int unsigned KindR4 = 1;
  parameter int unsigned KindB4 = 2;

  // The constants of a modulus, in the order of `mod_i`.
  parameter int unsigned ConstM = 0;
  parameter int unsigned ConstMhat = 1;
  parameter int unsigned ConstBits = 2;  // n; 0 and values above Width count as Width
  parameter int unsigned ConstCount = 3;

  // Bits of the count that a Booth element passes to the next one, to be added at its digit.
  parameter int unsigned OwedBits = 3;

  // Cycles of a sweep after its words: a word is fetched, reaches the output two cycles later, and is added
  // and written, one cycle each; the cycle of the sign overlaps one of these.
  parameter int unsigned Drain = 3;

  // Flags of a word, which accompany it through the chain.
  typedef struct packed {
    logic valid;
    logic first;  // word 0 of a pass
    logic last;   // word e
  } flags_t;

  // Use of a fetched word.
  typedef enum logic [2:0] {
    StepNone,
    StepFirstPass,  // into the chain, with Z = 0
    StepPass,       // into the chain, with Z from the FIFO
    StepUnload,     // resolve the carries of a word of Z and write it
    StepCompare,    // compare z with the multiples of M
    StepSubtract    // subtract the largest one that is <= z
  } step_e;

  // v: bits of x per element.
  function automatic int unsigned radix_bits(int unsigned kind);
    return (kind == KindR2) ? 1 : 2;
  endfunction

  // Streams of y and of M̂: the number, and for radix 4 three times the number.
  function automatic int unsigned streams(int unsigned kind);
    return (kind == KindR4) ? 2 : 1;
  endfunction

  // A product with 1 is less than (multiples + 1)·M.
  function automatic int unsigned multiples(int unsigned kind);
    return (kind == KindR4) ? 3 : 1;
  endfunction

  // n2 = n + 2v + 2: enough bits for every odd M.
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

  // Round trip of a word, from the first element back to it: p + ⌈vp/w⌉ + 1 cycles.
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

  // Cycles of a pass or a sweep, whichever is longer.
  function automatic int unsigned longest(int unsigned n, int unsigned w, int unsigned p, int unsigned kind);
    return (sweep(n, w, kind) > period(n, w, p, kind)) ? sweep(n, w, kind) : period(n, w, p, kind);
  endfunction

  // Latency of OpMul, including one cycle to read n and one before the first word.
  function automatic int unsigned mul_cycles(int unsigned n, int unsigned w, int unsigned p,
                                             int unsigned kind);
    return kernel_cycles(n, w, p, kind) + sweep(n, w, kind) + 2;
  endfunction

  // Latency of OpReduce.
  function automatic int unsigned reduce_cycles(int unsigned n, int unsigned w, int unsigned p,
                                                int unsigned kind);
    return mul_cycles(n, w, p, kind) + 2 * sweep(n, w, kind);
  endfunction

  // Most words in the FIFO: the cycles by which a pass is longer than the round trip, and the word to be read
  // next.
  function automatic int unsigned queue_depth(int unsigned n, int unsigned w, int unsigned p,
                                              int unsigned kind);
    return period(n, w, p, kind) - turn(p, w, kind) + 1;
  endfunction

endpackage
