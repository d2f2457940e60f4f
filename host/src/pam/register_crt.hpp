// SPDX-License-Identifier: Apache-2.0
//
// The third register multiplier (shand1990, section 3.3): conversion to the Chinese remainder representation
// and back, by the formulas of driver_crt.hpp. The host moves words between boards through its memory.
#pragma once

#include <array>

#include "pam/reg_mul_board.hpp"

namespace perle {

class RegisterCrt {
 public:
  RegisterCrt(std::size_t board, std::size_t words)
      : board_(board, words),
        block_(2 * words),
        result_(2 * words),
        x_{HostWords(words), HostWords(words)},
        z_{HostWords(words), HostWords(words)} {}
  RegisterCrt(const RegisterCrt&) = delete;  // programs point into it
  RegisterCrt& operator=(const RegisterCrt&) = delete;

  void load(System& system, const CrtNumbers& numbers) const;
  // Input of way_in and output of way_out, 2L words.
  HostWords& block() { return block_; }
  const HostWords& result() const { return result_; }
  // Converts a block and writes it to register x of the other two boards: 2L + 22 + 4L accesses.
  Program way_in(const std::array<RegisterBoard, 2>& others, int x);
  // Recombines register z of the other two boards into the result: 4L + 15 + 2L accesses.
  Program way_out(const std::array<RegisterBoard, 2>& others, int z);

 private:
  RegisterBoard board_;
  HostWords block_, result_;
  std::array<HostWords, 2> x_, z_;
};

}  // namespace perle
