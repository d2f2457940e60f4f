// SPDX-License-Identifier: Apache-2.0
//
// What the functions of the C ABI share.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>

#include "rsa/bn.hpp"

namespace perle {

// Longest number or message taken in; beyond it a length is a mistake.
constexpr std::size_t kLongestInput = 1 << 16;

inline ByteView view(const std::uint8_t* data, std::size_t size) {
  check_argument(data != nullptr || size == 0, "null pointer");
  if (size > kLongestInput) throw Error(PERLE_ERR_BUFFER, "an input of " + std::to_string(size) + " bytes");
  return {data, size};
}

// What a call gives back is written when it has ended, and not before: inputs may lie there. It is zero
// unless the call sets it, so that nothing stale can pass for a result.

// A number, a handle or a structure. May be null.
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

// The caller's buffer, all of it, and where the length of what is in it goes.
class Output {
 public:
  Output(std::uint8_t* out, std::size_t size) : Output(nullptr, out, size) {}
  // The target of the delegation has made the object: it is destroyed, and the buffer zero, if this throws.
  Output(std::uint8_t* out, std::size_t size, std::size_t* length) : Output(length, out, size) {
    check_argument(length != nullptr, "null pointer");
  }
  ~Output() {
    if (out_ != nullptr)
      std::fill(std::copy(result_.begin(), result_.end(), out_), out_ + size_, std::uint8_t{0});
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // True if the caller only asks for the room needed.
  bool only_asked(std::size_t needed) {
    if (out_ != nullptr && size_ < needed)
      throw Error(PERLE_ERR_BUFFER, "the result needs " + std::to_string(needed) + " bytes, the buffer has " +
                                        std::to_string(size_));
    if (out_ == nullptr) length_.value = needed;
    return out_ == nullptr;
  }
  // There is room for it: see above. Nothing that can fail comes after it.
  void put(Bytes result) noexcept {
    length_.value = result.size();
    result_ = std::move(result);
  }
  // The same for a text by `write(to, room)`, which returns its length and writes no more than there is room
  // for.
  template <typename Write>
  void put_text(Write write) {
    Bytes text(out_ == nullptr ? 0 : size_);
    const std::size_t needed = write(text.empty() ? nullptr : text.data(), text.size());
    if (only_asked(needed)) return;
    text.resize(needed);
    put(std::move(text));
  }
  // The buffer, all zero: what comes there later is not this call's.
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
