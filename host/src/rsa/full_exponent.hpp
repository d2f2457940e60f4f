// SPDX-License-Identifier: Apache-2.0
//
// c^d mod n on one bus multiplier, n as long as the board (shand1990, table 1, rows 2 and 3). There is no
// room for numbers beyond n: every Montgomery product ends, on the host, with a comparison and perhaps a
// subtraction, of HostCost::kWordAdd a word each, and its carry is read. d is the one below (p − 1)(q − 1).
//
// Left-to-right square-and-multiply: b + w − 2 products for b bits of d, w of them ones; two more convert, in
// and out. L words: 3·(7L + 2) + 2 accesses a product, HostCost::kLoop for each row of them, as in
// bus_bignum; or, where the three multiplications of a product overlap (straight, pipelined_montgomery.hpp),
// 17L + 4.
#pragma once

#include "pam/bus_mul_board.hpp"

namespace perle {

class FullExponent {
 public:
  // Throws PERLE_ERR_WIDTH.
  FullExponent(System& system, const Key& key, bool straight);
  Bn run(const Bn& block);

 private:
  Words product(const Words& x, const Words& y);
  Words below_n(const Words& r);

  System& system_;
  bool straight_;
  BusBoard board_;
  std::size_t words_;
  Bn n_, exponent_;
  Words m_, m_prime_, enter_, one_;
};

}  // namespace perle
