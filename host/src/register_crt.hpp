// SPDX-License-Identifier: Apache-2.0
//
// The third register multiplier (shand1990, section 3.3): into the Chinese remainder representation, and out
// of it. The formulas are those of driver_crt.hpp. Words travel through the host's memory, in slots.
#pragma once

#include "reg_mul_board.hpp"

namespace perle {

// Where the host keeps what it carries, for registers of `words` words; slot 0 is nobody's.
struct RegisterSlots {
  std::size_t words;
  std::size_t block() const { return 1; }                                     // 2·words
  std::size_t x(std::size_t prime) const { return 1 + (2 + prime) * words; }  // on the way in
  std::size_t z(std::size_t prime) const { return 1 + (4 + prime) * words; }  // on the way out
  std::size_t result() const { return 1 + 6 * words; }                        // 2·words
  std::size_t end() const { return 1 + 8 * words; }
};

class RegisterCrt {
 public:
  RegisterCrt(std::size_t board, std::size_t words) : board_(board, words), slots_{words} {}

  void load(System& system, const CrtNumbers& numbers) const;
  // A block to this board, through it, and to register x of both others: 2L + 22 + 4L accesses.
  RegisterSequence way_in(const RegisterBoard& p, const RegisterBoard& q, int x) const;
  // Register z of both others to this board, through it, and the result to the host: 4L + 15 + 2L accesses.
  RegisterSequence way_out(const RegisterBoard& p, const RegisterBoard& q, int z) const;

 private:
  RegisterBoard board_;
  RegisterSlots slots_;
};

}  // namespace perle
