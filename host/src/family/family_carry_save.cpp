// SPDX-License-Identifier: Apache-2.0
//
// carry_save (id 12): RadixBits and Cut, of the quotient-simplified form with QuotientDelay d = Cut + 1. Operands
// have Width + k·(d+1) + 1 bits, R = 2^(k·N), N = ceil((Width + k·(d+1) + 2) / k). Constants after M: mhat.
#include "family/quotient_simplified.hpp"

namespace perle {
namespace {

constexpr std::uint32_t kSmallestRadix = 2, kLargestRadix = 16, kLargestCut = 1;

bool in_range(long value, long least, long most) { return value >= least && value <= most; }

std::uint32_t operand_bits(const Shape& shape, const RadixAndDelay& own) {
  return shape.width + own.base_bits() + 1;
}

// No register has them, and 12·2 bits are 8·3: the board's build has to tell both.
std::uint32_t read_parameter(const Shape& shape, const ParameterSource& source) {
  const long radix = source("RadixBits"), cut = source("Cut");
  if (radix < 0 || cut < 0)
    throw Error(PERLE_ERR_BOARD_ID, "the board does not tell its RadixBits and Cut");
  if (in_range(radix, kSmallestRadix, kLargestRadix) && radix % 2 == 0 && cut <= kLargestCut) {
    const RadixAndDelay own(static_cast<std::uint32_t>(radix), static_cast<std::uint32_t>(cut) + 1);
    if (operand_bits(shape, own) == shape.operand_bits) return own.packed();
  }
  throw Error(PERLE_ERR_BOARD_ID,
              told_of("RadixBits", radix, "Cut", cut) + " does not go with the board's widths");
}

std::uint32_t digits(const Shape& shape, const RadixAndDelay& own) {
  return (operand_bits(shape, own) + own.k) / own.k;  // ceil((OperandBits + 1) / k)
}

Constants derive(const Shape& shape, const Bn& m, const Arithmetic& math) {
  static_assert(kLargestRadix * (kLargestCut + 2) < kBaseBits);
  const RadixAndDelay own(shape.parameter);
  Constants constants = derive_quotient_simplified(shape, own.base_bits(), m, math);
  constants.r_exp = own.k * digits(shape, own);
  constants.values.pop_back();  // the row needs no mprime
  return constants;
}

// A reduction: N + 1 digits of k + 4 + Cut cycles, and a few.
std::uint64_t product_cycles_limit(const Shape& shape) {
  const RadixAndDelay own(shape.parameter);
  return (std::uint64_t{digits(shape, own)} + 1) * (own.k + 3 + own.d) + 32;
}

}  // namespace

const Family kCarrySave = {12, "carry_save", 2, read_parameter, derive, product_cycles_limit};

}  // namespace perle
