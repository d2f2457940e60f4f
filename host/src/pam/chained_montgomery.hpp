// SPDX-License-Identifier: Apache-2.0
//
// Montgomery products on three bus multipliers (shand1990, section 3.2), one for each multiplication. The
// second and third keep −1/M and M as A for a whole exponentiation. The host moves words from board to board;
// its code is straight-line and consists of accesses to boards only. For numbers of L words, with r the
// result of the previous product:
//
//   4L + 2 accesses   r is read from the third board word by word, and becomes A of the first
//   7L + 1            y (r or the base) is written to the first; the lower words of t are read from it, and
//                     written to the second as digits and to the third as S; the words of q are read from the
//                     second
//   5L + 2            the upper words of t are read from the first, and written to the third as S, with q as
//                     digits; the upper half of t·(−1/M) is shifted out of the second without being read
//
// The lower words of the sum, which are zero, are not read.
#pragma once

#include "pam/bus_mul_board.hpp"

namespace perle {

class ChainedMontgomery {
 public:
  // Loads the constant operands: 4L + 2 accesses. The rows have to be empty.
  ChainedMontgomery(BusBoard& product, BusBoard& quotient, BusBoard& sum, const Words& m,
                    const Words& m_prime);

  void start(const Words& x);
  void square() { multiply(r_, true); }
  void multiply(const Words& x) { multiply(x, false); }
  // Returns the result; the rows are empty afterwards.
  Words finish();

 private:
  void multiply(const Words& y, bool square);
  void receive(bool pass_on);

  BusBoard &product_, &quotient_, &sum_;
  std::size_t words_;
  Words r_, t_, q_;
  bool pending_ = false;  // r is still in the third board
};

}  // namespace perle
