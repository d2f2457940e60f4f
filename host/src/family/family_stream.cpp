// SPDX-License-Identifier: Apache-2.0
//
// stream (id 9): k = RadixBits, f = Fold, N = max(3, ceil((Width + k + 2) / k)) digits, rounded up to a
// multiple of f because all passes have equally many; R = 2^(k·N) = 2^OperandBits. Quotient-simplified form
// without quotient delay.
#include <algorithm>

#include "family/quotient_simplified.hpp"

namespace perle {
namespace {

constexpr std::uint32_t kSmallestRadix = 3, kLargestRadix = 18, kMostPasses = 64, kFewestDigits = 3;

std::uint32_t ceil_div(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }

struct Parameter {
  std::uint32_t k, fold;

  explicit Parameter(std::uint32_t packed) : k(packed & 0xFFU), fold(packed >> 8) {}
  Parameter(std::uint32_t radix_bits, std::uint32_t passes) : k(radix_bits), fold(passes) {}
  std::uint32_t packed() const { return k | fold << 8; }

  bool fits(const Shape& shape) const {
    const std::uint32_t needed = std::max(ceil_div(shape.width + k + 2, k), kFewestDigits);
    return ceil_div(needed, fold) * fold * k == shape.operand_bits;
  }
};

bool in_range(long value, std::uint32_t least, std::uint32_t most) {
  return value >= static_cast<long>(least) && value <= static_cast<long>(most);
}

// RadixBits and Fold are not in any register: the board must report them. If it does not report Fold, it
// is 1. If it does not report the radix, only one value may fit its widths.
std::uint32_t read_parameter(const Shape& shape, const ParameterSource& source) {
  const long radix = source("RadixBits"), passes = source("Fold");
  const std::string told = told_of("RadixBits", radix, "Fold", passes);
  const bool legal = (radix < 0 || in_range(radix, kSmallestRadix, kLargestRadix)) &&
                     (passes < 0 || in_range(passes, 1, kMostPasses));
  const std::uint32_t fold = passes < 0 ? 1 : static_cast<std::uint32_t>(passes);
  std::uint32_t found = 0;
  for (std::uint32_t k = kSmallestRadix; legal && k <= kLargestRadix; ++k) {
    if ((radix >= 0 && k != static_cast<std::uint32_t>(radix)) || !Parameter(k, fold).fits(shape)) continue;
    if (found != 0) throw Error(PERLE_ERR_BOARD_ID, "the board does not tell its RadixBits");
    found = Parameter(k, fold).packed();
  }
  if (found == 0)
    throw Error(PERLE_ERR_BOARD_ID, told.empty() ? "the board's widths are none of family stream"
                                                 : told + " does not go with the board's widths");
  return found;
}

Constants derive(const Shape& shape, const Bn& m, const Arithmetic& math) {
  static_assert(kLargestRadix < kBaseBits);
  return derive_quotient_simplified(shape, Parameter(shape.parameter).k, m, math);
}

// Cycles from request to response, and as many again to wait for earlier responses; an engine takes less per
// product. All passes but the last take S turns of N + 1 cycles; the last one takes the time of its elements.
std::uint64_t product_cycles_limit(const Shape& shape) {
  constexpr std::uint32_t kElementCycles = 6, kTurnCycles = 17;
  const Parameter own(shape.parameter);
  const std::uint32_t digits = shape.operand_bits / own.k, elements = digits / own.fold;
  const std::uint32_t turns = ceil_div(kElementCycles * elements + kTurnCycles, digits + 1);
  const std::uint64_t passes = std::uint64_t{own.fold - 1} * turns * (digits + 1);
  return 2 * (passes + kElementCycles * elements + 2 * digits) + 64;
}

}  // namespace

const Family kStream = {9, "stream", 3, read_parameter, derive, product_cycles_limit};

}  // namespace perle
