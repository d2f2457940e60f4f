// SPDX-License-Identifier: Apache-2.0
#include "pam/chained_montgomery.hpp"

namespace perle {

ChainedMontgomery::ChainedMontgomery(BusBoard& product, BusBoard& quotient, BusBoard& sum, const Words& m,
                                     const Words& m_prime)
    : product_(product), quotient_(quotient), sum_(sum), words_(m.size()), t_(2 * words_), q_(words_) {
  for (std::size_t i = 0; i < words_; ++i) {
    quotient_.write_a(m_prime[i]);
    quotient_.write_s(0);
    sum_.write_a(m[i]);
    sum_.write_s(0);
  }
  // Ends the A of both, even if no product follows. S is written to the third board before the first digit of
  // q.
  quotient_.write_b(0);
  sum_.write_b(0);
}

void ChainedMontgomery::start(const Words& x) {
  r_ = x;
  pending_ = false;
}

// Reads word i of r, and writes it to A of the first board if it is needed there.
void ChainedMontgomery::receive(bool pass_on) {
  if (pending_) {
    sum_.write_b(0);
    sum_.write_s(0);
  }
  for (std::size_t i = 0; i < words_; ++i) {
    if (pending_) {
      sum_.write_s(0);
      r_[i] = sum_.read_p();
    }
    if (pass_on) {
      product_.write_a(r_[i]);
      product_.write_s(0);
    }
  }
  pending_ = false;
}

void ChainedMontgomery::multiply(const Words& y, bool square) {
  receive(true);
  const Words& digits = square ? r_ : y;
  const auto low_word = [&](std::size_t i) {
    t_[i] = product_.read_p();
    quotient_.write_b(t_[i]);
    quotient_.write_s(0);
    if (i > 0) q_[i - 1] = quotient_.read_p();
    sum_.write_s(t_[i]);
  };
  for (std::size_t i = 0; i < words_; ++i) {
    product_.write_b(digits[i]);
    product_.write_s(0);
    if (i > 0) low_word(i - 1);
  }
  product_.write_b(0);
  product_.write_s(0);
  low_word(words_ - 1);
  quotient_.write_b(0);
  for (std::size_t i = 0; i < words_; ++i) {
    product_.write_s(0);
    t_[words_ + i] = product_.read_p();
    quotient_.write_s(0);
    if (i == 0) q_[words_ - 1] = quotient_.read_p();
    sum_.write_b(q_[i]);
    sum_.write_s(t_[words_ + i]);
  }
  pending_ = true;
}

Words ChainedMontgomery::finish() {
  receive(false);
  return r_;
}

}  // namespace perle
