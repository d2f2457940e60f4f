// SPDX-License-Identifier: Apache-2.0
#include "pam/pipelined_montgomery.hpp"

namespace perle {

void PipelinedMontgomery::square() {
  if (pending_) {
    board_.write_b(0);
    board_.write_s(0);
    board_.write_s(0);
    r_[0] = board_.read_p();
  }
  for (std::size_t i = 0; i < words_; ++i) {
    board_.write_a(r_[i]);
    board_.write_s(0);
    if (pending_ && i + 1 < words_) r_[i + 1] = board_.read_p();
  }
  t_.assign(2 * words_, 0);
  for (std::size_t i = 0; i < words_; ++i) {
    board_.write_b(r_[i]);
    board_.write_s(0);
    if (i > 0) t_[i - 1] = board_.read_p();
  }
  reduce();
}

void PipelinedMontgomery::multiply(const Words& x) {
  for (std::size_t i = 0; i < words_; ++i) {
    board_.write_a(x[i]);
    board_.write_s(0);
    if (pending_ && i > 0) r_[i - 1] = board_.read_p();
  }
  t_.assign(2 * words_, 0);
  for (std::size_t i = 0; i < words_; ++i) {
    board_.write_b(r_[i]);
    board_.write_s(0);
    if (i > 0)
      t_[i - 1] = board_.read_p();
    else if (pending_)
      r_[words_ - 1] = board_.read_p();
  }
  reduce();
}

void PipelinedMontgomery::reduce() {
  for (std::size_t i = 0; i < words_; ++i) {
    board_.write_a(m_prime_[i]);
    board_.write_s(0);
    t_[words_ + i - 1] = board_.read_p();
  }
  q_.assign(words_, 0);
  for (std::size_t i = 0; i < words_; ++i) {
    board_.write_b(t_[i]);
    board_.write_s(0);
    (i == 0 ? t_[2 * words_ - 1] : q_[i - 1]) = board_.read_p();
  }
  for (std::size_t i = 0; i < words_; ++i) {
    board_.write_a(m_[i]);
    board_.write_s(t_[i]);
    if (i == 0) q_[words_ - 1] = board_.read_p();
  }
  for (std::size_t i = 0; i < words_; ++i) {
    board_.write_b(q_[i]);
    board_.write_s(t_[words_ + i]);
  }
  pending_ = true;
}

Words PipelinedMontgomery::finish(bool carry) {
  Words result = r_;
  if (pending_) {
    result.assign(words_ + (carry ? 1 : 0), 0);
    board_.write_b(0);
    board_.write_s(0);
    for (std::uint64_t& word : result) {
      board_.write_s(0);
      word = board_.read_p();
    }
    pending_ = false;
  }
  return result;
}

}  // namespace perle
