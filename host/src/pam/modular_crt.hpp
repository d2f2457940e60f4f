// SPDX-License-Identifier: Apache-2.0
//
// The work of the register multiplier (perle/pam/reg_mul) next to two modular product units: reducing a block
// modulo both primes, cubing, and recombining the results.
#pragma once

#include <array>

#include "pam/reg_mul_board.hpp"

namespace perle {

// Numbers of one prime in the host's memory, and its constants in the multiplier.
struct CrtHalf {
  Bn prime;
  Bn enter_low, enter_high;  // a block c1·R + c0 enters as (c0·enter_low + c1·enter_high)/R; low 0: c0 itself
  Bn cube;                   // one more factor of the cube, over R; 0: none
  Bn leave;                  // factor of a result, over R
  HostWords b1, b3;          // read from the multiplier: below 2^(bits + 2)
  HostWords result;          // for the multiplier: at least a register
  std::uint32_t choice = 0;  // address of the Charge that is chosen by the bits beyond a register
};

class CrtBoard {
 public:
  // Finds the width of the board's registers by accesses. Throws PERLE_ERR_ARGUMENT.
  CrtBoard(System& system, std::size_t board) : board_(board, register_words(system, board)) {}

  // Bits of a register, R = 2^width; primes have at least two less, so that no comparisons are needed.
  unsigned width() const { return static_cast<unsigned>(32 * board_.words()); }

  // Loads the constants into registers. With `beyond`, results may have up to three bits more than a
  // register.
  Program constants(const std::array<CrtHalf*, 2>& halves, bool beyond);
  // From two registers' words to b1 and b3 of both halves; `block` has as many words as n.
  Program in(const HostWords& block, const std::array<CrtHalf*, 2>& halves) const;
  // From both results to r < 4·n, in two registers' words.
  Program out(const std::array<CrtHalf*, 2>& halves, bool beyond, HostWords& r) const;

 private:
  void constant(Program& to, int n, const Bn& value);
  // A product of one half, in the multiplier's own Montgomery domain.
  void product(Program& to, int x, int y, std::size_t half, int closes) const;
  void look_up(Program& to, std::size_t half, CrtHalf& from, int closes) const;

  RegisterBoard board_;
  std::vector<std::unique_ptr<HostWords>>
      constants_;  // programs point to them, so their addresses must not change
};

}  // namespace perle
