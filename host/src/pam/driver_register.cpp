// SPDX-License-Identifier: Apache-2.0
//
// Drivers of three register multipliers (shand1990, section 3.3): boards 0 and 1 exponentiate modulo p and q
// at the same time, in their registers. Meanwhile board 2 converts the next block to the Chinese remainder
// representation, and recombines the previous one. A Montgomery product takes six instructions
// (perle/pam/reg_mul).
//
//   reg_naive     Rows 10 to 12 of table 1: "naive driving code". For each bit of both exponents: a squaring
//                 on both boards, then a product on those whose bit is one, so that a board waits while only
//                 the other multiplies. Each product is a subroutine that leaves its result in a register:
//                 seven instructions. Every access costs HostCost::kLoop (a loop finds it, and builds its
//                 address of specifiers), and so does every bit.
//   reg_straight  Row 13: straight-line code. The boards' sequences are independent and prepared beforehand:
//                 accesses to boards 0 and 1 alternate, and those of board 2 are spread evenly among them.
//
// The exponentiation is left-to-right square-and-multiply: time depends on the bits of dp and dq. An exponent
// of b bits, w of them ones, takes b + w − 2 products, at least one.
//
// Accesses per block: 6 (naive: 7) for each product; for registers of L words 2L + 22 + 4L to convert the
// block in, and 4L + 15 + 2L to convert the result out: 133 for 256 bits. Primes have at most 32·L − 2 bits.
// No number is compared except the result, which the host reduces (HostCost::kWordAdd, in below()). Set-up
// once per run: the constants, 21L accesses.
#include <algorithm>
#include <string>

#include "pam/register_crt.hpp"

namespace perle {
namespace {

constexpr int kNone = RegisterBoard::kNone;
// Registers of boards 0 and 1. Two blocks: one is exponentiated while the next is loaded.
enum Register { kM, kMPrime, kLow, kHigh, kQuotient, kAcc, kX0, kX1, kZ, kOne };
constexpr RegisterBoard::Scratch kScratch = {kM, kMPrime, kLow, kHigh, kQuotient};

// The products of one prime: one or two for each bit of the exponent below the highest.
struct Product {
  int x, y;
};
// It reveals the bits of a secret exponent: zeroized.
template <typename T>
using ZeroizedVector = std::vector<T, ZeroizingAllocator<T>>;
using Chain = ZeroizedVector<ZeroizedVector<Product>>;

Chain chain_of(const PrimeNumbers& prime, int x) {
  Chain chain;
  int acc = x;
  for (int bit = static_cast<int>(prime.exponent.bits()) - 2; bit >= 0; --bit) {
    chain.push_back({{acc, acc}});
    acc = kAcc;
    if (BN_is_bit_set(prime.exponent.get(), bit) == 1) chain.back().push_back({kAcc, x});
  }
  if (chain.empty()) chain.push_back({{x, kOne}});  // an exponent of one also needs a product
  return chain;
}

class RegisterDriver {
 public:
  RegisterDriver(System& system, const Key& key, bool naive)
      : system_(system),
        naive_(naive),
        words_(register_words(system)),
        powers_{RegisterBoard(0, words_), RegisterBoard(1, words_)},
        crt_(2, words_) {
    if (crt_words(key) > words_)
      throw Error(PERLE_ERR_WIDTH, "a prime has " + std::to_string(key.half_bits()) + " bits, registers of " +
                                       std::to_string(kDigitBits * words_) + " bits take " +
                                       std::to_string(kDigitBits * words_ - 2));
    numbers_ = crt_numbers(key, words_);
    for (std::size_t prime = 0; prime < 2; ++prime) {
      const PrimeNumbers& numbers = prime == 0 ? numbers_.p : numbers_.q;
      powers_[prime].load(system_, kM, numbers.m);
      powers_[prime].load(system_, kMPrime, numbers.m_prime);
      powers_[prime].load(system_, kOne, numbers.one);
    }
    crt_.load(system_, numbers_);
  }

  std::vector<Bn> run(std::span<const Bn> blocks) {
    std::vector<Bn> results;
    if (blocks.empty()) return results;
    for (std::size_t k = 0; k <= blocks.size() + 1; ++k) {
      // In period k block k − 1 is on boards 0 and 1: k comes in, k − 2 goes out.
      Program side;
      if (k < blocks.size()) {
        std::ranges::copy(host_words(blocks[k], crt_.block().size()), crt_.block().begin());
        side = crt_.way_in(powers_, x_of(k));
      }
      if (k >= 2) side += crt_.way_out(powers_, kZ);
      period(k, blocks.size(), side);
      if (k >= 2) results.push_back(below(system_, number_of(crt_.result()), numbers_.n));
    }
    return results;
  }

