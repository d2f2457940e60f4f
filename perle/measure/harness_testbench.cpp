// SPDX-License-Identifier: Apache-2.0
//
// A core in its harness, clocked cycle by cycle through a small C ABI.

#include <cstdint>

#include "Vperle_harness_top.h"
#include "verilated.h"

namespace {

struct Bench {
  VerilatedContext context;
  Vperle_harness_top top{&context};
};

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT Bench* bench_new() { return new Bench; }
EXPORT void bench_free(Bench* bench) { delete bench; }

// One rising edge with these inputs.
EXPORT void bench_clock(Bench* bench, int run, int hold, int unload, std::uint32_t data, std::uint32_t pins) {
  auto& top = bench->top;
  top.rst_ni = run;
  top.hold_i = hold;
  top.unload_i = unload;
  top.data_i = data;
  top.pins_i = pins;
  top.clk_i = 0;
  top.eval();
  top.clk_i = 1;
  top.eval();
}

EXPORT std::uint32_t bench_data(const Bench* bench) { return bench->top.data_o; }
EXPORT std::uint32_t bench_pins(const Bench* bench) { return bench->top.pins_o; }
