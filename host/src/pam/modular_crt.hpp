// SPDX-License-Identifier: Apache-2.0
//
// What the register multiplier (perle/pam/reg_mul) does beside two modular product units: a block modulo
// both primes, its cubes, and the recombination of results.
#pragma once

#include <array>

#include "pam/reg_mul_board.hpp"

namespace perle {

// One prime's numbers in the host's memory and its constants in the multiplier.
struct CrtHalf {
  Bn prime;
  Bn enter_low, enter_high;  // a block c1·R + c0 enters as (c0·enter_low + c1·enter_high)/R; low 0: c0 itself
  Bn cube;                   // one more factor of the cube, over R; 0: none
  Bn leave;                  // what a result is multiplied by, over R
  HostWords b1, b3;          // read from the multiplier: below 2^(bits + 2)
  HostWords result;          // for the multiplier: at least a register
  std::uint32_t choice = 0;  // the instruction that looks up what is beyond a register
};

class CrtBoard {
 public:
  // Asks the board for the width of its registers. Throws PERLE_ERR_ARGUMENT.
  CrtBoard(System& system, std::size_t board) : board_(board, register_words(system, board)) {}

  // Bits of a register, R = 2^width; primes have two less, so that nothing has to be compared.
  unsigned width() const { return static_cast<unsigned>(32 * board_.words()); }

  // Constants go to registers. With `beyond`, results have up to three bits more than a register.
  Program constants(const std::array<CrtHalf*, 2>& halves, bool beyond);
  // From two registers' words to b1 and b3 of both halves; `block` has as many words as n.
  Program in(const HostWords& block, const std::array<CrtHalf*, 2>& halves) const;
  // From both results to r < 4·n, in two registers' words.
  Program out(const std::array<CrtHalf*, 2>& halves, bool beyond, HostWords& r) const;

 private:
  void constant(Program& to, int n, const Bn& value);
  // A product in the multiplier's own domain, of one half.
  void product(Program& to, int x, int y, std::size_t half, int closes) const;
  void look_up(Program& to, std::size_t half, CrtHalf& from, int closes) const;

  RegisterBoard board_;
  std::vector<std::unique_ptr<HostWords>> constants_;  // what programs write has to stay where it is
};

}  // namespace perle
