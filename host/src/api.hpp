// SPDX-License-Identifier: Apache-2.0
//
// What the functions of the C ABI share.
#pragma once

#include <algorithm>

#include "bn.hpp"

struct perle_cost;

namespace perle {

// Longest number or message taken in; beyond it a length is a mistake.
constexpr std::size_t kLongestInput = 1 << 16;

inline ByteView view(const std::uint8_t* data, std::size_t size) {
  check_argument(data != nullptr || size == 0, "null pointer");
  if (size > kLongestInput) throw Error(PERLE_ERR_BUFFER, "an input of " + std::to_string(size) + " bytes");
  return {data, size};
}

// The caller's output buffer. Until put() it is all zero, so that nothing stale can pass for a result.
class Output {
 public:
  Output(std::uint8_t* out, std::size_t size, std::size_t* length) : out_(out), size_(size), length_(length) {
    check_argument(length != nullptr, "null pointer");
    *length = 0;
    if (out != nullptr) std::fill_n(out, size, std::uint8_t{0});
  }
  // True if the caller only asks for the room needed.
  bool only_asked(std::size_t needed) {
    if (out_ != nullptr && size_ < needed)
      throw Error(PERLE_ERR_BUFFER, "the result needs " + std::to_string(needed) + " bytes, the buffer has " +
                                        std::to_string(size_));
    if (out_ == nullptr) *length_ = needed;
    return out_ == nullptr;
  }
  void put(const Bytes& result) {
    std::copy(result.begin(), result.end(), out_);
    *length_ = result.size();
  }

 private:
  std::uint8_t* out_;
  std::size_t size_;
  std::size_t* length_;
};

}  // namespace perle
