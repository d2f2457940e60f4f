// SPDX-License-Identifier: Apache-2.0
//
// Drives a tile with exponents, one clock at a time, behind a small C ABI. Compiled with the Verilated
// module.

#include "Vperle_tile_powers.h"
#define PERLE_TILE_DUT Vperle_tile_powers
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
