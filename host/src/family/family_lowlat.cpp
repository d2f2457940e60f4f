// SPDX-License-Identifier: Apache-2.0
//
// lowlat (id 10): quotient-simplified form, with parameters RadixBits and QuotientDelay.
#include "family/quotient_simplified.hpp"

namespace perle {
namespace {

constexpr std::uint32_t kSmallestRadix = 3, kLargestRadix = 36, kLeastDelay = 3, kLargestDelay = 5;

bool agrees(long told, std::uint32_t value) { return told < 0 || told == static_cast<long>(value); }

// RadixBits and QuotientDelay are not in any register: the board must report them, unless only one pair fits
// its widths.
std::uint32_t read_parameter(const Shape& shape, const ParameterSource& source) {
  const long radix = source("RadixBits"), delay = source("QuotientDelay");
  const std::string told = told_of("RadixBits", radix, "QuotientDelay", delay);
  std::uint32_t found = 0;
  for (std::uint32_t k = kSmallestRadix; k <= kLargestRadix; ++k)
    for (std::uint32_t d = kLeastDelay; d <= kLargestDelay; ++d) {
      const RadixAndDelay own(k, d);
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

Constants derive(const Shape& shape, const Bn& m, const Arithmetic& math) {
  static_assert(kLargestRadix * (kLargestDelay + 1) < kBaseBits);
  return derive_quotient_simplified(shape, RadixAndDelay(shape.parameter).base_bits(), m, math);
}

// A product takes up to N + d + 9 cycles, a reduction up to 9·(N + d) + 15.
std::uint64_t product_cycles_limit(const Shape& shape) {
  const RadixAndDelay own(shape.parameter);
  return 10 * (std::uint64_t{shape.operand_bits / own.k} + own.d) + 64;
}

}  // namespace

const Family kLowlat = {10, "lowlat", 3, read_parameter, derive, product_cycles_limit};

}  // namespace perle
