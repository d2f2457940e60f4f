// SPDX-License-Identifier: Apache-2.0
//
// Repeated division by the same number, which is prepared once. The quotient is computed in digits of k
// words, one word less than a row of the board.
//
// The divisor is shifted so that its highest bit is one: d of n words. h = k + 1, β = 2^32, D the h highest
// words of d, v = ⌊β^2h/D⌋, less 4 if D is not all of d: β^2h/D is too large by less than that. For a
// remainder u < d·β^k, of which U are the h highest of n + k words, the digit is q = ⌊U·v/β^(h+1)⌋: never too
// large, and too small by at most one, as every neglected part is below β^−h of the whole. The board computes
// the next remainder u + q·(β^(n+1) − d) modulo β^(n+1). v is computed by Newton's iteration from two words
// of the host's own division; every step is corrected to the exact value.
#pragma once

#include "pam/bignum.hpp"

namespace perle {

class Divisor {
 public:
  // For numbers of up to `dividend` words. Needs a board.
  Divisor(Bignum& on, DigitView b, std::size_t dividend);
  Division divide(DigitView a);
  // Estimated cost of preparing and dividing, in instructions of the host.
  static std::uint64_t estimate(const Bignum& on, std::size_t a, std::size_t b);

 private:
  struct Plan {
    std::size_t digits, words;  // digits of the quotient, words of each digit
  };
  static Plan plan(std::size_t block, std::size_t quotient);
  Digits reciprocal(DigitView d);
  Digits digit(DigitView top);
  void subtract(Digits& q, std::span<std::uint32_t> u);

  Bignum& on_;
  Digits b_;
  unsigned shift_;
  Plan plan_;
  Digits d_, complement_, reciprocal_;
};

}  // namespace perle
