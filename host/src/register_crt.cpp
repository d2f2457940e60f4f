// SPDX-License-Identifier: Apache-2.0
#include "register_crt.hpp"

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
static_assert(kEnd <= 32);
// Where in a prime's constants: M, −1/M, and kParts registers from kEnter on.
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
  // A block's parts leave the highest words of their registers alone.
  for (int j = 0; j < static_cast<int>(kParts); ++j) board_.load(system, kPart + j, Words(slots_.words));
}

RegisterSequence RegisterCrt::way_in(const RegisterBoard& p, const RegisterBoard& q, int x) const {
  const std::size_t words = slots_.words;
  RegisterSequence to;
  for (std::size_t j = 0; j < kParts; ++j) {
    const std::size_t first = j * (words - 1), count = std::min(words - 1, 2 * words - first);
    board_.write(to, kPart + static_cast<int>(j), slots_.block() + first, count);
  }
  for (const int prime : {kOfP, kOfQ}) {
    int low = kNone, high = kNone, closes = kNone;
    for (int j = static_cast<int>(kParts) - 1; j >= 0; --j) {
      to.push_back(board_.charge(kPart + j, low, closes));
      to.push_back(board_.mult(prime + kEnter + j, high, kLow));
      low = kLow, high = closes = kHigh;
    }
    board_.reduce(to, scratch(prime));
    to.push_back(board_.charge(kNone, kNone, prime == kOfP ? kEnteredP : kEnteredQ));
  }
  board_.read(to, kEnteredP, slots_.x(0), words);
  p.write(to, x, slots_.x(0), words);
  board_.read(to, kEnteredQ, slots_.x(1), words);
  q.write(to, x, slots_.x(1), words);
  return to;
}

RegisterSequence RegisterCrt::way_out(const RegisterBoard& p, const RegisterBoard& q, int z) const {
  const std::size_t words = slots_.words;
  RegisterSequence to;
  p.read(to, z, slots_.z(0), words);
  board_.write(to, kZP, slots_.z(0), words);
  q.read(to, z, slots_.z(1), words);
  board_.write(to, kZQ, slots_.z(1), words);
  to.push_back(board_.charge(kOfQ + kMPrime, kNone, kNone));  // x_q = z_q/β
  to.push_back(board_.mult(kZQ, kNone, kQuotient));
  to.push_back(board_.charge(kOfQ + kM, kZQ, kNone));
  to.push_back(board_.mult(kQuotient, kNone, kNone));
  to.push_back(board_.charge(kZP, kNone, kXQ));  // h
  to.push_back(board_.mult(kQinv, kNone, kLow));
  to.push_back(board_.charge(kXQ, kLow, kHigh));
  to.push_back(board_.mult(kMinus, kHigh, kLow));
  board_.reduce(to, scratch(kOfP));
  to.push_back(board_.charge(kOfQ + kM, kXQ, kH));  // x_q + q·h
  to.push_back(board_.mult(kH, kNone, kResultLow));
  to.push_back(board_.charge(kNone, kNone, kResultHigh));
  board_.read(to, kResultLow, slots_.result(), words);
  board_.read(to, kResultHigh, slots_.result() + words, words);
  return to;
}

}  // namespace perle
