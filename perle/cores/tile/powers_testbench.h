// SPDX-License-Identifier: Apache-2.0
//
// What the testbenches of a tile with exponents share: the C functions that start commands. A testbench names
// the module (PERLE_TILE_DUT) and includes this.

#ifndef PERLE_TILE_POWERS_TESTBENCH_H_
#define PERLE_TILE_POWERS_TESTBENCH_H_

#include "testbench.h"

void Bench::Quiet() { dut->start_valid_i = dut->stride_i = dut->beta_i = 0; }

extern "C" {

// N, how far apart contexts have their numbers, and where 1 and β are.
void tile_shape(Bench* bench, unsigned blocks, unsigned stride, unsigned beta) {
  bench->dut->blocks_i = blocks;
  bench->dut->stride_i = stride;
  bench->dut->beta_i = beta;
  bench->Clock(2);
}

// Starts a command of a context: the first state of its program, mode, position in the exponent.
void tile_start(Bench* bench, unsigned ctx, unsigned state, unsigned mode, unsigned pos) {
  auto& dut = *bench->dut;
  dut.start_valid_i = 1;
  dut.start_ctx_i = ctx;
  dut.start_state_i = state;
  dut.start_mode_i = mode;
  dut.start_pos_i = pos;
  dut.eval();
  while (!dut.start_ready_o && !bench->context.Failed()) bench->Clock(1);
  bench->Clock(1);
  dut.start_valid_i = 0;
  dut.eval();
}
}

#endif  // PERLE_TILE_POWERS_TESTBENCH_H_
