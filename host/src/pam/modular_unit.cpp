// SPDX-License-Identifier: Apache-2.0
#include "pam/modular_unit.hpp"

#include <bit>

namespace perle {
namespace {

constexpr unsigned kWord = 32;
// Addresses of bytes; the only read is at the address of WriteB.
constexpr std::uint32_t kReadP = 0, kWriteB = 0, kWriteBAlign = 4, kSquare = 8, kMultB1 = 12, kMultB3 = 16;
// k(d+1): the places that ReadP leaves the one of the domain too low, and the bits that Mt has beyond M.
constexpr unsigned kQuotientBits = 4;
// The closure bound: β >= 2^(Width + 6).
constexpr unsigned kGuard = 6;
constexpr std::size_t kLongest = 1040 / kWord + 1;

bool bit(const Bn& value, unsigned i) { return BN_is_bit_set(value.get(), static_cast<int>(i)) == 1; }

std::size_t words(unsigned bits) { return (bits + kWord - 1) / kWord; }

}  // namespace

Chain chain_of(const Bn& exponent) {
  Chain chain;
  for (unsigned left = exponent.bits(); left > 0;) {
    const bool one = bit(exponent, left - 1);
    const bool three = one && left > 1 && bit(exponent, left - 2);
    left -= three ? 2 : 1;
    // The highest digit is loaded, so there are no squarings before it.
    if (!chain.products.empty()) chain.products.insert(chain.products.end(), three ? 2 : 1, kSquare);
    if (one) chain.products.push_back(three ? kMultB3 : kMultB1);
    if (three) check_crypto(BN_set_bit(chain.thirds.get(), static_cast<int>(left)) == 1, "number");
  }
  chain.thirds.secret();
  return chain;
}

ProductUnit::ProductUnit(System& system, std::size_t board, const Bn& prime, const char* name)
    : board_(board) {
  r_exp_ = find_r_exp(system, name);
  if (prime.bits() + kGuard > r_exp_)
    throw Error(PERLE_ERR_WIDTH, std::string("the prime ") + name + " has " + std::to_string(prime.bits()) +
                                     " bits, its modular product unit takes " +
                                     std::to_string(r_exp_ - kGuard));
  operand_words_ = words(r_exp_ - kGuard);
  result_words_ = words(prime.bits() + kQuotientBits + 1);  // below 2·Mt
  check_prime(system, prime, name);
}

// ReadP leaves β/16 in A, WriteB copies it to S: find its only bit.
unsigned ProductUnit::find_r_exp(System& system, const char* name) const {
  system.read(board_, kReadP);
  system.write(board_, kWriteB, 0);
  system.read(board_, kReadP);
  for (std::size_t i = 0; i < kLongest; ++i) {
    const std::uint32_t data = system.read(board_, kReadP);
    if (data == 0) continue;
    const auto found = static_cast<unsigned>(kWord * i) + static_cast<unsigned>(std::countr_zero(data));
    if (!std::has_single_bit(data) || found + kQuotientBits <= kGuard) break;
    return found + kQuotientBits;
  }
  throw Error(PERLE_ERR_ARGUMENT,
              std::string("the board for the prime ") + name + " is no modular product unit");
}

// Squares an odd number of full width: S·β ≡ v² holds only modulo the prime that the unit is built for.
void ProductUnit::check_prime(System& system, const Bn& prime, const char* name) const {
  Bn v(1), beta(1);
  check_crypto(BN_set_bit(v.get(), static_cast<int>(prime.bits() - 1)) == 1, "number");
  check_crypto(BN_set_bit(beta.get(), static_cast<int>(r_exp_)) == 1 && BN_clear_bit(beta.get(), 0) == 1,
               "number");
  const HostWords b1 = host_words(v, operand_words_), b3(operand_words_);
  HostWords out(result_words_);
  Program program = load(b3, b1);
  program.write(board_, kMultB1);
  program.write(board_, kSquare);
  program += unload(out);
  program.run(system, 0);
  const Arithmetic math;
  if (!(math.mulmod(number_of(out), beta, prime) == math.mulmod(v, v, prime)))
    throw Error(PERLE_ERR_ARGUMENT, std::string("the modular product unit for the prime ") + name +
                                        " is built for another modulus");
}

Program ProductUnit::load(const HostWords& b3, const HostWords& b1) const {
  const std::size_t all = 2 * operand_words_;
  Program program;
  // Short operands leave too few writes for the alignment: some words go through.
  for (std::size_t i = all; i < kQuotientBits; ++i) program.write(board_, kWriteBAlign);
  for (std::size_t i = 0; i < all; ++i) {
    const std::uint32_t* from = i < operand_words_ ? &b3[i] : &b1[i - operand_words_];
    program.write(board_, all - i <= kQuotientBits ? kWriteBAlign : kWriteB, from);
  }
  return program;
}

Program ProductUnit::products(const Chain& chain) const {
  Program program;
  for (const std::uint32_t product : chain.products) program.write(board_, product);
  return program;
}

Program ProductUnit::times(const HostWords& b1) const {
  Program program;
  for (const std::uint32_t& word : b1) program.write(board_, kWriteB, &word);
  program.write(board_, kMultB1);
  return program;
}

Program ProductUnit::unload(HostWords& out) const {
  Program program;
  program.read(board_, kReadP, nullptr);
  for (std::uint32_t& word : out) program.read(board_, kReadP, &word);
  return program;
}

}  // namespace perle
