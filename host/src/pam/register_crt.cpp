// SPDX-License-Identifier: Apache-2.0
#include "pam/register_crt.hpp"

#include <algorithm>

namespace perle {
namespace {

constexpr int kNone = RegisterBoard::kNone;
enum Register {
  kOfP = 0,  // constants of p
  kOfQ = 5,  // constants of q
  kQinv = 10,
  kMinus = 11,
  kPart = 12,  // kParts of them: the block
  kLow = kPart + static_cast<int>(kParts),
  kHigh,
  kQuotient,
  kEnteredP,
  kEnteredQ,
  kZP,
  kZQ,
  kXQ,
  kH,
  kResultLow,
  kResultHigh,
  kEnd
};
static_assert(kEnd <= RegisterBoard::kRegisters);
constexpr std::array<int, 2> kOf = {kOfP, kOfQ}, kEntered = {kEnteredP, kEnteredQ}, kResultOf = {kZP, kZQ};
// Offsets in the constants of a prime: M, −1/M, and kParts registers from kEnter on.
constexpr int kM = 0, kMPrime = 1, kEnter = 2;

RegisterBoard::Scratch scratch(int prime) { return {prime + kM, prime + kMPrime, kLow, kHigh, kQuotient}; }

}  // namespace

void RegisterCrt::load(System& system, const CrtNumbers& numbers) const {
  int registers = kOfP;
  for (const PrimeNumbers* prime : {&numbers.p, &numbers.q}) {
    board_.load(system, registers + kM, prime->m);
    board_.load(system, registers + kMPrime, prime->m_prime);
    for (std::size_t j = 0; j < kParts; ++j)
      board_.load(system, registers + kEnter + static_cast<int>(j), prime->enter[j]);
    registers = kOfQ;
  }
  board_.load(system, kQinv, numbers.qinv);
  board_.load(system, kMinus, numbers.minus);
  // The parts of a block do not overwrite the highest words of their registers.
  for (int j = 0; j < static_cast<int>(kParts); ++j) board_.load(system, kPart + j, Words(board_.words()));
}

Program RegisterCrt::way_in(const std::array<RegisterBoard, 2>& others, int x) {
  const std::size_t words = board_.words();
  Program to;
  for (std::size_t j = 0; j < kParts; ++j) {
    const std::size_t first = j * (words - 1), count = std::min(words - 1, 2 * words - first);
    board_.write(to, kPart + static_cast<int>(j), std::span(block_).subspan(first, count));
  }
  for (std::size_t prime = 0; prime < 2; ++prime) {
    int low = kNone, high = kNone, closes = kNone;
    for (int j = static_cast<int>(kParts) - 1; j >= 0; --j) {
      board_.charge(to, kPart + j, low, closes);
      board_.mult(to, kOf[prime] + kEnter + j, high, kLow);
      low = kLow, high = closes = kHigh;
    }
    board_.reduce(to, scratch(kOf[prime]));
    board_.charge(to, kNone, kNone, kEntered[prime]);
  }
  for (std::size_t prime = 0; prime < 2; ++prime) {
    board_.read(to, kEntered[prime], x_[prime]);
    others[prime].write(to, x, x_[prime]);
  }
  return to;
}

Program RegisterCrt::way_out(const std::array<RegisterBoard, 2>& others, int z) {
  Program to;
  for (std::size_t prime = 0; prime < 2; ++prime) {
    others[prime].read(to, z, z_[prime]);
    board_.write(to, kResultOf[prime], z_[prime]);
  }
  board_.charge(to, kOfQ + kMPrime, kNone, kNone);  // x_q = z_q/β
  board_.mult(to, kZQ, kNone, kQuotient);
  board_.charge(to, kOfQ + kM, kZQ, kNone);
  board_.mult(to, kQuotient, kNone, kNone);
  board_.charge(to, kZP, kNone, kXQ);  // h
  board_.mult(to, kQinv, kNone, kLow);
  board_.charge(to, kXQ, kLow, kHigh);
  board_.mult(to, kMinus, kHigh, kLow);
  board_.reduce(to, scratch(kOfP));
  board_.charge(to, kOfQ + kM, kXQ, kH);  // x_q + q·h
  board_.mult(to, kH, kNone, kResultLow);
  board_.charge(to, kNone, kNone, kResultHigh);
  const std::span result(result_);
  board_.read(to, kResultLow, result.first(board_.words()));
  board_.read(to, kResultHigh, result.subspan(board_.words()));
  return to;
}

}  // namespace perle
