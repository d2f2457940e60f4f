// SPDX-License-Identifier: Apache-2.0
//
// Drives any multiplier with the contract's interface, cycle by cycle, through a small C ABI.
// Compiled with the Verilated multiplier; BENCH_MODEL is its class, BENCH_HEADER its header.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "failure.h"
#include BENCH_HEADER

namespace {

// Words of 32 bits, least significant first, for ports of any width.
template <std::size_t N>
void put(VlWide<N>& port, const std::uint32_t* words, std::size_t at, std::size_t count) {
  std::copy_n(words, count, port.data() + at);
}
template <typename Scalar>
void put(Scalar& port, const std::uint32_t* words, std::size_t, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value |= std::uint64_t{words[i]} << (32 * i);
  port = static_cast<Scalar>(value);
}
template <std::size_t N>
void get(const VlWide<N>& port, std::uint32_t* words, std::size_t count) {
  std::copy_n(port.data(), count, words);
}
template <typename Scalar>
void get(const Scalar& port, std::uint32_t* words, std::size_t count) {
  const std::uint64_t value = port;
  for (std::size_t i = 0; i < count; ++i) words[i] = static_cast<std::uint32_t>(value >> (32 * i));
}

struct Bench {
  perle::verify::Context context;
  std::unique_ptr<BENCH_MODEL> dut;
  std::uint64_t now = 0;

  Bench() : dut(std::make_unique<BENCH_MODEL>(&context)) {
    context.Bind();
    dut->rst_ni = 1;
    dut->clk_i = 0;
    dut->eval();
    dut->rst_ni = 0;
    clock();
    clock();
    dut->rst_ni = 1;
  }
  ~Bench() {
    context.Bind();
    dut->final();
  }

  void clock() {
    dut->clk_i = 1;
    dut->eval();
    dut->clk_i = 0;
    dut->eval();
    ++now;
  }
};

enum Status { kOk = 0, kTimeout = 1, kTag = 2, kUnstable = 3, kUnasked = 4, kAssertion = 5 };

}  // namespace

extern "C" {

Bench* bench_open() { return new Bench; }
void bench_close(Bench* bench) { delete bench; }
// Position of the first failed assertion, "file:line"; null if none failed. After a failure the bench must
// not be used any more.
const char* bench_failure(const Bench* bench) {
  return bench->context.Failed() ? bench->context.failed.c_str() : nullptr;
}

// Sets the constants of all contexts, packed like the port.
void bench_mod(Bench* bench, const std::uint32_t* words, std::size_t count) {
  put(bench->dut->mod_i, words, 0, count);
}

// Runs `n` operations. x, y, z: n·words words. latency: acceptance → response valid; gap: acceptance →
// next acceptance. `seed` 0 drives back to back; otherwise requests and responses stall at random.
int bench_run(Bench* bench, std::size_t n, const std::uint8_t* op, const std::uint8_t* ctx,
              const std::uint32_t* x, const std::uint32_t* y, std::uint32_t* z, std::size_t words,
              std::uint32_t* latency, std::uint32_t* gap, std::uint32_t seed, std::uint64_t limit) {
  bench->context.Bind();
  auto& dut = *bench->dut;
  std::mt19937 random(seed);
  const auto go = [&] { return seed == 0 || (random() & 3U) == 0; };
  std::vector<std::uint64_t> accepted(n + 1);
  std::vector<std::uint32_t> held(words);
  std::size_t asked = 0, answered = 0, loaded = n;
  bool offering = false, waiting = false;
  const std::uint64_t end = bench->now + limit;

  while (answered < n) {
    if (bench->context.Failed()) return kAssertion;
    if (bench->now >= end) return kTimeout;
    if (asked < n && loaded != asked) {
      put(dut.req_x_i, x + asked * words, 0, words);
      put(dut.req_y_i, y + asked * words, 0, words);
      dut.req_op_i = op[asked];
      dut.req_ctx_i = ctx[asked];
      dut.req_tag_i = asked & 15U;
      loaded = asked;
    }
    offering = asked < n && (offering || go());
    dut.req_valid_i = offering;
    dut.rsp_ready_i = go();
    dut.eval();

    if (dut.rsp_valid_o) {
      if (answered >= asked) return kUnasked;
      std::uint32_t* out = z + answered * words;
      get(dut.rsp_z_o, waiting ? held.data() : out, words);
      if (waiting && !std::equal(held.begin(), held.end(), out)) return kUnstable;
      if (!waiting) latency[answered] = static_cast<std::uint32_t>(bench->now - accepted[answered]);
      if (dut.rsp_tag_o != (answered & 15U)) return kTag;
      waiting = !dut.rsp_ready_i;
      if (!waiting) ++answered;
    } else if (waiting) {
      return kUnstable;
    }
    if (dut.req_valid_i && dut.req_ready_o) {
      accepted[asked] = bench->now;
      if (asked > 0) gap[asked - 1] = static_cast<std::uint32_t>(bench->now - accepted[asked - 1]);
      ++asked;
      offering = false;
    }
    bench->clock();
  }
  dut.req_valid_i = 0;
  return bench->context.Failed() ? kAssertion : kOk;
}

// z ← z·z (mod M), n times, without reduction between.
int bench_chain(Bench* bench, std::size_t n, std::uint32_t* z, std::size_t words, std::uint64_t limit) {
  const std::uint8_t op = 0, ctx = 0;
  std::uint32_t latency = 0, gap = 0;
  std::vector<std::uint32_t> x(words);
  for (std::size_t i = 0; i < n; ++i) {
    std::copy_n(z, words, x.data());
    const int status = bench_run(bench, 1, &op, &ctx, x.data(), x.data(), z, words, &latency, &gap, 0, limit);
    if (status != kOk) return status;
  }
  return kOk;
}
}
