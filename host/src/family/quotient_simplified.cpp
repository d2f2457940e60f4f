// SPDX-License-Identifier: Apache-2.0
#include "family/quotient_simplified.hpp"

#include <algorithm>

namespace perle {
namespace {

// Words of a number below 2^kBaseBits, the low part of m: enough for every base.
constexpr std::size_t kWords = kBaseBits / 64;
__extension__ using Product = unsigned __int128;

// x·y mod 2^kBaseBits, in constant time.
Words low_product(const Words& x, const Words& y) {
  Words z(kWords);
  for (std::size_t i = 0; i < kWords; ++i) {
    Product carry = 0;
    for (std::size_t j = 0; i + j < kWords; ++j) {
      carry += Product{x[i]} * y[j] + z[i + j];
      z[i + j] = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
  }
  return z;
}

// addend − x mod 2^kBaseBits
Words minus(std::uint64_t addend, const Words& x) {
  Words z(kWords);
  Product sum = Product{addend} + 1;
  for (std::size_t i = 0; i < kWords; ++i) {
    sum += ~x[i];
    z[i] = static_cast<std::uint64_t>(sum);
    sum >>= 64;
  }
  return z;
}

// −m^-1 mod 2^bits by Newton's iteration: an odd number is its own inverse modulo 8, and every step doubles
// the correct bits.
Bn negative_inverse(const Bn& m, std::uint32_t bits) {
  Words low = m.to_words(64, std::max(kWords, (std::size_t{m.bits()} + 63) / 64));
  low.resize(kWords);
  Words inverse = low;
  for (std::uint32_t good = 3; good < kBaseBits; good *= 2)
    inverse = low_product(inverse, minus(2, low_product(low, inverse)));
  Words negative = minus(0, inverse);
  for (std::uint32_t i = 0; i < kWords; ++i)
    if (bits < 64 * (i + 1)) negative[i] &= bits > 64 * i ? (std::uint64_t{1} << (bits - 64 * i)) - 1 : 0;
  return Bn::from_words(negative, 64);
}

}  // namespace

std::string told_of(const char* first, long value, const char* second, long other) {
  const auto one = [](const char* name, long told) {
    return told >= 0 ? name + (" = " + std::to_string(told)) : std::string();
  };
  return one(first, value) + (value >= 0 && other >= 0 ? ", " : "") + one(second, other);
}

Constants derive_quotient_simplified(const Shape& shape, std::uint32_t base_bits, const Bn& m,
                                     const Arithmetic& math) {
  Bn mprime = negative_inverse(m, base_bits);
  const Bn mt = math.mul(m, mprime);
  Bn mhat = math.add(mt, Bn(1));
  check_crypto(BN_rshift(mhat.get(), mhat.get(), static_cast<int>(base_bits)) == 1, "mhat");

  Constants constants;
  constants.bound = math.add(mt, mt);
  constants.r_exp = shape.operand_bits;
  constants.values.push_back(std::move(mhat));
  constants.values.push_back(std::move(mprime));
  return constants;
}

}  // namespace perle
