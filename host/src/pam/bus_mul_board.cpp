// SPDX-License-Identifier: Apache-2.0
#include "pam/bus_mul_board.hpp"

namespace perle {

void BusBoard::clear(std::size_t words) {
  write_b(0);
  // all words of P, and the carry
  for (std::size_t i = 0; i <= words; ++i) write_s(0);
}

Words BusBoard::multiply(const Words& a, const Words& b, const Words& s, Wanted wanted, bool loop) {
  const auto row = [&] {
    if (loop) system_->compute(HostCost::kLoop);
  };
  const auto s_at = [&](std::size_t i) { return i < s.size() ? s[i] : 0; };
  Words product(wanted.to);
  std::size_t left = 0;  // words that left before the last step
  const auto leave = [&] {
    if (left >= wanted.from && left < wanted.to) product[left] = read_p();
    ++left;
  };

  row();
  for (std::size_t i = 0; i < a.size(); ++i) {
    row();
    write_a(a[i]);
    write_s(s_at(i));
  }
  for (std::size_t i = 0; i < b.size(); ++i) {
    row();
    write_b(b[i]);
    write_s(s_at(a.size() + i));
    if (i > 0) leave();
  }
  write_b(0);
  const std::size_t all = std::max(a.size() + b.size(), wanted.to);
  while (left < all) {
    row();
    write_s(0);
    leave();
  }
  return product;
}

std::size_t BusShape::length(std::size_t wanted) const {
  constexpr std::size_t kStep = 2;  // a variable length comes in steps of 64 bits
  const std::size_t found = variable ? (wanted + kStep - 1) / kStep * kStep : words;
  return wanted <= words && found <= words ? found : 0;
}

BusShape bus_shape(System& system) {
  long words = 0, variable = 0;
  for (std::size_t i = 0; i < system.count(); ++i) {
    const Backend& board = system.present(i);
    const auto param = [&](const char* name) {
      return board.ops().param == nullptr ? -1 : board.ops().param(board.ctx(), name);
    };
    check_argument(param("Words") > 0 && param("Variable") >= 0 && param("WordBits") == 32,
                   "a board that is no bus multiplier with words of 32 bits");
    check_argument(i == 0 || (param("Words") == words && param("Variable") == variable),
                   "bus multipliers of different configurations");
    words = param("Words");
    variable = param("Variable");
  }
  return {static_cast<std::size_t>(words), variable != 0};
}

}  // namespace perle
