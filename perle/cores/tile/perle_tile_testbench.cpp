// SPDX-License-Identifier: Apache-2.0
//
// Drives a tile, one clock at a time, behind a small C ABI. Compiled with the Verilated tile.

#include "Vperle_tile.h"
#define PERLE_TILE_DUT Vperle_tile
#include "testbench.h"

void Bench::Quiet() {
  dut->req_valid_i = dut->req_ctx_i = dut->req_write_i = 0;
  dut->req_x_i = dut->req_y_i = dut->req_z_i = dut->req_m_i = 0;
}

extern "C" {

unsigned tile_busy(const Bench* bench) { return bench->dut->busy_o; }
void tile_blocks(Bench* bench, unsigned blocks) { bench->dut->blocks_i = blocks; }

// Asks for a modular product as soon as the context takes it; at which cycle it did.
std::uint64_t tile_request(Bench* bench, unsigned ctx, unsigned x, unsigned y, unsigned z, unsigned m,
                           unsigned write) {
  auto& dut = *bench->dut;
  dut.req_valid_i = 1;
  dut.req_ctx_i = ctx;
  dut.req_x_i = x;
  dut.req_y_i = y;
  dut.req_z_i = z;
  dut.req_m_i = m;
  dut.req_write_i = write;
  dut.eval();
  while (!dut.req_ready_o && !bench->context.Failed()) bench->Clock(1);
  const std::uint64_t at = bench->now;
  bench->Clock(1);
  dut.req_valid_i = 0;
  dut.eval();
  return at;
}
}
