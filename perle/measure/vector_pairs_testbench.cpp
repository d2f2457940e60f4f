// SPDX-License-Identifier: Apache-2.0
//
// Clocks an element that alternates between pairs of vectors (perle.measure.vector_pairs), and records how
// often its nets change.

#include <cstdint>

#include "activity_testbench.h"

extern "C" __attribute__((visibility("default"))) void vector_pairs_run(std::uint64_t cycles) {
  VerilatedContext context;
  Recorded model(&context);
  model.rst_ni = 0;
  for (int edge = 0; edge < 4; edge++) {
    model.clk_i = edge & 1;
    model.eval();
  }
  model.rst_ni = 1;
  while (cycles-- > 0) {
    model.clk_i = 0;
    model.eval();
    model.clk_i = 1;
    model.eval();
  }
  model.final();
}
