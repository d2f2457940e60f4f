// SPDX-License-Identifier: Apache-2.0
//
// x^e by windows of four bits, or single bits if e is short; and Montgomery reduction on a board, modulo odd
// m.
//
// β = 2^(32·n), 4m <= β: operands and results are below 2m. t = x·y is reduced in digits of a row's length l:
//
//   q_i = t·(−1/m) mod 2^(32·l), of which only the lower half is read       t ← (t + q_i·m)/2^(32·l)
//
// This takes n·n word products in addition to those of t, and l·l/2 per digit; words that become zero are not
// read.
#pragma once

#include "pam/bignum.hpp"

namespace perle {

struct PowerPlan {
  explicit PowerPlan(DigitView e);
  unsigned window;
  std::vector<unsigned, ZeroizingAllocator<unsigned>> digits;  // of e, the highest first
  unsigned table;                                              // the highest power that is needed
  std::size_t squarings, products;                             // including those of the table
};

// x^e by the given operations square(a) and multiply(a, b).
template <typename Square, typename Multiply>
Digits power(const PowerPlan& plan, const Digits& x, Square square, Multiply multiply) {
  std::vector<Digits> table = {x};
  while (table.size() < plan.table) table.push_back(multiply(table.back(), x));
  Digits acc = table[plan.digits.front() - 1];
  for (std::size_t i = 1; i < plan.digits.size(); ++i) {
    for (unsigned bit = 0; bit < plan.window; ++bit) acc = square(acc);
    if (plan.digits[i] != 0) acc = multiply(acc, table[plan.digits[i] - 1]);
  }
  return acc;
}

class Montgomery {
 public:
  // m odd and more than one. Needs a board.
  Montgomery(Bignum& on, DigitView m);
  Digits enter(DigitView x);
  Digits leave(Digits x);
  Digits square(const Digits& x) { return reduce(on_.square(x)); }
  Digits multiply(const Digits& x, const Digits& y) { return reduce(on_.product(x, y)); }
  // t/β modulo m, for t < β·m.
  Digits reduce(Digits t);
  // Estimated cost of one reduction for m of that many words, in instructions of the host.
  static std::uint64_t estimate(const Bignum& on, std::size_t words);

 private:
  Bignum& on_;
  std::size_t n_;
  Digits m_, minus_inverse_;
};

}  // namespace perle
