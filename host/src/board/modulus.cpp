// SPDX-License-Identifier: Apache-2.0
#include "board/modulus.hpp"

#include <atomic>

namespace perle {
namespace {

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

void check_legal(const Shape& shape, const Bn& m, const std::string& what) {
  if (m.is_zero()) throw Error(PERLE_ERR_MODULUS_ZERO, what + " is zero");
  if (m.is_one()) throw Error(PERLE_ERR_MODULUS_ONE, what + " is one");
  if (!m.is_odd()) throw Error(PERLE_ERR_MODULUS_EVEN, what + " is even");
  if (m.bits() > shape.width)
    throw Error(PERLE_ERR_WIDTH, what + " has " + std::to_string(m.bits()) + " bits, the board takes " +
                                     std::to_string(shape.width));
}

}  // namespace

Modulus::Modulus(const Shape& shape, Bn m, const char* what)
    : id_(next_id()), shape_(shape), m_(std::move(m)) {
  check_legal(shape, m_, what);
  m_.secret();
  const Arithmetic math;
  Constants derived = family_of(shape.family_id).derive(shape, m_, math);
  bound_ = std::move(derived.bound);
  r_exp_ = derived.r_exp;

  Bn r_squared;
  check_crypto(BN_set_bit(r_squared.get(), static_cast<int>(2 * r_exp_)) == 1, "R^2");
  r2_ = math.mod(r_squared, m_).to_words(shape.word_bits, shape.line_words());
  constants_.push_back(m_.to_words(shape.word_bits, shape.line_words()));
  for (const Bn& value : derived.values)
    constants_.push_back(value.to_words(shape.word_bits, shape.line_words()));
}

}  // namespace perle
