// SPDX-License-Identifier: Apache-2.0
//
// Interface to boards that multiply long integers: rows of a schoolbook product.
#pragma once

#include <memory>

#include "pam/bignum_digits.hpp"
#include "pam/system.hpp"

namespace perle {

// P = S + A·B, where A has at most block() words and B any number n. S is words [0, s) of `sum`; words [from,
// to) of P are written to the same words of `sum`, the others are left alone. Operands are read, in order,
// during the call; P may be written later (Rows::finish), but always before a later row reads it.
struct Row {
  DigitView a, b;
  std::uint32_t* sum;
  std::size_t s;
  // The words of P below `from` must be zero; they are not read.
  std::size_t from, to;
  // S + A·B may have one word more than A and B together: it is added at sum[a + n], with its carry.
  bool carry = false;
};

class Rows {
 public:
  virtual ~Rows() = default;
  // Maximum number of words of A in a row.
  virtual std::size_t block() const = 0;
  virtual void row(const Row& row) = 0;
  // Waits until all words of P are in memory.
  virtual void finish() = 0;
  // After an error: pending results are dropped, and the next row clears the board.
  virtual void abandon() noexcept {}
};

// For board 0 of a system, a bus multiplier or a register multiplier. Throws PERLE_ERR_FAMILY.
std::unique_ptr<Rows> rows_of(System& system);

// For one kind each; null if the board is of another kind.
std::unique_ptr<Rows> bus_rows(System& system);
std::unique_ptr<Rows> register_rows(System& system);
// A parameter of board 0, −1 if there is none of that name.
long board_parameter(System& system, const char* name);

}  // namespace perle
