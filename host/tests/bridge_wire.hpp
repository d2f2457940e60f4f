// SPDX-License-Identifier: Apache-2.0
//
// Formats of the test bridges, and the memory map of their designs.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>

#include "bridge.hpp"

constexpr std::uint32_t kRegisters = 0x3000'0000, kControl = 0x3100'0000, kStride = 0x4000;
constexpr std::uint32_t kClock = 100'000'000;
constexpr int kTick = 5;                                // milliseconds
constexpr std::chrono::milliseconds kCommandTime{100};  // from its first byte on
constexpr std::size_t kDepth = 64, kUntoldDepth = 16;   // words of a record

inline std::uint32_t get32(const std::uint8_t* from) {
  return std::uint32_t{from[0]} << 24 | std::uint32_t{from[1]} << 16 | std::uint32_t{from[2]} << 8 | from[3];
}

inline void put32(std::vector<std::uint8_t>& to, std::uint32_t word) {
  for (int shift = 24; shift >= 0; shift -= 8) to.push_back(static_cast<std::uint8_t>(word >> shift));
}

// One write, to a CONTROL register.
inline bool is_start(const Packet& packet) {
  return packet.size() >= 20 && packet[10] == 1 && (get32(&packet[12]) - kRegisters) % kStride == 0x30;
}

// Unrequested data that looks like answers: random bytes, sometimes after a header.
inline Packet random_bytes() {
  static thread_local std::minstd_rand random(1);
  constexpr std::size_t kMost = 256;
  Packet out(1 + random() % kMost);
  for (std::uint8_t& byte : out) byte = static_cast<std::uint8_t>(random() >> 8);
  if (out.size() > 16 && random() % 2 == 0) {
    const std::uint8_t head[] = {0x4E, 0x6F, 0x10, 0x44, 0, 0, 0, 0, 0, 0x0F, 1, 0};
    std::copy(std::begin(head), std::end(head), out.begin());
  }
  return out;
}
