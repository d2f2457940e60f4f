// SPDX-License-Identifier: Apache-2.0
//
// scalable (id 4): v = bits of a digit (1 for radix 2, else 2), w = WordWidth, p = Elements. Range and time
// of an operation depend on n, the number of bits of M:
//   n2 = n + 2v + 2      f = ceil(n2 / v)      R = 2^(v·(p·ceil(f / p) − 1))
//   Mt ≡ −1 (mod 2^v): M for radix 2, M or 3M for radix 4, M or −M for Booth      mhat = (Mt + 1) / 2^v
// OperandBits is n2 for n = Width, rounded up to whole words. Operands and products are in [0, 2·|Mt|).
// Constants after M: mhat (modulo 2^OperandBits), bits = n.
#include <algorithm>

#include "family/family.hpp"

namespace perle {
namespace {

constexpr std::uint32_t kRadix2 = 0, kRadix4 = 1, kBooth = 2;

struct Parameter {
  std::uint32_t kind, word, elements;

  explicit Parameter(std::uint32_t packed)
      : kind(packed & 3U), word(packed >> 2 & 0xFFU), elements(packed >> 10) {}
  Parameter(std::uint32_t k, std::uint32_t w, std::uint32_t p) : kind(k), word(w), elements(p) {}
  std::uint32_t packed() const { return kind | word << 2 | elements << 10; }

  std::uint32_t radix_bits() const { return kind == kRadix2 ? 1 : 2; }
  std::uint32_t extended(std::uint32_t n) const { return n + 2 * radix_bits() + 2; }
  std::uint32_t words(std::uint32_t n) const { return (extended(n) + word - 1) / word; }
  std::uint32_t passes(std::uint32_t n) const {
    const std::uint32_t digits = (extended(n) + radix_bits() - 1) / radix_bits();
    return (digits + elements - 1) / elements;
  }
  std::uint32_t turn() const { return elements + (radix_bits() * elements + word - 1) / word + 1; }
};

bool in_range(long value, long least, long most) { return value >= least && value <= most; }

// These parameters are not in any register: the board must report them.
std::uint32_t read_parameter(const Shape& shape, const ParameterSource& source) {
  const long kind = source("Kind"), word = source("WordWidth"), elements = source("Elements");
  if (kind < 0 || word < 0 || elements < 0)
    throw Error(PERLE_ERR_BOARD_ID, "the board does not tell its Kind, WordWidth and Elements");
  if (in_range(kind, kRadix2, kBooth) && in_range(word, 4, 64) && in_range(elements, 1, 256)) {
    const Parameter own(static_cast<std::uint32_t>(kind), static_cast<std::uint32_t>(word),
                        static_cast<std::uint32_t>(elements));
    if (own.words(shape.width) * own.word == shape.operand_bits) return own.packed();
  }
  throw Error(PERLE_ERR_BOARD_ID, "Kind = " + std::to_string(kind) + ", WordWidth = " + std::to_string(word) +
                                      ", Elements = " + std::to_string(elements) +
                                      " do not go with the board's widths");
}

// Booth: (M + 1)/4 if M ≡ 3 (mod 4), and (1 − M)/4 if M ≡ 1, modulo 2^bits. Both are ⌊M/4⌋ + 1, where ⌊M/4⌋
// is complemented in the second case. No branch depends on M.
Bn booth_mhat(const Bn& m, std::uint32_t bits) {
  Words words = m.to_words(64, (bits + 63) / 64);
  const std::uint64_t complement = (words[0] >> 1 & 1U) - 1;
  std::uint64_t carry = 1;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint64_t above = i + 1 < words.size() ? words[i + 1] << 62 : 0;
    words[i] = ((words[i] >> 2 | above) ^ complement) + carry;
    carry &= static_cast<std::uint64_t>(words[i] == 0);
  }
  if (bits % 64 != 0) words.back() &= (std::uint64_t{1} << bits % 64) - 1;
  return Bn::from_words(words, 64);
}

Constants derive(const Shape& shape, const Bn& m, const Arithmetic& math) {
  const Parameter own(shape.parameter);
  const std::uint32_t n = m.bits(), v = own.radix_bits();
  const std::uint64_t low = m.to_words(64, (n + 63) / 64).front();
  const std::uint64_t multiple = own.kind == kRadix4 ? 4 - (low & 3U) : 1;
  const Bn mt = math.mul(m, Bn(multiple));

  Constants constants;
  if (own.kind == kBooth) {
    constants.values.push_back(booth_mhat(m, shape.operand_bits));
  } else {
    Bn mhat = math.add(mt, Bn(1));
    check_crypto(BN_rshift(mhat.get(), mhat.get(), static_cast<int>(v)) == 1, "mhat");
    constants.values.push_back(std::move(mhat));
  }
  constants.values.emplace_back(std::uint64_t{n});
  constants.bound = math.add(mt, mt);
  constants.r_exp = v * (own.elements * own.passes(n) - 1);
  return constants;
}

// The time of a reduction at full width, the longest operation.
std::uint64_t product_cycles_limit(const Shape& shape) {
  const Parameter own(shape.parameter);
  const std::uint64_t words = own.words(shape.width);
  return 2 + own.passes(shape.width) * std::max<std::uint64_t>(words + 1, own.turn()) + 3 * (words + 4);
}

}  // namespace

const Family kScalable = {4, "scalable", 3, read_parameter, derive, product_cycles_limit};

}  // namespace perle
