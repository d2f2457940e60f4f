// SPDX-License-Identifier: Apache-2.0
//
// Long integers for boards that multiply them: words of 32 bits, the lowest first.
#pragma once

#include "rsa/bn.hpp"

namespace perle {

using Digits = std::vector<std::uint32_t, ZeroizingAllocator<std::uint32_t>>;
using DigitView = std::span<const std::uint32_t>;

// Without leading zero words.
DigitView trimmed(DigitView a);
Digits digits_of(DigitView a);
Digits digits_of(ByteView big_endian);
Bytes bytes_of(DigitView a, std::size_t size);
// a < b; both may have leading zero words
bool below(DigitView a, DigitView b);
std::size_t bits_of(DigitView a);
// a·2^bits in exactly `words` words; what does not fit is lost
Digits shifted_up(DigitView a, unsigned bits, std::size_t words);
Digits shifted_down(DigitView a, unsigned bits);
// a += b or a −= b, of no more words than a; the carry or borrow that is left
std::uint32_t add_to(std::span<std::uint32_t> a, DigitView b);
std::uint32_t sub_from(std::span<std::uint32_t> a, DigitView b);
// Computed by libcrypto, where the modelled host would compute by itself.
Digits bn_product(DigitView a, DigitView b);
struct Division {
  Digits quotient, remainder;
};
Division bn_divide(DigitView a, DigitView b);
Digits bn_power(DigitView x, DigitView e, DigitView m);

// Residues modulo the prime 2^61 − 1, for checking results of boards.
class Residue {
 public:
  explicit Residue(DigitView a);
  static Residue power_of_two(std::size_t exponent);
  friend Residue operator*(Residue x, Residue y);
  friend Residue operator+(Residue x, Residue y);
  friend bool operator==(Residue x, Residue y) { return x.value_ == y.value_; }

 private:
  explicit Residue(std::uint64_t value) : value_(value) {}
  std::uint64_t value_;
};

}  // namespace perle
