// SPDX-License-Identifier: Apache-2.0
#include "family/quotient_simplified.hpp"

#include <algorithm>

namespace perle {
namespace {

// The low kBaseBits of m are enough for every base.
__extension__ using Wide = unsigned __int128;
static_assert(sizeof(Wide) * 8 == kBaseBits);

// −m^-1 mod 2^bits by Newton's iteration: an odd number is its own inverse modulo 8, and every step doubles
// the correct bits.
Bn negative_inverse(const Bn& m, std::uint32_t bits) {
  const Words words = m.to_words(64, std::max(2U, (m.bits() + 63) / 64));
  const Wide low = Wide{words[1]} << 64 | words[0];
  Wide inverse = low;
  for (std::uint32_t good = 3; good < kBaseBits; good *= 2) inverse *= 2 - low * inverse;
  const Wide negative = (0 - inverse) & ((Wide{1} << bits) - 1);
  return Bn::from_words({static_cast<std::uint64_t>(negative), static_cast<std::uint64_t>(negative >> 64)},
                        64);
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
