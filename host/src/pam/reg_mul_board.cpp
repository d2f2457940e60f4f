// SPDX-License-Identifier: Apache-2.0
#include "pam/reg_mul_board.hpp"

#include <algorithm>

namespace perle {

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

void RegisterBoard::write(Program& to, int n, std::span<const std::uint32_t> from) const {
  for (std::size_t d = 0; d < std::min(words_, from.size()); ++d) to.write(board_, address(n, d), &from[d]);
}

void RegisterBoard::write_all(Program& to, int n, std::span<const std::uint32_t> from) const {
  write(to, n, from);
  for (std::size_t d = from.size(); d < words_; ++d) to.write(board_, address(n, d));
}

void RegisterBoard::read(Program& to, int n, std::span<std::uint32_t> words) const {
  for (std::size_t d = 0; d < std::min(words_, words.size()); ++d) to.read(board_, address(n, d), &words[d]);
}

void RegisterBoard::reduce(Program& to, const Scratch& use) const {
  charge(to, use.m_prime, kNone, use.high);
  mult(to, use.low, kNone, use.quotient);
  charge(to, use.m, use.low, kNone);
  mult(to, use.quotient, use.high, kNone);
}

void RegisterBoard::product(Program& to, int x, int y, const Scratch& use, int closes) const {
  charge(to, x, kNone, closes);
  mult(to, y, kNone, use.low);
  reduce(to, use);
}

void RegisterBoard::load(System& system, int n, const Words& value) const {
  const HostWords words(value.begin(), value.end());
  Program program;
  write(program, n, words);
  program.run(system, 0);
}

std::size_t register_words(System& system) {
  long width = 0;
  for (std::size_t i = 0; i < system.count(); ++i) {
    const Backend& board = system.present(i);
    const auto param = [&](const char* name) {
      return board.ops().param == nullptr ? -1 : board.ops().param(board.ctx(), name);
    };
    check_argument(param("BitsPerCycle") > 0 && param("Registers") == RegisterBoard::kRegisters &&
                       param("WordBits") == kDigitBits,
                   "a board that is no register multiplier of 32 registers");
    check_argument(i == 0 || param("Width") == width, "register multipliers of different widths");
    width = param("Width");
  }
  return static_cast<std::size_t>(width) / kDigitBits;
}

// The first word past the last register does not keep what is written to it.
std::size_t register_words(System& system, std::size_t board) {
  constexpr std::uint32_t kMark = 0x5a3c9600;
  constexpr std::size_t kLongest = 64;
  const auto keeps = [&](std::size_t at, std::uint32_t mark) {
    system.write(board, static_cast<std::uint32_t>(4 * at), mark);
    return system.read(board, static_cast<std::uint32_t>(4 * at)) == mark;
  };
  std::size_t words = 1;
  const bool there = keeps(0, kMark);
  for (; there && words <= kLongest; words *= 2)
    if (!keeps(RegisterBoard::kRegisters * words, kMark + static_cast<std::uint32_t>(words))) break;
  if (!there || words > kLongest)
    throw Error(PERLE_ERR_ARGUMENT, "board " + std::to_string(board) + " is no register multiplier");
  return words;
}

}  // namespace perle
