// SPDX-License-Identifier: Apache-2.0
//
// A software model of a board's registers, for tests. Written from the register map and the definitions of
// the commands, independently of the library. It multiplies only if the loaded constants are right by its own
// check. Faults can be injected.
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
  std::uint32_t lanes = 1;  // as reported in the register
  unsigned window_bits = 4, constants = 3;
  std::uint64_t cycles_per_bit = 4;  // how long an exponentiation takes

  unsigned digits() const { return (width + radix_bits + 2 + radix_bits - 1) / radix_bits; }
  unsigned operand_bits() const { return radix_bits * digits(); }
};

enum class Fault {
  kNone,
  kHang,     // never done
  kGarbage,  // the result is random, below the modulus
  kFlip,     // one bit of the result flips, a different one each time
  kHuge,     // the result is all ones
  kSlvErr,   // accesses are refused
  kDead,     // no answer to accesses, from the middle of an operation until a reset
  kSlow,     // a hundred times slower
  kFlag,     // flags a range error for valid operands
  kLost,     // loses the last word of the modulus
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

  // Injects a fault from the next operation on, for `count` operations or for ever.
  void inject(Fault fault, int count = -1);
  // Whether any operand or result register still contains these words.
  bool holds(const BIGNUM* number) const;
  // Whether every operand and result register is zero.
  bool zeroized() const;
  // Flips a bit of R2, M or a constant.
  void flip_loaded(unsigned line, unsigned bit);
  bool no_reset = false;
  std::uint64_t reset_cycles = 0;  // how long the zeroization at the end of a reset takes

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
  bool busy_ = false, done_ = false, stuck_ = false, clearing_ = false;
  std::atomic<Fault> fault_{Fault::kNone};
  std::atomic<int> fault_count_{0};
  Fault current_ = Fault::kNone;
  unsigned flip_ = 0;
};

// The board as a backend: with a stepped clock, or a free-running one (one cycle per access).
extern const perle_backend kSoftSimulated;
extern const perle_backend kSoftFree;
