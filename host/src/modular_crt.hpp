// SPDX-License-Identifier: Apache-2.0
//
// What the register multiplier (perle/cores/reg_mul) does beside two modular product units: a block modulo
// both primes, its cubes, and the recombination of results.
#pragma once

#include <array>

#include "modular_program.hpp"

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
  CrtBoard(System& system, std::size_t board);

  // Bits of a register, R = 2^width; primes have two less, so that nothing has to be compared.
  unsigned width() const { return static_cast<unsigned>(32 * segments_); }
  std::size_t segments() const { return segments_; }

  // Constants go to registers. With `beyond`, results have up to three bits more than a register.
  Program constants(const std::array<CrtHalf*, 2>& halves, bool beyond);
  // From two registers' words to b1 and b3 of both halves; `block` has as many words as n.
  Program in(const HostWords& block, const std::array<CrtHalf*, 2>& halves) const;
  // From both results to r < 4·n, in two registers' words.
  Program out(const std::array<CrtHalf*, 2>& halves, bool beyond, HostWords& r) const;

 private:
  static constexpr std::uint32_t kNone = 0;  // "-": a source that is zero, or a result that is not kept
  std::uint32_t word(std::uint32_t spec, std::size_t d) const;
  void charge(Program& to, std::uint32_t a, std::uint32_t s0, std::uint32_t p1) const;
  void mult(Program& to, std::uint32_t b, std::uint32_t s1, std::uint32_t p0) const;
  void write(Program& to, std::uint32_t spec, const HostWords& words) const;
  void constant(Program& to, std::uint32_t spec, const Bn& value);
  void read(Program& to, std::uint32_t spec, HostWords& words) const;
  void reduce(Program& to, std::size_t half) const;
  void montgomery(Program& to, std::uint32_t x, std::uint32_t y, std::size_t half,
                  std::uint32_t closes) const;
  void look_up(Program& to, std::size_t half, CrtHalf& from, std::uint32_t closes) const;

  std::size_t board_;
  std::size_t segments_ = 0;
  HostWords zeros_;
  std::vector<std::unique_ptr<HostWords>> constants_;  // what programs write has to stay where it is
};

}  // namespace perle
