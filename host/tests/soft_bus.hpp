// SPDX-License-Identifier: Apache-2.0
//
// A bus multiplier in software, for tests of systems.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "pam/system.hpp"

inline constexpr std::size_t kBusWords = 4;

// P of kBusWords words and a carry, like perle/pam/bus_mul. From answer number `broken` on, one bit is wrong.
struct SoftBus {
  std::uint64_t cycles = 0, reads = 0;
  std::uint64_t broken = ~0ULL, until = ~0ULL;
  std::uint64_t refused = ~0ULL;  // number of the write that gets no answer, once
  std::uint64_t writes = 0;
  std::uint32_t b = 0, out = 0, last = 0;
  bool select_a = false;
  std::deque<std::uint32_t> a = std::deque<std::uint32_t>(kBusWords),
                            p = std::deque<std::uint32_t>(kBusWords + 1);

  void step(std::uint32_t s) {
    last = out;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i <= kBusWords; ++i) {
      carry += p[i] + (i == kBusWords ? s : 0ULL);
      if (!select_a && i < kBusWords) carry += static_cast<std::uint64_t>(a[i]) * b;
      p[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    out = p[0];
    p.pop_front();
    p.push_back(static_cast<std::uint32_t>(carry));
    if (!select_a) return;
    a.pop_front();
    a.push_back(b);
  }
};

inline SoftBus& soft_bus(void* ctx) { return *static_cast<SoftBus*>(ctx); }
inline int soft_bus_read(void* ctx, std::uint32_t, std::uint64_t* data) {
  SoftBus& on = soft_bus(ctx);
  *data = on.last ^ (on.reads >= on.broken && on.reads < on.until ? 0x100U : 0U);
  ++on.reads;
  ++on.cycles;
  return 0;
}
inline int soft_bus_write(void* ctx, std::uint32_t addr, std::uint64_t data) {
  SoftBus& on = soft_bus(ctx);
  ++on.cycles;
  if (on.writes++ == on.refused) return 2;
  if (addr == 8) {
    on.step(static_cast<std::uint32_t>(data));
  } else {
    on.select_a = addr == 0;
    on.b = static_cast<std::uint32_t>(data);
  }
  return 0;
}
inline int soft_bus_advance(void* ctx, std::uint64_t cycles, int, std::uint64_t* passed) {
  soft_bus(ctx).cycles += cycles;
  *passed += cycles;
  return 0;
}
inline long soft_bus_param(void*, const char* name) {
  const std::string wanted = name;
  return wanted == "Words" ? kBusWords : wanted == "Variable" ? 0 : wanted == "WordBits" ? 32 : -1;
}
inline std::uint64_t soft_bus_cycles(void* ctx) { return soft_bus(ctx).cycles; }

inline constexpr perle_backend kSoftBus = {
    sizeof(perle_backend), soft_bus_read, soft_bus_write, soft_bus_advance, nullptr,
    soft_bus_param,        nullptr,       nullptr,        nullptr,          soft_bus_cycles};

inline std::vector<perle::System::Member> members(SoftBus& board) {
  std::vector<perle::System::Member> one;
  one.push_back({std::make_unique<perle::Backend>(kSoftBus, &board), 20'000});
  return one;
}
