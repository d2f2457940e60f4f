// SPDX-License-Identifier: Apache-2.0
//
// Montgomery products on one bus multiplier, without gaps (shand1990, figure 2): while A of a multiplication
// is written, the upper half of the previous product is read. Rows for numbers of L words, with r the result
// of the previous product; "-" is a word that leaves without being read:
//
//   rows   WriteA    WriteB   WriteS    ReadP
//   2                0        0         r_0 in the second          a squaring only, whose A waits for r
//   L      r_i, x_i           0         the rest of r
//   L                r_i      0         t_0 …
//   L      M'_i               0         … t_(2L−2)
//   L                t_i      0         t_(2L−1), q_0 …
//   L      M_i                t_i       q_(L−1), then -: the upper half of t·M'
//   L                q_i      t_(L+i)   -: zero
//
// A squaring takes 16L + 3 accesses, a multiplication by x 16L: its A is x, which is available at once.
#pragma once

#include "pam/bus_mul_board.hpp"

namespace perle {

class PipelinedMontgomery {
 public:
  // The board's row has to be empty.
  PipelinedMontgomery(BusBoard& board, const Words& m, const Words& m_prime)
      : board_(board), m_(m), m_prime_(m_prime), words_(m.size()) {}

  void start(const Words& x) {
    r_ = x;
    pending_ = false;
  }
  void square();
  void multiply(const Words& x);
  // Returns the result, with one word more if `carry`; the row is empty afterwards.
  Words finish(bool carry = false);

 private:
  void reduce();

  BusBoard& board_;
  const Words &m_, &m_prime_;
  std::size_t words_;
  Words r_, t_, q_;
  bool pending_ = false;  // r is still in the row: its words leave from the next step on
};

}  // namespace perle
