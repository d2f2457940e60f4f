// SPDX-License-Identifier: Apache-2.0
//
// orup (id 1): quotient-simplified form, with parameters RadixBits and QuotientDelay.
#include "family/quotient_simplified.hpp"

namespace perle {
namespace {

constexpr std::uint32_t kSmallestRadix = 3, kLargestRadix = 18, kLargestDelay = 2;

bool in_range(long value, long least, long most) { return value >= least && value <= most; }

// RadixBits and QuotientDelay are not in any register: the board must report them. If it does not report the
// delay, there is none. If it does not report the radix, only one value may fit its widths (for 512 bits, 16
// and 17 have the same widths).
std::uint32_t read_parameter(const Shape& shape, const ParameterSource& source) {
  const long radix = source("RadixBits"), delay = source("QuotientDelay");
  const std::uint32_t d = delay < 0 ? 0 : static_cast<std::uint32_t>(delay);
  if (radix >= 0 || delay >= 0) {
    const std::string told = told_of("RadixBits", radix, "QuotientDelay", delay);
    const RadixAndDelay own(static_cast<std::uint32_t>(radix), d);
    const bool legal = d <= kLargestDelay && (radix < 0 || in_range(radix, kSmallestRadix, kLargestRadix));
    if (!legal || (radix >= 0 && !own.fits(shape)))
      throw Error(PERLE_ERR_BOARD_ID, told + " does not go with the board's widths");
    if (radix >= 0) return own.packed();
  }
  std::uint32_t found = 0;
  for (std::uint32_t k = kSmallestRadix; k <= kLargestRadix; ++k) {
    if (!RadixAndDelay(k, d).fits(shape)) continue;
    if (found != 0) throw Error(PERLE_ERR_BOARD_ID, "the board does not tell its RadixBits");
    found = RadixAndDelay(k, d).packed();
  }
  if (found == 0) throw Error(PERLE_ERR_BOARD_ID, "the board's widths are none of family orup");
  return found;
}

Constants derive(const Shape& shape, const Bn& m, const Arithmetic& math) {
  static_assert(kLargestRadix * (kLargestDelay + 1) < kBaseBits);
  return derive_quotient_simplified(shape, RadixAndDelay(shape.parameter).base_bits(), m, math);
}

// A product takes 2N cycles and a few more, a reduction (6 + 4d)·N and a few more, a carry chain at most 16.
std::uint64_t product_cycles_limit(const Shape& shape) {
  const RadixAndDelay own(shape.parameter);
  return (6 + 4 * std::uint64_t{own.d}) * (shape.operand_bits / own.k) + 64;
}

}  // namespace

const Family kOrup = {1, "orup", 3, read_parameter, derive, product_cycles_limit};

}  // namespace perle
