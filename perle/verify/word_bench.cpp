// SPDX-License-Identifier: Apache-2.0
//
// Drives an exponentiator's word port (64-bit words), one clock at a time, behind a small C ABI.
// Compiled with the Verilated exponentiator; BENCH_MODEL is its class, BENCH_HEADER its header.

#include <cstdint>
#include <memory>

#include "verilated.h"
#include BENCH_HEADER

namespace {

struct Bench {
  VerilatedContext context;
  std::unique_ptr<BENCH_MODEL> dut;
  std::uint64_t now = 0;
  std::uint32_t errors = 0;

  Bench() : dut(std::make_unique<BENCH_MODEL>(&context)) {
    dut->rst_ni = 1;
    dut->eval();
    reset();
  }
  ~Bench() { dut->final(); }

  void clock() {
    dut->eval();
    errors |= dut->err_o;
    dut->clk_i = 1;
    dut->eval();
    dut->clk_i = 0;
    dut->eval();
    ++now;
  }
  void reset() {
    dut->rst_ni = 0;
    clock();
    dut->rst_ni = 1;
    errors = 0;
  }
};

}  // namespace

extern "C" {

Bench* word_open() { return new Bench; }
void word_close(Bench* bench) { delete bench; }
void word_reset(Bench* bench) { bench->reset(); }
std::uint64_t word_now(const Bench* bench) { return bench->now; }
std::uint64_t word_cycles(const Bench* bench) { return bench->dut->cycles_o; }
int word_busy(const Bench* bench) { return bench->dut->busy_o; }
void word_advance(Bench* bench, std::uint64_t cycles) {
  while (cycles-- > 0) bench->clock();
}

// Error flags since the last call.
std::uint32_t word_errors(Bench* bench) {
  const std::uint32_t errors = bench->errors;
  bench->errors = 0;
  return errors;
}

void word_write(Bench* bench, unsigned window, unsigned word, std::uint64_t data) {
  auto& dut = *bench->dut;
  dut.wr_valid_i = 1;
  dut.wr_window_i = window;
  dut.wr_word_i = word;
  dut.wr_data_i = data;
  bench->clock();
  dut.wr_valid_i = 0;
}

std::uint64_t word_read(Bench* bench, unsigned word) {
  auto& dut = *bench->dut;
  dut.rd_valid_i = 1;
  dut.rd_word_i = word;
  dut.eval();
  const std::uint64_t data = dut.rd_data_o;
  bench->clock();
  dut.rd_valid_i = 0;
  return data;
}

void word_start(Bench* bench, unsigned op, unsigned mode, unsigned elen) {
  auto& dut = *bench->dut;
  dut.cmd_op_i = op;
  dut.cmd_mode_i = mode;
  dut.cmd_elen_i = elen;
  dut.start_i = 1;
  bench->clock();
  dut.start_i = 0;
}

void word_wipe(Bench* bench) {
  bench->dut->wipe_i = 1;
  bench->clock();
  bench->dut->wipe_i = 0;
}

// Clocks until not busy; 0 when that took no more than `limit` cycles.
int word_wait(Bench* bench, std::uint64_t limit) {
  bench->dut->eval();
  while (bench->dut->busy_o && limit > 0) {
    bench->clock();
    --limit;
  }
  return bench->dut->busy_o ? 1 : 0;
}
}