 private:
  static int x_of(std::size_t block) { return block % 2 == 0 ? kX0 : kX1; }

  void access(const Program& program, std::size_t i) {
    program.run_step(system_, naive_ ? HostCost::kLoop : 0, i);
  }

  // `side` is the concurrent work of board 2; before the first block and after the last one it is the only
  // work.
  void period(std::size_t k, std::size_t blocks, const Program& side) {
    if (k >= 1 && k <= blocks) {
      const int x = x_of(k - 1);
      const std::array<Chain, 2> chains = {chain_of(numbers_.p, x), chain_of(numbers_.q, x)};
      naive_ ? bit_by_bit(chains, side) : interleaved(chains, k >= 2, side);
      return;
    }
    Program program;
    if (k > 0 && !naive_)
      for (const RegisterBoard& board : powers_) board.charge(program, kNone, kNone, kZ);
    program += side;
    for (std::size_t i = 0; i < program.size(); ++i) access(program, i);
  }

  // The first Charge of a product stores the result of the previous one, across blocks too.
  void interleaved(const std::array<Chain, 2>& chains, bool follows, const Program& side) {
    std::array<Program, 2> sequences;
    for (std::size_t prime = 0; prime < 2; ++prime) {
      int closes = follows ? kZ : kNone;
      for (const auto& bit : chains[prime])
        for (const Product& one : bit) {
          powers_[prime].product(sequences[prime], one.x, one.y, kScratch, closes);
          closes = kAcc;
        }
    }
    const std::size_t slots = std::max(sequences[0].size(), sequences[1].size());
    const std::size_t stride = std::max<std::size_t>(1, slots / std::max<std::size_t>(1, side.size()));
    std::size_t next = 0;
    for (std::size_t i = 0; i < slots; ++i) {
      for (const Program& each : sequences)
        if (i < each.size()) access(each, i);
      if (i % stride == stride - 1 && next < side.size()) access(side, next++);
    }
    for (; next < side.size(); ++next) access(side, next);
  }

  void bit_by_bit(const std::array<Chain, 2>& chains, const Program& side) {
    const std::size_t bits = std::max(chains[0].size(), chains[1].size());
    const std::size_t share = (side.size() + bits - 1) / bits;
    std::size_t next = 0;
    for (std::size_t bit = 0; bit < bits; ++bit) {
      system_.compute(HostCost::kLoop);
      // Read z before the products: the last of them overwrites it.
      for (std::size_t i = 0; i < share && next < side.size(); ++i) access(side, next++);
      for (std::size_t which = 0; which < 2; ++which) {
        const Program both = Program::alternate(subroutine(0, chains[0], bits - bit, which),
                                                subroutine(1, chains[1], bits - bit, which));
        for (std::size_t i = 0; i < both.size(); ++i) access(both, i);
      }
    }
  }

  // The squaring (0) or multiplication (1) of the bit that has `left` − 1 bits after it; nothing for a
  // multiplication if the bit is zero. Both exponents end together, because the result of the previous block
  // must stay in z until it has been read.
  Program subroutine(std::size_t prime, const Chain& chain, std::size_t left, std::size_t which) const {
    Program to;
    if (left > chain.size()) return to;
    const auto& products = chain[chain.size() - left];
    if (which >= products.size()) return to;
    powers_[prime].product(to, products[which].x, products[which].y, kScratch, kNone);
    const bool last = left == 1 && which + 1 == products.size();
    powers_[prime].charge(to, kNone, kNone, last ? kZ : kAcc);
    return to;
  }

  System& system_;
  bool naive_;
  std::size_t words_;
  std::array<RegisterBoard, 2> powers_;
  RegisterCrt crt_;
  CrtNumbers numbers_;
};

std::vector<Bn> naive(System& system, const Key& key, std::span<const Bn> blocks) {
  return RegisterDriver(system, key, true).run(blocks);
}
std::vector<Bn> straight(System& system, const Key& key, std::span<const Bn> blocks) {
  return RegisterDriver(system, key, false).run(blocks);
}

}  // namespace

const std::vector<Driver> kRegisterDrivers = {
    {"reg_naive", "reg_mul,reg_mul,reg_mul", naive},
    {"reg_straight", "reg_mul,reg_mul,reg_mul", straight},
};

}  // namespace perle
