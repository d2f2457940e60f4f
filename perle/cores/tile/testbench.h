// SPDX-License-Identifier: Apache-2.0
//
// What the testbenches of a tile share: reset and clock of a Verilated module with the host's access, and the
// C functions of both. A testbench names the module (PERLE_TILE_DUT), includes this, and drives the ports
// that are its own.

#ifndef PERLE_TILE_TESTBENCH_H_
#define PERLE_TILE_TESTBENCH_H_

#include <cstdint>
#include <memory>

#include "failure.h"

namespace {

struct Bench {
  perle::verify::Context context;
  std::unique_ptr<PERLE_TILE_DUT> dut;
  std::uint64_t now = 0;

  explicit Bench(int seed) {
    context.Bind();
    context.randSeed(seed);
    context.randReset(2);
    dut = std::make_unique<PERLE_TILE_DUT>(&context);
    dut->clk_i = dut->host_valid_i = dut->host_write_i = 0;
    dut->host_addr_i = dut->host_data_i = 0;
    dut->blocks_i = 3;
    Quiet();
    dut->rst_ni = 1;
    dut->eval();
    dut->rst_ni = 0;
    Clock(4);
    dut->rst_ni = 1;
    dut->eval();
    now = 0;
    Clock(32);
  }
  ~Bench() {
    context.Bind();
    dut->final();
  }

  // Sets the inputs that only this module has to nothing.
  void Quiet();

  void Clock(std::uint64_t cycles) {
    context.Bind();
    for (; cycles > 0 && !context.Failed(); --cycles) {
      dut->clk_i = 1;
      dut->eval();
      dut->clk_i = 0;
      dut->eval();
      ++now;
    }
  }
};

}  // namespace

extern "C" {

// `seed` is what registers and memories hold before the reset.
Bench* tile_open(int seed) { return new Bench(seed); }
void tile_close(Bench* bench) { delete bench; }
const char* tile_failure(const Bench* bench) {
  return bench->context.Failed() ? bench->context.failed.c_str() : nullptr;
}
std::uint64_t tile_now(const Bench* bench) { return bench->now; }
void tile_clock(Bench* bench, std::uint64_t cycles) { bench->Clock(cycles); }

// Writes a block to X (1), Y (2) or both (3); reads one from X (0).
std::uint64_t tile_access(Bench* bench, unsigned write, unsigned addr, std::uint64_t data) {
  auto& dut = *bench->dut;
  dut.host_valid_i = 1;
  dut.host_write_i = write;
  dut.host_addr_i = addr;
  dut.host_data_i = data;
  dut.eval();
  while (!dut.host_ready_o && !bench->context.Failed()) bench->Clock(1);
  bench->Clock(1);
  dut.host_valid_i = 0;
  dut.eval();
  while (write == 0 && !dut.host_valid_o && !bench->context.Failed()) bench->Clock(1);
  return dut.host_data_o;
}

// Clocks until no context of a mask is busy; 0 when that took no more than `limit` cycles.
int tile_wait(Bench* bench, unsigned mask, std::uint64_t limit) {
  bench->dut->eval();
  for (; (bench->dut->busy_o & mask) && limit > 0 && !bench->context.Failed(); --limit) bench->Clock(1);
  return (bench->dut->busy_o & mask) ? 1 : 0;
}
}

#endif  // PERLE_TILE_TESTBENCH_H_
