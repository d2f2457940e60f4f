// SPDX-License-Identifier: Apache-2.0
//
// Big-endian words, the byte order of serial lines and datagrams.
#pragma once

#include <cstdint>
#include <vector>

namespace perle {

inline void put32(std::vector<std::uint8_t>& to, std::uint32_t word) {
  for (int shift = 24; shift >= 0; shift -= 8) to.push_back(static_cast<std::uint8_t>(word >> shift));
}

inline std::uint32_t get32(const std::uint8_t* from) {
  return std::uint32_t{from[0]} << 24 | std::uint32_t{from[1]} << 16 | std::uint32_t{from[2]} << 8 | from[3];
}

}  // namespace perle
