// SPDX-License-Identifier: Apache-2.0
#include "pam/modular_half.hpp"

#include "pam/driver_crt.hpp"

namespace perle {
namespace {

constexpr unsigned kHighBits = 5;         // results are below 2·Mt < 32·M
constexpr std::uint64_t kFoldLookUp = 8;  // instructions: shift, mask, index, address
constexpr unsigned kLoose = 2;            // bits that an unreduced operand has beyond its prime's

void check_width(const ModularHalf::Numbers& of, unsigned takes, const char* board) {
  if (of.prime.bits() + kLoose > takes)
    throw Error(PERLE_ERR_WIDTH, std::string("the prime ") + of.name + " has " +
                                     std::to_string(of.prime.bits()) + " bits, the " + board + " takes " +
                                     std::to_string(takes - kLoose));
}

}  // namespace

ModularHalf::ModularHalf(System& system, std::size_t board, const Numbers& of, const CrtBoard& crt,
                         bool merged)
    : unit_(system, board, of.prime, of.name), chain_(chain_of(of.exponent)), merged_(merged) {
  check_width(of, crt.width(), "register multiplier");
  check_width(of, static_cast<unsigned>(32 * unit_.operand_words()), "modular product unit's operand");
  crt_.prime = of.prime;
  crt_.b1 = crt_.b3 = HostWords(unit_.operand_words());
  crt_.result = HostWords(unit_.result_words());
  one_ = host_words(Bn(1), unit_.operand_words());
  const Bn beta = power_of_two(unit_.r_exp()), radix = power_of_two(crt.width());
  if (merged) {
    set_merged(beta, radix, of.inverse, of.exponent);
  } else {
    set_plain(beta, radix, of.inverse);
    set_table();
  }
}

// x enters as x·β, its cube as x³·β: two of the multiplier's products over R make x³·β³/R².
void ModularHalf::set_plain(const Bn& beta, const Bn& radix, const Bn& inverse) {
  const Arithmetic math;
  const Bn& m = crt_.prime;
  Bn beta_inverse;
  check_crypto(math.inverse(beta, m, beta_inverse), "inverse");
  crt_.enter_low = math.mulmod(beta, radix, m);
  crt_.enter_high = math.mulmod(crt_.enter_low, radix, m);
  const Bn ratio = math.mulmod(radix, beta_inverse, m);  // R/β
  crt_.cube = math.mulmod(math.mulmod(ratio, ratio, m), radix, m);
  crt_.leave = math.mulmod(inverse, radix, m);
}

// x enters as y = x/R, which needs no product with a constant, and its cube as y³/R². In the unit's domain
// these are y/β and (y/β)³·(β/R)². So x^e is the result, over β, times (R·β)^e, and for each cube times
// (R/β)² to the power of two of its position: a constant of the key.
void ModularHalf::set_merged(const Bn& beta, const Bn& radix, const Bn& inverse, const Bn& exponent) {
  const Arithmetic math;
  const Bn& m = crt_.prime;
  Bn beta_inverse;
  check_crypto(math.inverse(beta, m, beta_inverse), "inverse");
  crt_.enter_high = math.mod(radix, m);
  const Bn ratio = math.mulmod(radix, beta_inverse, m);
  Bn factor = math.modexp(math.mulmod(radix, beta, m), exponent, m);
  factor = math.mulmod(factor, math.modexp(math.mulmod(ratio, ratio, m), chain_.thirds, m), m);
  factor = math.mulmod(factor, beta_inverse, m);
  crt_.leave = math.mulmod(factor, math.mulmod(inverse, radix, m), m);
}

void ModularHalf::set_table() {
  const Arithmetic math;
  const Bn step = power_of_two(crt_.prime.bits());
  for (std::uint64_t high = 0; high < (1U << kHighBits); ++high)
    table_.push_back(host_words(math.mulmod(Bn(high), step, crt_.prime), crt_.result.size()));
}

Program ModularHalf::fold() {
  Program program;
  if (!merged_)
    program.work(kFoldLookUp + HostCost::kWordAdd * ((crt_.prime.bits() + 31) / 32), [this] { fold_now(); });
  return program;
}

void ModularHalf::fold_now() {
  HostWords& z = crt_.result;
  const unsigned bits = crt_.prime.bits();
  std::uint32_t high = 0;
  for (unsigned i = 0; i < kHighBits; ++i) {
    std::uint32_t& at = z[(bits + i) / 32];
    high |= (at >> ((bits + i) % 32) & 1U) << i;
    at &= ~(1U << ((bits + i) % 32));
  }
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    carry += std::uint64_t{z[i]} + table_[high][i];
    z[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
}

}  // namespace perle
