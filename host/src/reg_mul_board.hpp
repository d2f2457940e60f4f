// SPDX-License-Identifier: Apache-2.0
//
// Instructions of the register multiplier (perle/cores/reg_mul) as accesses, and sequences of them.
#pragma once

#include <vector>

#include "driver_crt.hpp"

namespace perle {

// An access whose data are in the host's memory, so that a sequence can be made once and used for every
// block.
struct RegisterStep {
  std::size_t board;
  bool write;
  std::uint32_t addr;
  std::size_t slot;  // of the host's memory; slot 0 is what nobody reads
};
// Tells the bits of an exponent: wiped.
using RegisterSequence = std::vector<RegisterStep, WipingAllocator<RegisterStep>>;

void run(System& system, const RegisterStep& step, Words& memory);

// One board, whose instructions go into a sequence.
class RegisterBoard {
 public:
  static constexpr int kNone = -1;  // the paper's "-"

  RegisterBoard(std::size_t board, std::size_t words) : board_(board), words_(words) {}

  RegisterStep charge(int a, int s0, int p1) const { return {board_, true, instruction(1, a, s0, p1), 0}; }
  RegisterStep mult(int b, int s1, int p0) const { return {board_, true, instruction(2, b, s1, p0), 0}; }
  // Words 0 to count − 1 of a register, to or from slots of memory from `slot` on.
  void write(RegisterSequence& to, int n, std::size_t slot, std::size_t count) const;
  void read(RegisterSequence& to, int n, std::size_t slot, std::size_t count) const;
  // The second and third multiply of Montgomery's product of what is in `low` and ACC; the result is in ACC.
  struct Scratch {
    int m, m_prime, low, high, quotient;
  };
  void reduce(RegisterSequence& to, const Scratch& use) const;
  // x·y/β; the Charge that opens it stores what was in ACC before in `closes`.
  void product(RegisterSequence& to, int x, int y, const Scratch& use, int closes) const;
  // At once, in the way of set-up.
  void load(System& system, int n, const Words& value) const;

 private:
  static std::uint32_t instruction(std::uint32_t op, int x, int y, int p);
  std::uint32_t address(int n, std::size_t d) const;

  std::size_t board_, words_;
};

// Words of a register of all boards of a system. Throws PERLE_ERR_ARGUMENT unless all are register
// multipliers of one width with 32 registers.
std::size_t register_words(System& system);

}  // namespace perle
