// SPDX-License-Identifier: Apache-2.0
//
// The C ABI of a Board: argument checks, the handle's lock; exceptions do not leave this file.

#include "perle_sim.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>

#include "board.h"

struct perle_sim {
  std::mutex mutex;
  perle::Board board;
};

namespace {

// Runs `call` on the board under the handle's lock. The only possible exception is lack of memory.
template <typename Call>
int Locked(perle_sim* sim, Call call) {
  if (sim == nullptr) return PERLE_SIM_BAD_ARGUMENT;
  try {
    const std::lock_guard<std::mutex> lock{sim->mutex};
    sim->board.Bind();
    return call(sim->board);
  } catch (...) {
    return PERLE_SIM_FAILED;
  }
}

}  // namespace

#define PERLE_SIM_API extern "C" __attribute__((visibility("default")))

PERLE_SIM_API uint32_t perle_sim_abi() { return PERLE_SIM_ABI; }

PERLE_SIM_API perle_sim* perle_sim_open() {
  try {
    return new perle_sim{};
  } catch (...) {
    return nullptr;
  }
}

PERLE_SIM_API void perle_sim_close(perle_sim* sim) { delete sim; }

PERLE_SIM_API int perle_sim_write(perle_sim* sim, uint32_t addr, uint64_t data) {
  return Locked(sim, [=](perle::Board& board) { return board.Write(addr, data); });
}

PERLE_SIM_API int perle_sim_read(perle_sim* sim, uint32_t addr, uint64_t* data) {
  return Locked(sim, [=](perle::Board& board) { return board.Read(addr, data); });
}

PERLE_SIM_API int perle_sim_advance(perle_sim* sim, uint64_t cycles, int until_irq) {
  return Locked(sim, [=](perle::Board& board) { return board.Advance(cycles, until_irq); });
}

PERLE_SIM_API uint64_t perle_sim_cycles(const perle_sim* sim) {
  uint64_t cycles = 0;
  Locked(const_cast<perle_sim*>(sim), [&](perle::Board& board) {
    cycles = board.cycles();
    return PERLE_SIM_OK;
  });
  return cycles;
}

PERLE_SIM_API int perle_sim_reset(perle_sim* sim) {
  return Locked(sim, [](perle::Board& board) { return board.Reset(); });
}

PERLE_SIM_API size_t perle_sim_snapshot(perle_sim* sim, char* json, size_t cap) {
  size_t needed = 0;
  Locked(sim, [&](perle::Board& board) {
    const std::string text = board.Snapshot();
    needed = text.size() + 1;
    if (json != nullptr && cap > 0) {
      const size_t length = std::min(text.size(), cap - 1);
      std::memcpy(json, text.data(), length);
      json[length] = '\0';
    }
    return PERLE_SIM_OK;
  });
  return needed;
}

PERLE_SIM_API int perle_sim_trace(perle_sim* sim, const char* path) {
  return Locked(sim, [=](perle::Board& board) { return board.Trace(path); });
}

PERLE_SIM_API const char* perle_sim_info() { return PERLE_SIM_INFO; }
