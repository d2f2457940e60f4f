// SPDX-License-Identifier: Apache-2.0
//
// Montgomery's products on three bus multipliers (shand1990, section 3.2): one for each multiplication. The
// second and third keep −1/M and M as A for a whole exponentiation. The host carries words from board to
// board, and every access of its straight-line code is to a board. For numbers of L words, r the result of
// the product before:
//
//   4L + 2 accesses   r leaves the third board, word by word, and becomes A of the first
//   7L + 1            y, r or the base, goes into the first; t's lower words leave it and go into the second
//                     as digits and into the third as S; q's words leave the second
//   5L + 2            t's upper words leave the first, and go into the third as S, with q as digits; what is
//                     left in the second, the upper half of t·(−1/M), moves out unread
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
  // The result; the rows are empty afterwards.
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
