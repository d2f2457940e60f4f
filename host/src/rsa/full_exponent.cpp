// SPDX-License-Identifier: Apache-2.0
#include "rsa/full_exponent.hpp"

#include <string>

#include "pam/pipelined_montgomery.hpp"

namespace perle {

FullExponent::FullExponent(System& system, const Key& key, bool straight)
    : system_(system), straight_(straight), board_(system, 0), n_(key.n()) {
  const BusShape shape = bus_shape(system);
  words_ = shape.length((n_.bits() + kDigitBits - 1) / kDigitBits);
  if (words_ == 0)
    throw Error(PERLE_ERR_WIDTH, "the modulus has " + std::to_string(n_.bits()) +
                                     " bits, a bus multiplier of " + std::to_string(shape.words) +
                                     " words takes " + std::to_string(kDigitBits * shape.words));
  const Arithmetic math;
  const std::size_t beta = kDigitBits * words_;
  const Bn order = math.mul(math.sub(key.p(), Bn(1)), math.sub(key.q(), Bn(1))).secret();
  check_crypto(math.inverse(key.e(), order, exponent_), "private exponent");
  m_ = n_.to_words(kDigitBits, words_);
  m_prime_ = minus_inverse(n_, beta).to_words(kDigitBits, words_);
  enter_ = math.mod(power_of_two(2 * beta), n_).to_words(kDigitBits, words_);
  one_ = Bn(1).to_words(kDigitBits, words_);
  board_.clear(shape.words);
}

// r mod n, for r < 2n with one word more than n.
Words FullExponent::below_n(const Words& r) {
  return below(system_, Bn::from_words(r, kDigitBits), n_).to_words(kDigitBits, words_);
}

Words FullExponent::product(const Words& x, const Words& y) {
  if (straight_) {
    PipelinedMontgomery one(board_, m_, m_prime_);
    one.start(y);
    one.multiply(x);
    return below_n(one.finish(true));
  }
  system_.compute(HostCost::kLoop);
  const Wanted all = {0, 2 * words_};
  const auto half = static_cast<std::ptrdiff_t>(words_);
  const Words t = board_.multiply(x, y, {}, all, true);
  const Words q = board_.multiply(m_prime_, Words(t.begin(), t.begin() + half), {}, all, true);
  const Words sum = board_.multiply(m_, Words(q.begin(), q.begin() + half), t, {0, 2 * words_ + 1}, true);
  return below_n(Words(sum.begin() + half, sum.end()));
}

Bn FullExponent::run(const Bn& block) {
  const Words x = product(block.to_words(kDigitBits, words_), enter_);
  Words acc = x;
  for (int bit = static_cast<int>(exponent_.bits()) - 2; bit >= 0; --bit) {
    acc = product(acc, acc);
    if (BN_is_bit_set(exponent_.get(), bit) == 1) acc = product(acc, x);
  }
  return Bn::from_words(product(acc, one_), kDigitBits);
}

}  // namespace perle
