// SPDX-License-Identifier: Apache-2.0
//
// stream (id 9): k = RadixBits, N = max(3, ceil((Width + k + 2) / k)) digits, R = 2^(k·N) = 2^OperandBits.
// Range and constants are those of orup without quotient delay: operands and products in [0, 2·Mt), after M
// mhat and mprime.
#include <algorithm>

#include "family.hpp"

namespace perle {
namespace {

constexpr std::uint32_t kSmallestRadix = 3, kLargestRadix = 18, kFewestDigits = 3;

bool fits(const Shape& shape, std::uint32_t k) {
  return std::max((shape.width + k + 2 + k - 1) / k, kFewestDigits) * k == shape.operand_bits;
}

// RadixBits. No register has it: the board's build tells, or the widths leave one value only.
std::uint32_t read_parameter(const Shape& shape, const ParameterSource& source) {
  const long told = source("RadixBits");
  if (told >= 0) {
    if (told < kSmallestRadix || told > kLargestRadix || !fits(shape, static_cast<std::uint32_t>(told)))
      throw Error(PERLE_ERR_BOARD_ID,
                  "RadixBits = " + std::to_string(told) + " does not go with the board's widths");
    return static_cast<std::uint32_t>(told);
  }
  std::uint32_t found = 0;
  for (std::uint32_t k = kSmallestRadix; k <= kLargestRadix; ++k) {
    if (!fits(shape, k)) continue;
    if (found != 0) throw Error(PERLE_ERR_BOARD_ID, "the board does not tell its RadixBits");
    found = k;
  }
  if (found == 0) throw Error(PERLE_ERR_BOARD_ID, "the board's widths are none of family stream");
  return found;
}

// A Shape::parameter of RadixBits alone means the same to orup: no delay.
Constants derive(const Shape& shape, const Bn& m, const Arithmetic& math) {
  return kOrup.derive(shape, m, math);
}

// 8N cycles and a few from request to response, and as long again for the responses of those before it.
std::uint64_t product_cycles_limit(const Shape& shape) {
  return 16 * std::uint64_t{shape.operand_bits / shape.parameter} + 64;
}

}  // namespace

const Family kStream = {9, "stream", 3, read_parameter, derive, product_cycles_limit};

}  // namespace perle
