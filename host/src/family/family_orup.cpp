// SPDX-License-Identifier: Apache-2.0
//
// orup (id 1): k = RadixBits, d = QuotientDelay, N = ceil((Width + k·(d+1) + 2) / k) digits,
//   R = 2^(k·N) = 2^OperandBits
//   mprime = −M^-1 mod 2^(k·(d+1))   Mt = mprime·M ≡ −1 (mod 2^(k·(d+1)))   mhat = (Mt + 1) / 2^(k·(d+1))
// Operands and products are in [0, 2·Mt). Constants after M: mhat, mprime.
#include "family/family.hpp"

namespace perle {
namespace {

constexpr std::uint32_t kSmallestRadix = 3, kLargestRadix = 18, kLargestDelay = 2;

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

bool in_range(long value, long least, long most) { return value >= least && value <= most; }

// RadixBits and QuotientDelay. No register has them: the board's build has to tell. One that does not tell
// the delay has none; one that does not tell the radix may have widths that leave one value only (16 and 17
// have the same for 512 bits).
std::uint32_t read_parameter(const Shape& shape, const ParameterSource& source) {
  const long radix = source("RadixBits"), delay = source("QuotientDelay");
  const std::uint32_t d = delay < 0 ? 0 : static_cast<std::uint32_t>(delay);
  if (radix >= 0 || delay >= 0) {
    const std::string told = (radix >= 0 ? "RadixBits = " + std::to_string(radix) : "") +
                             (radix >= 0 && delay >= 0 ? ", " : "") +
                             (delay >= 0 ? "QuotientDelay = " + std::to_string(delay) : "");
    const Parameter own(static_cast<std::uint32_t>(radix), d);
    const bool legal = d <= kLargestDelay && (radix < 0 || in_range(radix, kSmallestRadix, kLargestRadix));
    if (!legal || (radix >= 0 && !own.fits(shape)))
      throw Error(PERLE_ERR_BOARD_ID, told + " does not go with the board's widths");
    if (radix >= 0) return own.packed();
  }
  std::uint32_t found = 0;
  for (std::uint32_t k = kSmallestRadix; k <= kLargestRadix; ++k) {
    if (!Parameter(k, d).fits(shape)) continue;
    if (found != 0) throw Error(PERLE_ERR_BOARD_ID, "the board does not tell its RadixBits");
    found = Parameter(k, d).packed();
  }
  if (found == 0) throw Error(PERLE_ERR_BOARD_ID, "the board's widths are none of family orup");
  return found;
}

Constants derive(const Shape& shape, const Bn& m, const Arithmetic& math) {
  const unsigned bits = Parameter(shape.parameter).base_bits();
  static_assert(kLargestRadix * (kLargestDelay + 1) < 64);
  const std::uint64_t low = m.to_words(64, (m.bits() + 63) / 64).front();
  // Newton: an odd number is its own inverse modulo 8, and every step doubles the good bits.
  std::uint64_t inverse = low;
  for (int good = 3; good < 64; good *= 2) inverse *= 2 - low * inverse;
  const std::uint64_t mprime = (0 - inverse) & ((std::uint64_t{1} << bits) - 1);

  const Bn mt = math.mul(m, Bn(mprime));
  Bn mhat = math.add(mt, Bn(1));
  check_crypto(BN_rshift(mhat.get(), mhat.get(), static_cast<int>(bits)) == 1, "mhat");

  Constants constants;
  constants.bound = math.add(mt, mt);
  constants.r_exp = shape.operand_bits;
  constants.values.push_back(std::move(mhat));
  constants.values.emplace_back(mprime);
  return constants;
}

// A product takes 2N cycles and a few, a reduction (6 + 4d)·N and a few; the carry chain at most 16.
std::uint64_t product_cycles_limit(const Shape& shape) {
  const Parameter own(shape.parameter);
  return (6 + 4 * std::uint64_t{own.d}) * (shape.operand_bits / own.k) + 64;
}

}  // namespace

const Family kOrup = {1, "orup", 3, read_parameter, derive, product_cycles_limit};

}  // namespace perle
