// SPDX-License-Identifier: Apache-2.0
//
// Shared by the functions of the C ABI: checking inputs, writing results.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>

#include "rsa/bn.hpp"

namespace perle {

// Bytes of the longest number or message accepted; a greater length is taken for a mistake of the caller.
constexpr std::size_t kLongestInput = 1 << 16;

inline ByteView view(const std::uint8_t* data, std::size_t size) {
  check_argument(data != nullptr || size == 0, "null pointer");
  if (size > kLongestInput) throw Error(PERLE_ERR_BUFFER, "an input of " + std::to_string(size) + " bytes");
  return {data, size};
}

// Results are written at the end of a call, because they may overlap its inputs. A result that the call does
// not set is written as zero, so that stale memory cannot be taken for a result.

// A result that is a number, a handle or a structure. The caller's pointer may be null.
template <typename T>
class Result {
 public:
  explicit Result(T* to) : to_(to) {}
  ~Result() {
    if (to_ != nullptr) std::memcpy(to_, &value, sizeof value);
  }
  Result(const Result&) = delete;
  Result& operator=(const Result&) = delete;

  T value{};

 private:
  void* to_;
};

// A result in the caller's buffer, and its length; the rest of the buffer is filled with zeros.
class Output {
 public:
  Output(std::uint8_t* out, std::size_t size) : Output(nullptr, out, size) {}
  // The delegated constructor has completed the object: if this throws, it is destroyed and the buffer
  // zeroed.
  Output(std::uint8_t* out, std::size_t size, std::size_t* length) : Output(length, out, size) {
    check_argument(length != nullptr, "null pointer");
  }
  ~Output() {
    if (out_ != nullptr)
      std::fill(std::copy(result_.begin(), result_.end(), out_), out_ + size_, std::uint8_t{0});
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // True if the caller asks only for the size needed. Throws PERLE_ERR_BUFFER if the buffer is too small.
  bool only_asked(std::size_t needed) {
    if (out_ != nullptr && size_ < needed)
      throw Error(PERLE_ERR_BUFFER, "the result needs " + std::to_string(needed) + " bytes, the buffer has " +
                                        std::to_string(size_));
    if (out_ == nullptr) length_.value = needed;
    return out_ == nullptr;
  }
  // The buffer is large enough (only_asked was called before). The call must not fail after this.
  void put(Bytes result) noexcept {
    length_.value = result.size();
    result_ = std::move(result);
  }
  // The same for a text of `write(to, room)`, which writes at most `room` bytes and returns the size needed.
  template <typename Write>
  void put_text(Write write) {
    Bytes text(out_ == nullptr ? 0 : size_);
    const std::size_t needed = write(text.empty() ? nullptr : text.data(), text.size());
    if (only_asked(needed)) return;
    text.resize(needed);
    put(std::move(text));
  }
  // Zeroes the buffer and gives up its ownership: it is written later, by a poll.
  std::uint8_t* give_away() {
    if (out_ != nullptr) std::fill_n(out_, size_, std::uint8_t{0});
    return std::exchange(out_, nullptr);
  }

 private:
  Output(std::size_t* length, std::uint8_t* out, std::size_t size)
      : out_(out), size_(size), length_(length) {}

  std::uint8_t* out_;
  std::size_t size_;
  Result<std::size_t> length_;
  Bytes result_;
};

}  // namespace perle
