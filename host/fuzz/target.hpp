// SPDX-License-Identifier: Apache-2.0
//
// Code shared by fuzz targets. Each is a file with LLVMFuzzerTestOneInput, for libFuzzer or driver.cpp.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

// A property that must hold for every input.
#define HOLDS(condition)                                                   \
  do {                                                                     \
    if (!(condition)) {                                                    \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                        \
    }                                                                      \
  } while (false)

// An input read bit by bit; zeros after its end.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}
  bool empty() const { return rest_.empty(); }
  unsigned byte() {
    if (rest_.empty()) return 0;
    const unsigned value = rest_.front();
    rest_ = rest_.subspan(1);
    return value;
  }
  unsigned below(unsigned bound) { return byte() % bound; }
  std::span<const std::uint8_t> bytes(std::size_t count) {
    const auto taken = rest_.first(count < rest_.size() ? count : rest_.size());
    rest_ = rest_.subspan(taken.size());
    return taken;
  }

 private:
  std::span<const std::uint8_t> rest_;
};
