// SPDX-License-Identifier: Apache-2.0
//
// Simulated boards: a shared object that implements perle_sim.h, found at run time.
#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>

#include "backend/trusted_path.hpp"
#include "board/board_set.hpp"
#include "perle_sim.h"

namespace perle {
namespace {

class Library {
 public:
  explicit Library(const std::string& path) : Library(load(path)) { check_abi(path); }
  ~Library() { dlclose(handle_); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  template <typename Function>
  Function find(const char* name) const {
    void* const symbol = dlsym(handle_, name);
    if (symbol == nullptr)
      throw Error(PERLE_ERR_BOARD_LOAD, std::string("not a simulated board: it has no ") + name);
    return reinterpret_cast<Function>(symbol);
  }

 private:
  explicit Library(void* handle) : handle_(handle) {}
  static void* load(const std::string& path) {
    // Stays loaded until the process ends, because its static objects do too (static_storage.cpp).
    void* const handle = dlopen(trusted_path(path).c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle != nullptr) return handle;
    const char* why = dlerror();
    throw Error(PERLE_ERR_BOARD_LOAD, std::string("simulated board: ") + (why == nullptr ? path : why));
  }
  // No other function of a board with another version of perle_sim.h may be called.
  void check_abi(const std::string& path) const {
    const bool older =
        dlsym(handle_, "perle_sim_abi") == nullptr && dlsym(handle_, "perle_sim_open") != nullptr;
    const std::uint32_t version = older ? 0 : find<decltype(&::perle_sim_abi)>("perle_sim_abi")();
    if (version == PERLE_SIM_ABI) return;
    throw Error(PERLE_ERR_BOARD_LOAD, "the simulated board " + path + " speaks " +
                                          (older ? "no version" : "version " + std::to_string(version)) +
                                          " of perle_sim.h, this library version " +
                                          std::to_string(PERLE_SIM_ABI) +
                                          (version > PERLE_SIM_ABI ? ": build the library anew (make -C host)"
                                                                   : ": build the board anew (perle build)"));
  }

  void* handle_;
};

#define PERLE_SIM_FUNCTION(name) \
  decltype(&::perle_sim_##name) name = library.find<decltype(&::perle_sim_##name)>("perle_sim_" #name)
struct Sim {
  explicit Sim(const std::string& path) : library(path) {}
  ~Sim() {
    if (board != nullptr) close(board);
  }
  Sim(const Sim&) = delete;
  Sim& operator=(const Sim&) = delete;

  Library library;
  PERLE_SIM_FUNCTION(open);
  PERLE_SIM_FUNCTION(close);
  PERLE_SIM_FUNCTION(read);
  PERLE_SIM_FUNCTION(write);
  PERLE_SIM_FUNCTION(advance);
  PERLE_SIM_FUNCTION(cycles);
  PERLE_SIM_FUNCTION(reset);
  PERLE_SIM_FUNCTION(snapshot);
  PERLE_SIM_FUNCTION(trace);
  PERLE_SIM_FUNCTION(info);
  perle_sim* board = nullptr;
  std::uint32_t lanes = 1;
  std::atomic<int> accesses{0};  // accesses in progress or waiting, of all lanes
};
#undef PERLE_SIM_FUNCTION

// One lane of a simulated board. All lanes share one clock: while one waits for its interrupt, the clock
// advances in slices, and accesses of other lanes take place between them.
struct Lane {
  std::shared_ptr<Sim> sim;
  std::uint32_t index;
};

constexpr std::uint32_t kLaneBytes = 1U << 14;
constexpr std::uint64_t kSlice = 64;

Lane& lane(void* ctx) { return *static_cast<Lane*>(ctx); }
Sim& sim(void* ctx) { return *lane(ctx).sim; }

template <typename Access>
int access(void* ctx, Access call) {
  struct Counted {  // also if the simulation throws
    std::atomic<int>& count;
    explicit Counted(std::atomic<int>& of) : count(of) { ++count; }
    ~Counted() { --count; }
  } const counted(sim(ctx).accesses);
  return call(sim(ctx), lane(ctx).index * kLaneBytes);
}

int sim_read(void* ctx, std::uint32_t addr, std::uint64_t* data) {
  return access(ctx, [&](Sim& on, std::uint32_t base) { return on.read(on.board, base + addr, data); });
}

int sim_write(void* ctx, std::uint32_t addr, std::uint64_t data) {
  return access(ctx, [&](Sim& on, std::uint32_t base) { return on.write(on.board, base + addr, data); });
}

int sim_advance(void* ctx, std::uint64_t cycles, int until_irq, std::uint64_t* passed) {
  Sim& on = sim(ctx);
  const int awaited = until_irq == 0 ? 0 : static_cast<int>(lane(ctx).index) + 1;
  const std::uint64_t slice = on.lanes == 1 ? cycles : kSlice;
  for (std::uint64_t left = cycles; left > 0;) {
    while (on.accesses != 0) std::this_thread::yield();
    const std::uint64_t step = std::min(left, slice), before = on.cycles(on.board);
    const int rc = on.advance(on.board, step, awaited);
    const std::uint64_t took = std::min(step, on.cycles(on.board) - before);
    *passed += took;
    if (rc != 0 || took < step) return rc;
    left -= step;
  }
  return 0;
}

std::uint64_t sim_cycles(void* ctx) { return sim(ctx).cycles(sim(ctx).board); }

int sim_reset(void* ctx) { return sim(ctx).reset(sim(ctx).board); }

std::size_t sim_snapshot(void* ctx, char* json, std::size_t cap) {
  return sim(ctx).snapshot(sim(ctx).board, json, cap);
}

int sim_trace(void* ctx, const char* path) { return sim(ctx).trace(sim(ctx).board, path); }

// The number after "name": in the build's JSON description; names of parameters occur nowhere else in it.
long number(const Sim& on, const char* name) {
  const std::string text = on.info(), key = std::string("\"") + name + "\"";
  std::size_t at = text.find(key);
  if (at == std::string::npos) return -1;
  at = text.find_first_not_of(": \t", at + key.size());
  if (at == std::string::npos || std::isdigit(static_cast<unsigned char>(text[at])) == 0) return -1;
  return std::strtol(text.c_str() + at, nullptr, 10);
}

long sim_param(void* ctx, const char* name) { return number(sim(ctx), name); }

void sim_close(void* ctx) { delete &lane(ctx); }

constexpr perle_backend kBackend = {
    sizeof(perle_backend), sim_read,  sim_write, sim_advance, sim_reset, sim_param,
    sim_snapshot,          sim_trace, sim_close, sim_cycles};

}  // namespace

std::vector<std::unique_ptr<Backend>> open_sim(const std::string& path) {
  const auto opened = std::make_shared<Sim>(path);
  opened->board = opened->open();
  if (opened->board == nullptr)
    throw Error(PERLE_ERR_BOARD_LOAD, "the simulated board " + path + " does not start");
  opened->lanes = static_cast<std::uint32_t>(std::max(1L, number(*opened, "lanes")));
  std::vector<std::unique_ptr<Backend>> lanes;
  lanes.reserve(
      opened->lanes);  // push_back must not throw after make_unique<Backend>: the lane would be closed twice
  for (std::uint32_t i = 0; i < opened->lanes; ++i) {
    auto one = std::make_unique<Lane>(Lane{opened, i});
    // One reset for all lanes.
    const void* const line = opened->lanes == 1 ? nullptr : opened.get();
    lanes.push_back(std::make_unique<Backend>(kBackend, one.get(), line));
    (void)one.release();  // the backend closes it
  }
  return lanes;
}

}  // namespace perle
