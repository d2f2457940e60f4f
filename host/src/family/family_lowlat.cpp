// SPDX-License-Identifier: Apache-2.0
//
// lowlat (id 10): k = RadixBits, d = QuotientDelay, N = ceil((Width + k·(d+1) + 2) / k) digits,
//   R = 2^(k·N) = 2^OperandBits
//   mprime = −M^-1 mod 2^(k·(d+1))   Mt = mprime·M ≡ −1 (mod 2^(k·(d+1)))   mhat = (Mt + 1) / 2^(k·(d+1))
// Operands and products are in [0, 2·Mt). Constants after M: mhat, mprime.
#include <algorithm>

#include "family/family.hpp"

namespace perle {
namespace {

constexpr std::uint32_t kSmallestRadix = 3, kLargestRadix = 18, kLeastDelay = 3, kLargestDelay = 5;

struct Parameter {
  std::uint32_t k, d;

  explicit Parameter(std::uint32_t packed) : k(packed & 0xFFU), d(packed >> 8) {}
  Parameter(std::uint32_t radix_bits, std::uint32_t delay) : k(radix_bits), d(delay) {}
  std::uint32_t packed() const { return k | d << 8; }

  std::uint32_t base_bits() const { return k * (d + 1); }
  bool fits(const Shape& shape) const {
    return (shape.width + base_bits() + 2 + k - 1) / k * k == shape.operand_bits;
  }
};

bool agrees(long told, std::uint32_t value) { return told < 0 || told == static_cast<long>(value); }

// RadixBits and QuotientDelay. No register has them: the board's build tells, or the widths leave one pair
// only.
std::uint32_t read_parameter(const Shape& shape, const ParameterSource& source) {
  const long radix = source("RadixBits"), delay = source("QuotientDelay");
  const std::string told = (radix >= 0 ? "RadixBits = " + std::to_string(radix) : "") +
                           (radix >= 0 && delay >= 0 ? ", " : "") +
                           (delay >= 0 ? "QuotientDelay = " + std::to_string(delay) : "");
  std::uint32_t found = 0;
  for (std::uint32_t k = kSmallestRadix; k <= kLargestRadix; ++k)
    for (std::uint32_t d = kLeastDelay; d <= kLargestDelay; ++d) {
      const Parameter own(k, d);
      if (!agrees(radix, k) || !agrees(delay, d) || !own.fits(shape)) continue;
      if (found != 0)
        throw Error(PERLE_ERR_BOARD_ID, "the board does not tell its RadixBits and QuotientDelay");
      found = own.packed();
    }
  if (found == 0)
    throw Error(PERLE_ERR_BOARD_ID, told.empty() ? "the board's widths are none of family lowlat"
                                                 : told + " does not go with the board's widths");
  return found;
}

// The low 128 bits of m are enough for every base.
__extension__ using Wide = unsigned __int128;
constexpr std::uint32_t kWideBits = 128;
static_assert(kLargestRadix * (kLargestDelay + 1) < kWideBits);

// −m^-1 mod 2^bits. Newton: an odd number is its own inverse modulo 8, and every step doubles the good bits.
Bn negative_inverse(const Bn& m, std::uint32_t bits) {
  const Words words = m.to_words(64, std::max(2U, (m.bits() + 63) / 64));
  const Wide low = Wide{words[1]} << 64 | words[0];
  Wide inverse = low;
  for (std::uint32_t good = 3; good < kWideBits; good *= 2) inverse *= 2 - low * inverse;
  const Wide negative = (0 - inverse) & ((Wide{1} << bits) - 1);
  return Bn::from_words({static_cast<std::uint64_t>(negative), static_cast<std::uint64_t>(negative >> 64)},
                        64);
}

Constants derive(const Shape& shape, const Bn& m, const Arithmetic& math) {
  const std::uint32_t bits = Parameter(shape.parameter).base_bits();
  Bn mprime = negative_inverse(m, bits);

  const Bn mt = math.mul(m, mprime);
  Bn mhat = math.add(mt, Bn(1));
  check_crypto(BN_rshift(mhat.get(), mhat.get(), static_cast<int>(bits)) == 1, "mhat");

  Constants constants;
  constants.bound = math.add(mt, mt);
  constants.r_exp = shape.operand_bits;
  constants.values.push_back(std::move(mhat));
  constants.values.push_back(std::move(mprime));
  return constants;
}

// A product takes N + d + 8 cycles, a reduction 7·(N + d) + 14.
std::uint64_t product_cycles_limit(const Shape& shape) {
  const Parameter own(shape.parameter);
  return 8 * (std::uint64_t{shape.operand_bits / own.k} + own.d) + 64;
}

}  // namespace

const Family kLowlat = {10, "lowlat", 3, read_parameter, derive, product_cycles_limit};

}  // namespace perle
