// SPDX-License-Identifier: Apache-2.0
//
// c^d mod n on one bus multiplier, with n as long as the board (shand1990, table 1, rows 2 and 3). Numbers
// beyond n do not fit: every Montgomery product ends with a comparison, and possibly a subtraction, on the
// host, HostCost::kWordAdd per word, and the carry must be read. d is less than (p − 1)(q − 1).
//
// Left-to-right square-and-multiply: b + w − 2 products for b bits of d, w of them ones, and two more for the
// conversions in and out. For L words a product takes 3·(7L + 2) + 2 accesses, and HostCost::kLoop per row,
// as in bus_bignum; or 17L + 4 accesses if the three multiplications of a product overlap (straight,
// pipelined_montgomery.hpp).
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
