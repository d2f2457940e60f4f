// SPDX-License-Identifier: Apache-2.0
//
// Sends words to a stream as fast as it takes them, and takes answers as fast as they come: a small C ABI
// around the Verilated top module RATE_MODEL.

#include <cstdint>
#include <memory>

#include RATE_HEADER

namespace {

constexpr int kResetCycles = 4;

void Clock(RATE_MODEL* top) {
  top->clk_i = 1;
  top->eval();
  top->clk_i = 0;
  top->eval();
}

}  // namespace

// Returns how many answers of `length` words came within `limit` cycles, each with the cycle of its last
// word.
extern "C" __attribute__((visibility("default"))) uint64_t axis_run(const uint64_t* words,
                                                                    const uint8_t* last, uint64_t count,
                                                                    uint64_t* answers, uint64_t length,
                                                                    uint64_t expected, uint64_t* ends,
                                                                    uint64_t limit) {
  VerilatedContext context;
  auto top = std::make_unique<RATE_MODEL>(&context);
  top->s_axis_tvalid = 0;
  top->m_axis_tready = 1;
  top->clk_i = 0;
  top->rst_ni = 1;
  top->eval();
  top->rst_ni = 0;
  for (int i = 0; i < kResetCycles; ++i) Clock(top.get());
  top->rst_ni = 1;

  uint64_t sent = 0, got = 0, done = 0;
  for (uint64_t now = 0; now < limit && done < expected; ++now) {
    top->s_axis_tvalid = sent < count;
    if (sent < count) {
      top->s_axis_tdata = words[sent];
      top->s_axis_tlast = last[sent];
    }
    top->eval();
    const bool taken = top->s_axis_tvalid && top->s_axis_tready;
    if (top->m_axis_tvalid) {
      answers[got++] = top->m_axis_tdata;
      if (top->m_axis_tlast) ends[done++] = now;
      if (top->m_axis_tlast != (got % length == 0)) return 0;
    }
    Clock(top.get());
    if (taken) ++sent;
  }
  top->final();
  return done;
}
