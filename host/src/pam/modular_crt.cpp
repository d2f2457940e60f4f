// SPDX-License-Identifier: Apache-2.0
//
// p < R/4, n = p·q, R = 2^width. Ranges, with Montgomery's product (T + q·p)/R < T/R + p:
//   entered   T < c1·p + c0·p < (R + R/16)·p or T < c1·p + R: below 2.07·p
//   cubes     T < (2.07·p)²: below p + 4.3·p²/R < 2.08·p again
//   results   z < R, T <= (R - 1)·(p - 1) + (p - 1): below 2·p
//   out       u·q + v·p < 4·n < R²/4
// No sum in the accumulator overflows: products are of a number below R and one below R/4.
#include "pam/modular_crt.hpp"

#include <algorithm>

namespace perle {
namespace {

constexpr int kNone = RegisterBoard::kNone;
constexpr std::uint64_t kLookUp = 8;  // instructions: load, mask, index, store

// Registers: a block or two results; three temporary ones; for each half two, one for its input and one for
// its output; its constants; and last seven for the look-up of the values 1 … 7 beyond a register.
enum Register { kLow, kHigh, kT0, kT1, kT2, kX };
constexpr std::size_t kLookedUp = 7;
constexpr int x_of(std::size_t half) { return kX + 2 * static_cast<int>(half); }
constexpr int y_of(std::size_t half) { return x_of(half) + 1; }
enum Constant { kPrime, kMinusInverse, kEnterHigh, kLeave, kEnterLow, kCube };
// A program uses only one of the last two groups.
constexpr int constant_of(std::size_t half, Constant which) {
  const int i = static_cast<int>(half);
  return which <= kLeave ? 9 + 4 * i + which : 17 + 2 * i + which - kEnterLow;
}
constexpr int looked_up(std::size_t half, std::size_t value) {
  return static_cast<int>(16 + kLookedUp * half + value);
}
static_assert(looked_up(1, kLookedUp) < RegisterBoard::kRegisters);

RegisterBoard::Scratch scratch(std::size_t half) {
  return {constant_of(half, kPrime), constant_of(half, kMinusInverse), kT0, kT1, kT2};
}

}  // namespace

Program CrtBoard::constants(const std::array<CrtHalf*, 2>& halves, bool beyond) {
  const Arithmetic math;
  const Bn radix = power_of_two(width());
  Program program;
  board_.write_all(program, kHigh, {});  // blocks may be shorter
  board_.write_all(program, kLow, {});
  for (std::size_t i = 0; i < 2; ++i) {
    const CrtHalf& half = *halves[i];
    constant(program, constant_of(i, kPrime), half.prime);
    constant(program, constant_of(i, kMinusInverse), minus_inverse(half.prime, width()));
    constant(program, constant_of(i, kEnterHigh), half.enter_high);
    constant(program, constant_of(i, kLeave), half.leave);
    if (!half.enter_low.is_zero()) constant(program, constant_of(i, kEnterLow), half.enter_low);
    if (!half.cube.is_zero()) constant(program, constant_of(i, kCube), half.cube);
    for (std::size_t value = 1; beyond && value <= kLookedUp; ++value)
      constant(program, looked_up(i, value),
               math.mulmod(math.mulmod(Bn(value), radix, half.prime), half.leave, half.prime));
  }
  return program;
}

void CrtBoard::constant(Program& to, int n, const Bn& value) {
  constants_.push_back(std::make_unique<HostWords>(host_words(value, board_.words())));
  board_.write(to, n, *constants_.back());
}

void CrtBoard::product(Program& to, int x, int y, std::size_t half, int closes) const {
  board_.product(to, x, y, scratch(half), closes);
}

Program CrtBoard::in(const HostWords& block, const std::array<CrtHalf*, 2>& halves) const {
  Program program;
  const std::span words(block);
  const std::size_t low = std::min(words.size(), board_.words());
  board_.write(program, kLow, words.first(low));
  board_.write(program, kHigh, words.subspan(low));
  for (std::size_t i = 0; i < 2; ++i) {
    CrtHalf& half = *halves[i];
    if (half.enter_low.is_zero()) {
      board_.charge(program, constant_of(i, kEnterHigh), kLow, kNone);
      board_.mult(program, kHigh, kNone, kT0);
    } else {
      board_.charge(program, constant_of(i, kEnterLow), kNone, kNone);
      board_.mult(program, kLow, kNone, kT0);
      board_.charge(program, constant_of(i, kEnterHigh), kT0, kT1);
      board_.mult(program, kHigh, kT1, kT0);
    }
    board_.reduce(program, scratch(i));
    product(program, x_of(i), x_of(i), i, x_of(i));
    product(program, x_of(i), y_of(i), i, y_of(i));
    if (!half.cube.is_zero()) product(program, constant_of(i, kCube), y_of(i), i, y_of(i));
    board_.charge(program, kNone, kNone, y_of(i));
    board_.read(program, x_of(i), half.b1);
    board_.read(program, y_of(i), half.b3);
  }
  return program;
}

// The three bits beyond the register select a summand, by the address of the Charge.
void CrtBoard::look_up(Program& to, std::size_t half, CrtHalf& from, int closes) const {
  to.work(kLookUp, [this, half, &from, closes] {
    const std::size_t value =
        from.result.size() > board_.words() ? from.result[board_.words()] & kLookedUp : 0;
    from.choice =
        RegisterBoard::charge(constant_of(half, kLeave), value == 0 ? kNone : looked_up(half, value), closes);
  });
  board_.chosen(to, &from.choice);
}

Program CrtBoard::out(const std::array<CrtHalf*, 2>& halves, bool beyond, HostWords& r) const {
  Program program;
  for (std::size_t i = 0; i < 2; ++i) {
    const int closes = i == 0 ? kNone : y_of(0);
    board_.write_all(program, x_of(i), halves[i]->result);
    if (beyond)
      look_up(program, i, *halves[i], closes);
    else
      board_.charge(program, constant_of(i, kLeave), kNone, closes);
    board_.mult(program, x_of(i), kNone, kT0);
    board_.reduce(program, scratch(i));
  }
  board_.charge(program, constant_of(1, kPrime), kNone, y_of(1));
  board_.mult(program, y_of(0), kNone, kT0);
  board_.charge(program, constant_of(0, kPrime), kT0, kT1);
  board_.mult(program, y_of(1), kT1, kLow);
  board_.charge(program, kNone, kNone, kHigh);
  const std::span words(r);
  const std::size_t low = std::min(words.size(), board_.words());
  board_.read(program, kLow, words.first(low));
  board_.read(program, kHigh, words.subspan(low));
  return program;
}

}  // namespace perle
