// SPDX-License-Identifier: Apache-2.0
//
// The quotient-simplified form that orup, stream, lowlat, tile and carry_save share: with k = RadixBits and d
// = QuotientDelay
//   mprime = −M^-1 mod 2^(k·(d+1))   Mt = mprime·M ≡ −1 (mod 2^(k·(d+1)))   mhat = (Mt + 1) / 2^(k·(d+1))
// Operands and products are in [0, 2·Mt). Constants after M: mhat, mprime.
#pragma once

#include "family/family.hpp"

namespace perle {

// RadixBits and QuotientDelay of orup, lowlat and carry_save, as stored in Shape::parameter.
struct RadixAndDelay {
  std::uint32_t k, d;

  explicit RadixAndDelay(std::uint32_t packed) : k(packed & 0xFFU), d(packed >> 8) {}
  RadixAndDelay(std::uint32_t radix_bits, std::uint32_t delay) : k(radix_bits), d(delay) {}
  std::uint32_t packed() const { return k | d << 8; }

  std::uint32_t base_bits() const { return k * (d + 1); }
  // N = ceil((Width + k·(d+1) + 2) / k) digits, R = 2^(k·N) = 2^OperandBits.
  bool fits(const Shape& shape) const {
    return (shape.width + base_bits() + 2 + k - 1) / k * k == shape.operand_bits;
  }
};

// Two parameters as reported by a board (−1: not reported), for a message: "RadixBits = 17, Fold = 2".
std::string told_of(const char* first, long value, const char* second, long other);

// Constants of m; base_bits = k·(d+1), below kBaseBits.
constexpr std::uint32_t kBaseBits = 256;
Constants derive_quotient_simplified(const Shape& shape, std::uint32_t base_bits, const Bn& m,
                                     const Arithmetic& math);

}  // namespace perle
