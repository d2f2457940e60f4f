// SPDX-License-Identifier: Apache-2.0
#include "Vperle_ram_testbench.h"

// The shapes, a bit each, whose memories have differed within so many cycles.
extern "C" unsigned differing(unsigned cycles) {
  Vperle_ram_testbench testbench;
  for (unsigned i = 0; i < 2 * cycles; ++i) {
    testbench.clk_i = i & 1;
    testbench.eval();
  }
  return testbench.bad_o;
}
