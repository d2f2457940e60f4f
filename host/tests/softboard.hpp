// SPDX-License-Identifier: Apache-2.0
//
// A board in software, at the level of its registers, for tests: written against the register map and the
// meaning of the commands alone, not against the library. It multiplies only if the constants that the host
// loaded are right by its own reckoning, and it can be made to fail in the ways boards fail.
#pragma once

#include <openssl/bn.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "perle.h"

struct SoftConfig {
  unsigned width = 512;
  unsigned word_bits = 64;
  unsigned radix_bits = 17;
  bool tell_radix = true;
  std::uint32_t family = 1;
  std::uint32_t magic = 0x5045524C;
  std::uint32_t map_version = 1;
  std::uint32_t lanes = 1;           // what the board says of itself
  std::uint64_t cycles_per_bit = 4;  // how long an exponentiation takes

  unsigned digits() const { return (width + radix_bits + 2 + radix_bits - 1) / radix_bits; }
  unsigned operand_bits() const { return radix_bits * digits(); }
};

enum class Fault {
  kNone,
  kHang,     // never done
  kGarbage,  // the result is random, below the modulus
  kFlip,     // one bit of the result flips; where, goes round
  kHuge,     // the result is all ones
  kSlvErr,   // accesses are refused
  kDead,     // accesses are not answered; from the middle of an operation on, until a reset
  kSlow,     // a hundred times slower
  kFlag,     // flags a range error that is none
  kLost,     // forgets the last word of the modulus written
  kNever,    // advance fails
  kStuck,    // results are wrong from then on, until a reset
};

class SoftBoard {
 public:
  explicit SoftBoard(const SoftConfig& config) : config_(config) { reset(); }

  int read(std::uint32_t addr, std::uint64_t* data);
  int write(std::uint32_t addr, std::uint64_t data);
  int advance(std::uint64_t cycles, bool until_irq);
  std::uint64_t cycles() const { return now_; }
  int reset();
  const SoftConfig& config() const { return config_; }

  // From the next operation on; `count` operations, or for ever.
  void inject(Fault fault, int count = -1);
  // Whether any line of the board still holds these words.
  bool holds(const BIGNUM* number) const;
  // Flips a bit of what the host has loaded: of R2, M or a constant of it.
  void flip_loaded(unsigned line, unsigned bit);
  bool no_reset = false;

 private:
  using Line = std::vector<std::uint64_t>;
  enum Bank { kX, kY, kR2, kE, kM, kMhat, kMprime, kResult, kBanks };

  int bank_of(std::uint32_t addr, std::size_t* word) const;
  void start();
  void finish();
  void compute();
  Fault active();
  BIGNUM* number(Bank bank) const;
  bool constants_right(const BIGNUM* m) const;
  bool legal(const BIGNUM* m);

  SoftConfig config_;
  std::array<Line, kBanks> lines_;
  Line pending_;
  std::uint64_t command_ = 0, now_ = 0, started_ = 0, ends_ = 0, taken_ = 0, flags_ = 0;
  bool busy_ = false, done_ = false, stuck_ = false;
  std::atomic<Fault> fault_{Fault::kNone};
  std::atomic<int> fault_count_{0};
  Fault current_ = Fault::kNone;
  unsigned flip_ = 0;
};

// The board as a backend: with a clock that can be stepped, or running by itself (a cycle an access).
extern const perle_backend kSoftSimulated;
extern const perle_backend kSoftFree;
