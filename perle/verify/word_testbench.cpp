// SPDX-License-Identifier: Apache-2.0
//
// Drives an exponentiator's word port (64-bit words), cycle by cycle, through a small C ABI.
// Compiled with the Verilated exponentiator; BENCH_MODEL is its class, BENCH_HEADER its header.

#include <cstdint>
#include <memory>

#include "failure.h"
#include BENCH_HEADER
#if VM_TRACE
#include "verilated_vcd_c.h"
#endif

namespace {

struct Bench {
  perle::verify::Context context;
  std::unique_ptr<BENCH_MODEL> dut;
  std::uint64_t now = 0;
  std::uint32_t errors = 0;

  explicit Bench(int seed) {
    context.Bind();
    context.randSeed(seed);
    context.randReset(2);
#if VM_TRACE
    context.traceEverOn(true);
#endif
    dut = std::make_unique<BENCH_MODEL>(&context);
    // inputs are random like registers: make those that are not driven yet inactive
    dut->clk_i = dut->wr_valid_i = dut->rd_valid_i = dut->start_i = dut->zeroize_i = 0;
    dut->wr_bank_i = dut->cmd_op_i = dut->cmd_mode_i = 0;
    dut->wr_word_i = dut->rd_word_i = dut->cmd_elen_i = 0;
    dut->wr_data_i = 0;
    dut->rst_ni = 1;
    dut->eval();
    reset();
  }
  ~Bench() {
    context.Bind();
    dut->final();
  }

  void clock() {
    context.Bind();
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

// `seed` determines the contents of registers and memories before the reset.
Bench* word_open(int seed) { return new Bench(seed); }
void word_close(Bench* bench) { delete bench; }
void word_reset(Bench* bench) { bench->reset(); }

// Position of the first failed assertion, "file:line"; null if none failed. After a failure the bench must
// not be used any more.
const char* word_failure(const Bench* bench) {
  return bench->context.Failed() ? bench->context.failed.c_str() : nullptr;
}

#if VM_TRACE
// Writes the current values of all signals to a VCD file. At most once per bench.
void word_dump(Bench* bench, const char* path) {
  VerilatedVcdC vcd;
  bench->context.Bind();
  bench->dut->trace(&vcd, 99);
  vcd.open(path);
  vcd.dump(bench->now);
  vcd.close();
}
#endif
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
  dut.wr_bank_i = window;
  dut.wr_word_i = word;
  dut.wr_data_i = data;
  bench->clock();
  dut.wr_valid_i = 0;
  dut.wr_data_i = 0;  // no copy of the data stays on the inputs
}

// Reads `words` words of the result, one per cycle. When idle the port is at word 0; a word is valid `late` +
// 1 cycles after its request.
void word_read(Bench* bench, std::uint64_t* data, unsigned words, unsigned late) {
  auto& dut = *bench->dut;
  dut.rd_valid_i = 1;
  for (unsigned i = 0; i < words + late; ++i) {
    dut.rd_word_i = i + 1 < words ? i + 1 : 0;
    if (i >= late) data[i - late] = dut.rd_data_o;
    bench->clock();
  }
  dut.rd_valid_i = 0;
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

void word_zeroize(Bench* bench) {
  bench->dut->zeroize_i = 1;
  bench->clock();
  bench->dut->zeroize_i = 0;
}

// Clocks until not busy; 0 when that took no more than `limit` cycles.
int word_wait(Bench* bench, std::uint64_t limit) {
  bench->dut->eval();
  while (bench->dut->busy_o && limit > 0 && !bench->context.Failed()) {
    bench->clock();
    --limit;
  }
  return bench->dut->busy_o ? 1 : 0;
}
}
