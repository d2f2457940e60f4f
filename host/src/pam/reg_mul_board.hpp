// SPDX-License-Identifier: Apache-2.0
//
// Instructions of the register multiplier (perle/pam/reg_mul), and the Montgomery product made of them.
#pragma once

#include <span>

#include "pam/driver_crt.hpp"
#include "pam/modular_program.hpp"

namespace perle {

// One board; its instructions are added to programs.
class RegisterBoard {
 public:
  static constexpr int kRegisters = 32;
  static constexpr int kNone = -1;  // the paper's "-": a source that is zero, or a result that is not kept

  // Registers of `words` words.
  RegisterBoard(std::size_t board, std::size_t words) : board_(board), words_(words) {}
  std::size_t words() const { return words_; }

  // Addresses of instructions, which are executed by a write of any data.
  static std::uint32_t charge(int a, int s0, int p1) { return instruction(kCharge, a, s0, p1); }
  static std::uint32_t mult(int b, int s1, int p0) { return instruction(kMult, b, s1, p0); }
  void charge(Program& to, int a, int s0, int p1) const { to.write(board_, charge(a, s0, p1)); }
  void mult(Program& to, int b, int s1, int p0) const { to.write(board_, mult(b, s1, p0)); }
  // For an operand that the host chooses at run time: `chosen` will contain the address.
  void chosen(Program& to, const std::uint32_t* chosen) const { to.write_chosen(board_, chosen); }

  // Address of word d of register n.
  std::uint32_t address(int n, std::size_t d) const;
  // Writes a register from its lowest word; write_all fills its other words with zeros.
  void write(Program& to, int n, std::span<const std::uint32_t> from) const;
  void write_all(Program& to, int n, std::span<const std::uint32_t> from) const;
  // Reads the lowest words of a register.
  void read(Program& to, int n, std::span<std::uint32_t> words) const;

  // Montgomery reduction of the number in `low` and ACC, by two multiplications; the result is in ACC.
  struct Scratch {
    int m, m_prime, low, high, quotient;
  };
  void reduce(Program& to, const Scratch& use) const;
  // x·y/β; its first Charge stores the previous contents of ACC in `closes`.
  void product(Program& to, int x, int y, const Scratch& use, int closes) const;
  // Loads a register at once, for set-up.
  void load(System& system, int n, const Words& value) const;

 private:
  static constexpr std::uint32_t kCharge = 1, kMult = 2;
  static std::uint32_t instruction(std::uint32_t op, int x, int y, int p);

  std::size_t board_, words_;
};

// Words of a register of all boards of a system, from their reported parameters. Throws
// PERLE_ERR_ARGUMENT unless all are register multipliers of one width with 32 registers.
std::size_t register_words(System& system);
// The same for one board, found by accesses.
std::size_t register_words(System& system, std::size_t board);

}  // namespace perle
