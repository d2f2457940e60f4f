// SPDX-License-Identifier: Apache-2.0
//
// Instructions of the register multiplier (perle/pam/reg_mul), and Montgomery's product made of them.
#pragma once

#include <span>

#include "pam/driver_crt.hpp"
#include "pam/modular_program.hpp"

namespace perle {

// One board, whose instructions go into programs.
class RegisterBoard {
 public:
  static constexpr int kRegisters = 32;
  static constexpr int kNone = -1;  // the paper's "-": a source that is zero, or a result that is not kept

  // Registers of `words` words.
  RegisterBoard(std::size_t board, std::size_t words) : board_(board), words_(words) {}
  std::size_t words() const { return words_; }

  // Addresses of instructions: a write of any data.
  static std::uint32_t charge(int a, int s0, int p1) { return instruction(kCharge, a, s0, p1); }
  static std::uint32_t mult(int b, int s1, int p0) { return instruction(kMult, b, s1, p0); }
  void charge(Program& to, int a, int s0, int p1) const { to.write(board_, charge(a, s0, p1)); }
  void mult(Program& to, int b, int s1, int p0) const { to.write(board_, mult(b, s1, p0)); }
  // For a host that chooses the operand at run time: `chosen` is where it puts the address.
  void chosen(Program& to, const std::uint32_t* chosen) const { to.write_chosen(board_, chosen); }

  // Of word d of a register.
  std::uint32_t address(int n, std::size_t d) const;
  // A register from its lowest word on; or all of it, with zeros where there are no more words.
  void write(Program& to, int n, std::span<const std::uint32_t> from) const;
  void write_all(Program& to, int n, std::span<const std::uint32_t> from) const;
  // As many words as the host wants, or all.
  void read(Program& to, int n, std::span<std::uint32_t> words) const;

  // The second and third multiply of Montgomery's product of what is in `low` and ACC: the result is in ACC.
  struct Scratch {
    int m, m_prime, low, high, quotient;
  };
  void reduce(Program& to, const Scratch& use) const;
  // x·y/β; the Charge that opens it stores what was in ACC before in `closes`.
  void product(Program& to, int x, int y, const Scratch& use, int closes) const;
  // At once, in the way of set-up.
  void load(System& system, int n, const Words& value) const;

 private:
  static constexpr std::uint32_t kCharge = 1, kMult = 2;
  static std::uint32_t instruction(std::uint32_t op, int x, int y, int p);

  std::size_t board_, words_;
};

// Words of a register of all boards of a system, by what the boards say of themselves. Throws
// PERLE_ERR_ARGUMENT unless all are register multipliers of one width with 32 registers.
std::size_t register_words(System& system);
// The same of one board among others, which is asked by accesses.
std::size_t register_words(System& system, std::size_t board);

}  // namespace perle
