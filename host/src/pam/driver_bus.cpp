// SPDX-License-Identifier: Apache-2.0
//
// Drivers of bus multipliers (shand1990, sections 3.2 and 4.1): every operand and every result crosses the
// bus. A Montgomery product, of numbers of L words, is three multiplications: t = x·y, q = t·(−1/M) mod β,
// and (t
// + q·M)/β.
//
//   full_bignum, full_straight
//                 Rows 2 and 3 of table 1: c^d mod n without the Chinese remainder theorem
//                 (full_exponent.hpp).
//   bus_bignum    Row 6, "hardware bignum": one board behind the multiply routine of a bignum library. Each
//                 multiplication is separate, takes 2L + L + 1 rows of accesses, and returns all of its
//                 words. The routine is a loop, which costs HostCost::kLoop per row in addition to the
//                 accesses; so do the call, and each product of the exponentiation. 3·(7L + 2) accesses per
//                 product.
//   bus_assembly  Rows 7 and 8, "optimized assembly code": the same without loops, and without reading
//                 unused words (the upper half of q, the lower half of t + q·M, which is zero): 19L + 6
//                 accesses. The host waits for the board.
//   bus_straight  One board again, straight-line code, and multiplications overlapped as in figure 2: 16L or
//                 16L + 3 accesses (pipelined_montgomery.hpp). The paper overlaps those of its multiplier of
//                 fixed length only (row 3).
//   bus_chained   Row 9: three boards, one for each multiplication, two of which keep their A for a whole
//                 exponentiation; 16L + 5 accesses (chained_montgomery.hpp).
//
// The exponentiation is left-to-right square-and-multiply: time depends on the bits of dp and dq. An exponent
// of b bits, w of them ones, takes b + w − 2 products. A block takes those of both primes, and separate
// multiplications as in bus_assembly or bus_bignum: 2·5 to convert to the Chinese remainder representation, 2
// + 4 + 1 to convert back. The host subtracts n from the result if necessary: HostCost::kWordAdd, in below().
// Primes have at most 32·L − 2 bits; L is that of the longer one. Set-up once per run: remains of an earlier
// run are shifted out of the boards; constants are in the host's memory.
#include <string>

#include "pam/chained_montgomery.hpp"
#include "pam/pipelined_montgomery.hpp"
#include "rsa/full_exponent.hpp"

namespace perle {
namespace {

enum class Code { kBignum, kAssembly, kStraight, kChained };

class BusDriver {
 public:
  BusDriver(System& system, const Key& key, Code code)
      : system_(system), code_(code), shape_(bus_shape(system)), words_(shape_.length(crt_words(key))) {
    if (words_ == 0)
      throw Error(PERLE_ERR_WIDTH, "a prime has " + std::to_string(key.half_bits()) +
                                       " bits, bus multipliers of " + std::to_string(shape_.words) +
                                       " words take " + std::to_string(kDigitBits * shape_.words - 2));
    numbers_ = crt_numbers(key, words_);
    for (std::size_t i = 0; i < system.count(); ++i) boards_.emplace_back(system, i);
    for (BusBoard& board : boards_) board.clear(shape_.words);
  }

  Bn run(const Bn& block) {
    const Words c = block.to_words(kDigitBits, 2 * words_);
    const Words z_p = power(numbers_.p, enter(numbers_.p, c));
    const Words z_q = power(numbers_.q, enter(numbers_.q, c));
    const Words x_q = reduce(numbers_.q, z_q);
    const Words h = reduce(numbers_.p, multiply(x_q, numbers_.minus, multiply(z_p, numbers_.qinv, {})));
    Words s = x_q;
    s.resize(2 * words_);
    return below(system_, Bn::from_words(multiply(numbers_.q.m, h, s), kDigitBits), numbers_.n);
  }

 private:
  Words multiply(const Words& a, const Words& b, const Words& s) {
    return multiply(a, b, s, {0, 2 * words_});
  }
  // A separate multiplication on the first board.
  Words multiply(const Words& a, const Words& b, const Words& s, Wanted wanted) {
    const bool all = code_ == Code::kBignum;
    return boards_[0].multiply(a, b, s, all ? Wanted{0, 2 * words_} : wanted, all);
  }

  // t/β modulo the prime, for t of 2L words, or of L.
  Words reduce(const PrimeNumbers& prime, Words t) {
    t.resize(2 * words_);
    Words low(t.begin(), t.begin() + static_cast<std::ptrdiff_t>(words_));
    Words q = multiply(prime.m_prime, low, {}, {0, words_});
    q.resize(words_);
    const Words sum = multiply(prime.m, q, t, {words_, 2 * words_});
    return {sum.begin() + static_cast<std::ptrdiff_t>(words_), sum.end()};
  }

  Words enter(const PrimeNumbers& prime, const Words& c) {
    Words t;
    for (std::size_t j = 0; j < kParts; ++j) t = multiply(prime.enter[j], part_of(c, j, words_), t);
    return reduce(prime, t);
  }

  // x^exponent, in the domain.
  Words power(const PrimeNumbers& prime, const Words& x) {
    if (code_ == Code::kStraight) {
      PipelinedMontgomery board(boards_[0], prime.m, prime.m_prime);
      return chain(board, prime.exponent, x);
    }
    if (code_ == Code::kChained) {
      ChainedMontgomery three(boards_[0], boards_[1], boards_[2], prime.m, prime.m_prime);
      return chain(three, prime.exponent, x);
    }
    Words acc = x;
    for (int bit = static_cast<int>(prime.exponent.bits()) - 2; bit >= 0; --bit) {
      acc = product(prime, acc, acc);
      if (BN_is_bit_set(prime.exponent.get(), bit) == 1) acc = product(prime, acc, x);
    }
    return acc;
  }

  Words product(const PrimeNumbers& prime, const Words& x, const Words& y) {
    if (code_ == Code::kBignum) system_.compute(HostCost::kLoop);
    return reduce(prime, multiply(x, y, {}));
  }

  template <typename Machine>
  static Words chain(Machine& machine, const Bn& exponent, const Words& x) {
    machine.start(x);
    for (int bit = static_cast<int>(exponent.bits()) - 2; bit >= 0; --bit) {
      machine.square();
      if (BN_is_bit_set(exponent.get(), bit) == 1) machine.multiply(x);
    }
    return machine.finish();
  }

  System& system_;
  Code code_;
  BusShape shape_;
  std::size_t words_;
  CrtNumbers numbers_;
  std::vector<BusBoard> boards_;
};

template <Code code>
std::vector<Bn> run(System& system, const Key& key, std::span<const Bn> blocks) {
  BusDriver driver(system, key, code);
  std::vector<Bn> results;
  for (const Bn& block : blocks) results.push_back(driver.run(block));
  return results;
}

template <bool straight>
std::vector<Bn> full(System& system, const Key& key, std::span<const Bn> blocks) {
  FullExponent driver(system, key, straight);
  std::vector<Bn> results;
  for (const Bn& block : blocks) results.push_back(driver.run(block));
  return results;
}

}  // namespace

const std::vector<Driver> kBusDrivers = {
    {"full_bignum", "bus_mul", full<false>},
    {"full_straight", "bus_mul", full<true>},
    {"bus_bignum", "bus_mul", run<Code::kBignum>},
    {"bus_assembly", "bus_mul", run<Code::kAssembly>},
    {"bus_straight", "bus_mul", run<Code::kStraight>},
    {"bus_chained", "bus_mul,bus_mul,bus_mul", run<Code::kChained>},
};

}  // namespace perle
