// SPDX-License-Identifier: Apache-2.0
//
// karatsuba (id 5): R = 2^OperandBits, one constant after M, as wide as R: mprime = −M^-1 mod R.
//   without step 4  OperandBits = Width + 2   operands and products are in [0, 2·M)
//   with step 4     OperandBits = Width       operands and products are in [0, M)
#include "family/family.hpp"

namespace perle {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint32_t kWithoutStep4 = 0, kWithStep4 = 1;

// The widths show whether there is a step 4.
std::uint32_t read_parameter(const Shape& shape, const ParameterSource&) {
  if (shape.operand_bits == shape.width + 2) return kWithoutStep4;
  if (shape.operand_bits == shape.width) return kWithStep4;
  throw Error(PERLE_ERR_BOARD_ID, "the board's widths are none of family karatsuba");
}

// −m^-1 mod 2^(64·count), a word at a time: q with 1 + q·m ≡ 0, and t = (1 + q·m)/2^(64·i) after i words.
Words negative_inverse(const Words& m) {
  const std::size_t count = m.size();
  // Newton's iteration: an odd number is its own inverse modulo 8, and every step doubles the correct bits.
  std::uint64_t inverse = m[0];
  for (int good = 3; good < 64; good *= 2) inverse *= 2 - m[0] * inverse;
  Words q(count), t(count);
  t[0] = 1;
  for (std::size_t i = 0; i < count; ++i) {
    q[i] = 0 - t[0] * inverse;
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < count; ++j) {
      const Wide sum = Wide{q[i]} * m[j] + t[j] + carry;
      carry = static_cast<std::uint64_t>(sum >> 64);
      if (j > 0) t[j - 1] = static_cast<std::uint64_t>(sum);
    }
    t[count - 1] = 0;  // the next word is above 2^(64·count)
  }
  return q;
}

Constants derive(const Shape& shape, const Bn& m, const Arithmetic& math) {
  const std::uint32_t bits = shape.operand_bits;
  Words mprime = negative_inverse(m.to_words(64, (bits + 63) / 64));
  if (bits % 64 != 0) mprime.back() &= (std::uint64_t{1} << bits % 64) - 1;

  Constants constants;
  constants.bound = (shape.parameter == kWithStep4) ? m : math.add(m, m);
  constants.r_exp = bits;
  constants.values.push_back(Bn::from_words(mprime, 64));
  return constants;
}

// Three multiplications of at most 4·OperandBits cycles (limbs of one bit), each with a few more for each of
// at most 12 layers; then three additions of OperandBits bits.
std::uint64_t product_cycles_limit(const Shape& shape) {
  return 15 * std::uint64_t{shape.operand_bits} + 256;
}

}  // namespace

const Family kKaratsuba = {5, "karatsuba", 2, read_parameter, derive, product_cycles_limit};

}  // namespace perle
