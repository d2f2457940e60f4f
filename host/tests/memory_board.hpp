// SPDX-License-Identifier: Apache-2.0
//
// Active memory in software, for tests of systems.
#pragma once

#include <algorithm>

#include "pam/system.hpp"

// A write is accepted at once and keeps the board busy for `work` cycles, which delays all other accesses. A
// read returns the sum of the values written.
struct Memory {
  std::uint64_t work;
  std::uint64_t cycles = 100;  // out of reset
  std::uint64_t busy_until = 0;
  std::uint64_t sum = 0;
  bool dead = false;
};

inline Memory& memory(void* ctx) { return *static_cast<Memory*>(ctx); }

inline int take(Memory& on) {
  if (on.dead) return 2;
  on.cycles = std::max(on.cycles, on.busy_until) + 1;
  return 0;
}
inline int memory_read(void* ctx, std::uint32_t, std::uint64_t* data) {
  *data = memory(ctx).sum;
  return take(memory(ctx));
}
inline int memory_write(void* ctx, std::uint32_t, std::uint64_t data) {
  const int rc = take(memory(ctx));
  memory(ctx).sum += data;
  memory(ctx).busy_until = memory(ctx).cycles + memory(ctx).work;
  return rc;
}
inline int memory_advance(void* ctx, std::uint64_t cycles, int until_idle, std::uint64_t* passed) {
  const Memory& on = memory(ctx);
  if (until_idle != 0) cycles = std::min(cycles, std::max(on.cycles, on.busy_until) - on.cycles);
  memory(ctx).cycles += cycles;
  *passed += cycles;
  return 0;
}
inline int memory_reset(void* ctx) {
  memory(ctx).dead = false;
  memory(ctx).sum = 0;
  memory(ctx).cycles += 5;
  return 0;
}
inline std::uint64_t memory_cycles(void* ctx) { return memory(ctx).cycles; }

inline constexpr perle_backend kMemory = {sizeof(perle_backend),
                                          memory_read,
                                          memory_write,
                                          memory_advance,
                                          memory_reset,
                                          nullptr,
                                          nullptr,
                                          nullptr,
                                          nullptr,
                                          memory_cycles};

inline std::vector<perle::System::Member> members(std::vector<Memory>& memories, std::uint64_t clock_ps) {
  std::vector<perle::System::Member> out;
  for (Memory& each : memories) out.push_back({std::make_unique<perle::Backend>(kMemory, &each), clock_ps});
  return out;
}
