// SPDX-License-Identifier: Apache-2.0
//
// bench BOARD.so ADDRESS COUNT: accesses per second of a simulated board, half writes and half reads, from C.

#include <dlfcn.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "perle_sim.h"

namespace {

template <typename Function>
Function* Symbol(void* library, const char* name) {
  auto* function = reinterpret_cast<Function*>(dlsym(library, name));
  if (function == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(EXIT_FAILURE);
  }
  return function;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s BOARD.so ADDRESS COUNT\n", argv[0]);
    return EXIT_FAILURE;
  }
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return EXIT_FAILURE;
  }
  auto* board = Symbol<decltype(perle_sim_open)>(library, "perle_sim_open")();
  auto* write = Symbol<decltype(perle_sim_write)>(library, "perle_sim_write");
  auto* read = Symbol<decltype(perle_sim_read)>(library, "perle_sim_read");
  const auto addr = static_cast<uint32_t>(std::strtoul(argv[2], nullptr, 0));
  const uint64_t count = std::strtoull(argv[3], nullptr, 0);
  uint64_t data = 0;
  int result = board == nullptr ? PERLE_SIM_BAD_ARGUMENT : PERLE_SIM_OK;
  const auto start = std::chrono::steady_clock::now();
  for (uint64_t i = 0; i < count / 2 && result == PERLE_SIM_OK; ++i) {
    result = write(board, addr, i & 3);
    if (result == PERLE_SIM_OK) result = read(board, addr, &data);
    if (data != (i & 3)) result = PERLE_SIM_FAILED;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  Symbol<decltype(perle_sim_close)>(library, "perle_sim_close")(board);
  if (result != PERLE_SIM_OK) {
    std::fprintf(stderr, "access failed with code %d\n", result);
    return EXIT_FAILURE;
  }
  std::printf("%.1f\n", static_cast<double>(count) / took.count());
  return EXIT_SUCCESS;
}
