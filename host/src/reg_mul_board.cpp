// SPDX-License-Identifier: Apache-2.0
#include "reg_mul_board.hpp"

namespace perle {

void run(System& system, const RegisterStep& step, Words& memory) {
  if (step.write)
    system.write(step.board, step.addr, static_cast<std::uint32_t>(memory[step.slot]));
  else
    memory[step.slot] = system.read(step.board, step.addr);
}

// Word addresses are 20 bits: two of the operation, three specifiers of a valid bit and a register's number.
std::uint32_t RegisterBoard::instruction(std::uint32_t op, int x, int y, int p) {
  constexpr unsigned kSpecifierBits = 6;
  std::uint32_t word = op;
  for (const int n : {x, y, p})
    word = word << kSpecifierBits | (n == kNone ? 0U : 1U << (kSpecifierBits - 1) | static_cast<unsigned>(n));
  return 4 * word;
}

std::uint32_t RegisterBoard::address(int n, std::size_t d) const {
  return static_cast<std::uint32_t>(4 * (static_cast<std::size_t>(n) * words_ + d));
}

void RegisterBoard::write(RegisterSequence& to, int n, std::size_t slot, std::size_t count) const {
  for (std::size_t d = 0; d < count; ++d) to.push_back({board_, true, address(n, d), slot + d});
}

void RegisterBoard::read(RegisterSequence& to, int n, std::size_t slot, std::size_t count) const {
  for (std::size_t d = 0; d < count; ++d) to.push_back({board_, false, address(n, d), slot + d});
}

void RegisterBoard::reduce(RegisterSequence& to, const Scratch& use) const {
  to.push_back(charge(use.m_prime, kNone, use.high));
  to.push_back(mult(use.low, kNone, use.quotient));
  to.push_back(charge(use.m, use.low, kNone));
  to.push_back(mult(use.quotient, use.high, kNone));
}

void RegisterBoard::product(RegisterSequence& to, int x, int y, const Scratch& use, int closes) const {
  to.push_back(charge(x, kNone, closes));
  to.push_back(mult(y, kNone, use.low));
  reduce(to, use);
}

void RegisterBoard::load(System& system, int n, const Words& value) const {
  for (std::size_t d = 0; d < value.size(); ++d)
    system.write(board_, address(n, d), static_cast<std::uint32_t>(value[d]));
}

std::size_t register_words(System& system) {
  long width = 0;
  for (std::size_t i = 0; i < system.count(); ++i) {
    const Backend& board = system.present(i);
    const auto param = [&](const char* name) {
      return board.ops().param == nullptr ? -1 : board.ops().param(board.ctx(), name);
    };
    check_argument(param("BitsPerCycle") > 0 && param("Registers") == 32 && param("WordBits") == 32,
                   "a board that is no register multiplier of 32 registers");
    check_argument(i == 0 || param("Width") == width, "register multipliers of different widths");
    width = param("Width");
  }
  return static_cast<std::size_t>(width) / kDigitBits;
}

}  // namespace perle
