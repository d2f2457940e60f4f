// SPDX-License-Identifier: Apache-2.0
//
// orup (id 1): k = RadixBits, N = ceil((Width + k + 2) / k) digits, R = 2^(k·N) = 2^OperandBits.
//   mprime = −M^-1 mod 2^k      Mt = mprime·M ≡ −1 (mod 2^k)      mhat = (Mt + 1) / 2^k
// Operands and products are in [0, 2·Mt). Constants after M: mhat, mprime.
#include "family.hpp"

namespace perle {
namespace {

constexpr std::uint32_t kSmallestRadix = 3, kLargestRadix = 18;

bool fits(const Shape& shape, std::uint32_t k) {
  return k >= kSmallestRadix && k <= kLargestRadix &&
         k * ((shape.width + 2 * k + 1) / k) == shape.operand_bits;
}

// RadixBits. No register has it. The widths leave several values open for some configurations (16 and 17 for
// 512 bits); then the board's build has to tell.
std::uint32_t read_parameter(const Shape& shape, const ParameterSource& source) {
  const long told = source("RadixBits");
  if (told >= 0) {
    const auto k = static_cast<std::uint32_t>(told);
    if (told <= kLargestRadix && fits(shape, k)) return k;
    throw Error(PERLE_ERR_BOARD_ID,
                "RadixBits = " + std::to_string(told) + " does not go with the board's widths");
  }
  std::uint32_t found = 0;
  for (std::uint32_t k = kSmallestRadix; k <= kLargestRadix; ++k) {
    if (!fits(shape, k)) continue;
    if (found != 0) throw Error(PERLE_ERR_BOARD_ID, "the board does not tell its RadixBits");
    found = k;
  }
  if (found == 0) throw Error(PERLE_ERR_BOARD_ID, "the board's widths are none of family orup");
  return found;
}

Constants derive(const Shape& shape, const Bn& m, const Arithmetic& math) {
  const unsigned k = shape.parameter;
  const std::uint64_t low = m.to_words(64, (m.bits() + 63) / 64).front();
  // Newton: an odd number is its own inverse modulo 8, and every step doubles the good bits.
  std::uint64_t inverse = low;
  for (int good = 3; good < 64; good *= 2) inverse *= 2 - low * inverse;
  const std::uint64_t mprime = (0 - inverse) & ((std::uint64_t{1} << k) - 1);

  const Bn mt = math.mul(m, Bn(mprime));
  Bn mhat = math.add(mt, Bn(1));
  check_crypto(BN_rshift(mhat.get(), mhat.get(), static_cast<int>(k)) == 1, "mhat");

  Constants constants;
  constants.bound = math.add(mt, mt);
  constants.r_exp = shape.operand_bits;
  constants.values.push_back(std::move(mhat));
  constants.values.emplace_back(mprime);
  return constants;
}

// A product takes 2N cycles and a few, a reduction 4N and a few; the carry chain at most 16.
std::uint64_t product_cycles_limit(const Shape& shape) {
  return 4 * (std::uint64_t{shape.operand_bits} / shape.parameter) + 64;
}

}  // namespace

const Family kOrup = {1, "orup", 3, read_parameter, derive, product_cycles_limit};

}  // namespace perle
