// SPDX-License-Identifier: Apache-2.0
//
// Clocks checked/perle_trust_every.sv through a range of products, all in one call.

#include <cstdint>

#include "Vperle_trust_every.h"
#include "verilated.h"

extern "C" {
// `wrong`: 1 after a wrong or late response, to the operands x and y.
struct perle_every {
  uint64_t wrong, x, y, z;
};
}

// Resets a multiplier, and computes the products of x_first <= x < x_end and 0 <= y < y_end with it.
extern "C" __attribute__((visibility("default"))) void perle_every_run(uint32_t m, uint32_t op,
                                                                       uint32_t x_first, uint32_t x_end,
                                                                       uint32_t y_end, perle_every* found) {
  VerilatedContext context;
  Vperle_trust_every top(&context);
  auto clock = [&] {
    top.clk_i = 0;
    top.eval();
    top.clk_i = 1;
    top.eval();
  };
  *found = {};
  top.m_i = m;
  top.op_i = op;
  top.x_first_i = x_first;
  top.x_end_i = x_end;
  top.y_end_i = y_end;
  top.rst_ni = 0;
  clock();
  clock();
  top.rst_ni = 1;
  while (!top.wrong_o) {
    clock();
    if (top.done_o) break;
  }
  if (top.wrong_o) {
    found->wrong = 1;
    found->x = top.x_o;
    found->y = top.y_o;
    found->z = top.z_o;
  }
  top.final();
}
