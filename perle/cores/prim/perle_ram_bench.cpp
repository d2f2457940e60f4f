// SPDX-License-Identifier: Apache-2.0
#include "Vperle_ram_bench.h"

// The shapes, a bit each, whose memories have differed within so many cycles.
extern "C" unsigned differing(unsigned cycles) {
  Vperle_ram_bench bench;
  for (unsigned i = 0; i < 2 * cycles; ++i) {
    bench.clk_i = i & 1;
    bench.eval();
  }
  return bench.bad_o;
}
