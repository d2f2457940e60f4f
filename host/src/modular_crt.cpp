// SPDX-License-Identifier: Apache-2.0
//
// p < R/4, n = p·q, R = 2^width. Ranges, with Montgomery's product (T + q·p)/R < T/R + p:
//   entered   T < c1·p + c0·p < (R + R/16)·p or T < c1·p + R: below 2.07·p
//   cubes     T < (2.07·p)²: below p + 4.3·p²/R < 2.08·p again
//   results   z < R, T <= (R - 1)·(p - 1) + (p - 1): below 2·p
//   out       u·q + v·p < 4·n < R²/4
// No sum in the accumulator has more bits than a register: products are of numbers below R and R/4.
#include "modular_crt.hpp"

namespace perle {
namespace {

constexpr std::uint32_t kRegisters = 32, kValid = 32;
constexpr unsigned kSpecifierBits = 6;
constexpr std::uint32_t kCharge = 1U << (3 * kSpecifierBits), kMult = 2 * kCharge;
constexpr std::size_t kLongestRegister = 64;
constexpr std::uint64_t kLookUp = 8;  // instructions: load, mask, index, store

constexpr std::uint32_t spec(std::uint32_t n) { return kValid + n; }

// Registers: a block or what becomes of two results; three for the moment; of each half two, for what enters
// and for what leaves; its constants; and, last, seven to look up, for the values 1 … 7 beyond a register.
constexpr std::uint32_t kLow = spec(0), kHigh = spec(1), kT0 = spec(2), kT1 = spec(3), kT2 = spec(4);
constexpr std::size_t kLookedUp = 7;
constexpr std::uint32_t x_of(std::size_t half) { return spec(static_cast<std::uint32_t>(5 + 2 * half)); }
constexpr std::uint32_t y_of(std::size_t half) { return x_of(half) + 1; }
enum Constant { kPrime, kMinusInverse, kEnterHigh, kLeave, kEnterLow, kCube };
// Which of the last two groups there are depends on the program, not both.
constexpr std::uint32_t constant_of(std::size_t half, Constant which) {
  return which <= kLeave ? spec(static_cast<std::uint32_t>(9 + 4 * half + which))
                         : spec(static_cast<std::uint32_t>(17 + 2 * half + which - kEnterLow));
}
constexpr std::uint32_t looked_up(std::size_t half, std::size_t value) {
  return spec(static_cast<std::uint32_t>(17 + kLookedUp * half + value - 1));
}
static_assert(looked_up(1, kLookedUp) < spec(kRegisters));

std::uint32_t instruction(std::uint32_t op, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return 4 * (op | a << (2 * kSpecifierBits) | b << kSpecifierBits | c);
}

}  // namespace

CrtBoard::CrtBoard(System& system, std::size_t board) : board_(board) {
  constexpr std::uint32_t kMark = 0x5a3c9600;
  const auto keeps = [&](std::size_t at, std::uint32_t mark) {
    system.write(board_, static_cast<std::uint32_t>(4 * at), mark);
    return system.read(board_, static_cast<std::uint32_t>(4 * at)) == mark;
  };
  bool there = keeps(0, kMark);
  // The first word past the last register is none.
  for (segments_ = 1; there && segments_ <= kLongestRegister; segments_ *= 2)
    if (!keeps(kRegisters * segments_, kMark + static_cast<std::uint32_t>(segments_))) break;
  there = there && segments_ <= kLongestRegister;
  if (!there)
    throw Error(PERLE_ERR_ARGUMENT, "board " + std::to_string(board_) + " is no register multiplier");
  zeros_ = HostWords(segments_);
}

std::uint32_t CrtBoard::word(std::uint32_t n, std::size_t d) const {
  return static_cast<std::uint32_t>(4 * ((n - kValid) * segments_ + d));
}

void CrtBoard::charge(Program& to, std::uint32_t a, std::uint32_t s0, std::uint32_t p1) const {
  to.write(board_, instruction(kCharge, a, s0, p1));
}

void CrtBoard::mult(Program& to, std::uint32_t b, std::uint32_t s1, std::uint32_t p0) const {
  to.write(board_, instruction(kMult, b, s1, p0));
}

// Words that the host has not are zero.
void CrtBoard::write(Program& to, std::uint32_t n, const HostWords& words) const {
  for (std::size_t d = 0; d < segments_; ++d)
    to.write(board_, word(n, d), d < words.size() ? &words[d] : zeros_.data());
}

void CrtBoard::constant(Program& to, std::uint32_t n, const Bn& value) {
  constants_.push_back(std::make_unique<HostWords>(host_words(value, segments_)));
  write(to, n, *constants_.back());
}

void CrtBoard::read(Program& to, std::uint32_t n, HostWords& words) const {
  for (std::size_t d = 0; d < std::min(segments_, words.size()); ++d) to.read(board_, word(n, d), &words[d]);
}

Program CrtBoard::constants(const std::array<CrtHalf*, 2>& halves, bool beyond) {
  const Arithmetic math;
  Bn radix;
  check_crypto(BN_set_bit(radix.get(), static_cast<int>(width())) == 1, "number");
  Program program;
  write(program, kHigh, zeros_);  // blocks may be shorter
  write(program, kLow, zeros_);
  for (std::size_t i = 0; i < 2; ++i) {
    const CrtHalf& half = *halves[i];
    Bn inverse;
    check_crypto(math.inverse(half.prime, radix, inverse), "inverse");
    constant(program, constant_of(i, kPrime), half.prime);
    constant(program, constant_of(i, kMinusInverse), math.sub(radix, inverse));
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

// ACC·R + R[kT0] ← the same over R: its low word is in kT0, its high word in ACC.
void CrtBoard::reduce(Program& to, std::size_t half) const {
  charge(to, constant_of(half, kMinusInverse), kNone, kT1);
  mult(to, kT0, kNone, kT2);
  charge(to, constant_of(half, kPrime), kT0, kNone);
  mult(to, kT2, kT1, kNone);
}

void CrtBoard::montgomery(Program& to, std::uint32_t x, std::uint32_t y, std::size_t half,
                          std::uint32_t closes) const {
  charge(to, x, kNone, closes);
  mult(to, y, kNone, kT0);
  reduce(to, half);
}

Program CrtBoard::in(const HostWords& block, const std::array<CrtHalf*, 2>& halves) const {
  Program program;
  for (std::size_t i = 0; i < block.size(); ++i) program.write(board_, word(kLow, i), &block[i]);
  for (std::size_t i = 0; i < 2; ++i) {
    CrtHalf& half = *halves[i];
    if (half.enter_low.is_zero()) {
      charge(program, constant_of(i, kEnterHigh), kLow, kNone);
      mult(program, kHigh, kNone, kT0);
    } else {
      charge(program, constant_of(i, kEnterLow), kNone, kNone);
      mult(program, kLow, kNone, kT0);
      charge(program, constant_of(i, kEnterHigh), kT0, kT1);
      mult(program, kHigh, kT1, kT0);
    }
    reduce(program, i);
    montgomery(program, x_of(i), x_of(i), i, x_of(i));
    montgomery(program, x_of(i), y_of(i), i, y_of(i));
    if (!half.cube.is_zero()) montgomery(program, constant_of(i, kCube), y_of(i), i, y_of(i));
    charge(program, kNone, kNone, y_of(i));
    read(program, x_of(i), half.b1);
    read(program, y_of(i), half.b3);
  }
  return program;
}

// Three bits beyond the register choose a summand: the look-up is the address of the Charge.
void CrtBoard::look_up(Program& to, std::size_t half, CrtHalf& from, std::uint32_t closes) const {
  to.work(kLookUp, [this, half, &from, closes] {
    const std::size_t value = from.result.size() > segments_ ? from.result[segments_] & kLookedUp : 0;
    from.choice =
        instruction(kCharge, constant_of(half, kLeave), value == 0 ? kNone : looked_up(half, value), closes);
  });
  to.write_chosen(board_, &from.choice);
}

Program CrtBoard::out(const std::array<CrtHalf*, 2>& halves, bool beyond, HostWords& r) const {
  Program program;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::uint32_t closes = i == 0 ? kNone : y_of(0);
    write(program, x_of(i), halves[i]->result);
    if (beyond)
      look_up(program, i, *halves[i], closes);
    else
      charge(program, constant_of(i, kLeave), kNone, closes);
    mult(program, x_of(i), kNone, kT0);
    reduce(program, i);
  }
  charge(program, constant_of(1, kPrime), kNone, y_of(1));
  mult(program, y_of(0), kNone, kT0);
  charge(program, constant_of(0, kPrime), kT0, kT1);
  mult(program, y_of(1), kT1, kLow);
  charge(program, kNone, kNone, kHigh);
  for (std::size_t i = 0; i < r.size(); ++i) program.read(board_, word(kLow, i), &r[i]);
  return program;
}

}  // namespace perle
