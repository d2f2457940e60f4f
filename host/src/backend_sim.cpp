// SPDX-License-Identifier: Apache-2.0
//
// Simulated boards: a shared object that implements perle_sim.h, found at run time.
#include <dlfcn.h>

#include <cctype>
#include <cstdlib>
#include <cstring>

#include "board_set.hpp"
#include "perle_sim.h"

namespace perle {
namespace {

class Library {
 public:
  explicit Library(const std::string& path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) {
      const char* why = dlerror();
      throw Error(PERLE_ERR_BOARD_LOAD, std::string("simulated board: ") + (why == nullptr ? path : why));
    }
  }
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
};
#undef PERLE_SIM_FUNCTION

Sim& sim(void* ctx) { return *static_cast<Sim*>(ctx); }

int sim_read(void* ctx, std::uint32_t addr, std::uint64_t* data) {
  return sim(ctx).read(sim(ctx).board, addr, data);
}

int sim_write(void* ctx, std::uint32_t addr, std::uint64_t data) {
  return sim(ctx).write(sim(ctx).board, addr, data);
}

int sim_advance(void* ctx, std::uint64_t cycles, int until_irq, std::uint64_t* passed) {
  const std::uint64_t before = sim(ctx).cycles(sim(ctx).board);
  const int rc = sim(ctx).advance(sim(ctx).board, cycles, until_irq);
  *passed += sim(ctx).cycles(sim(ctx).board) - before;
  return rc;
}

int sim_reset(void* ctx) { return sim(ctx).reset(sim(ctx).board); }

std::size_t sim_snapshot(void* ctx, char* json, std::size_t cap) {
  return sim(ctx).snapshot(sim(ctx).board, json, cap);
}

int sim_trace(void* ctx, const char* path) { return sim(ctx).trace(sim(ctx).board, path); }

// The number after "name": in the build's description. Names of parameters occur nowhere else in it.
long sim_param(void* ctx, const char* name) {
  const std::string text = sim(ctx).info(), key = std::string("\"") + name + "\"";
  std::size_t at = text.find(key);
  if (at == std::string::npos) return -1;
  at = text.find_first_not_of(": \t", at + key.size());
  if (at == std::string::npos || std::isdigit(static_cast<unsigned char>(text[at])) == 0) return -1;
  return std::strtol(text.c_str() + at, nullptr, 10);
}

void sim_close(void* ctx) { delete &sim(ctx); }

constexpr perle_backend kSimBackend = {
    sizeof(perle_backend), sim_read,  sim_write, sim_advance, sim_reset, sim_param,
    sim_snapshot,          sim_trace, sim_close,
};

}  // namespace

std::unique_ptr<Backend> open_sim(const std::string& path) {
  auto opened = std::make_unique<Sim>(path);
  opened->board = opened->open();
  if (opened->board == nullptr)
    throw Error(PERLE_ERR_BOARD_LOAD, "the simulated board " + path + " does not start");
  auto backend = std::make_unique<Backend>(kSimBackend, opened.get());
  (void)opened.release();  // the backend closes it
  return backend;
}

}  // namespace perle
