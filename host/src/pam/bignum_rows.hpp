// SPDX-License-Identifier: Apache-2.0
//
// What a board that multiplies long integers is to the arithmetic above it: rows of a schoolbook product.
#pragma once

#include <memory>

#include "pam/bignum_digits.hpp"
#include "pam/system.hpp"

namespace perle {

// P = S + A·B, A of few words and B of any number n. S is words [0, s) of `sum`, and P goes there: words
// [from, to) of it, the others are left alone. Operands are read, in their order, while the call lasts; P may
// come later (Rows::finish), but no row finds a word of an earlier one missing.
struct Row {
  DigitView a, b;
  std::uint32_t* sum;
  std::size_t s;
  // Words below `from` are zero, and only that is known of them.
  std::size_t from, to;
  // S + A·B may have a word more than A and B together: it is added at sum[a + n], and goes on from there.
  bool carry = false;
};

class Rows {
 public:
  virtual ~Rows() = default;
  // Words that A of a row may have.
  virtual std::size_t block() const = 0;
  virtual void row(const Row& row) = 0;
  // Until every word is in memory.
  virtual void finish() = 0;
  // After an error: nothing of what was begun goes to memory any more, and the next row clears the board.
  virtual void abandon() noexcept {}
};

// For what board 0 of a system is: a bus multiplier or a register multiplier. Throws PERLE_ERR_FAMILY.
std::unique_ptr<Rows> rows_of(System& system);

// The two kinds; empty if the board is none of them.
std::unique_ptr<Rows> bus_rows(System& system);
std::unique_ptr<Rows> register_rows(System& system);
// A parameter of board 0, −1 if it has none of that name.
long board_parameter(System& system, const char* name);

}  // namespace perle
