// SPDX-License-Identifier: Apache-2.0
//
// Cost of long arithmetic in software, in instructions of the host: schoolbook algorithms, as in the paper's
// bignum package.
#pragma once

#include "pam/driver.hpp"

namespace perle::software {

constexpr std::uint64_t product(std::size_t a, std::size_t b) {
  return a * b * HostCost::kWordMultiply + std::min(a, b) * HostCost::kLoop;
}
// Every product of two different words is computed once and doubled.
constexpr std::uint64_t square(std::size_t n) {
  return n * (n + 1) / 2 * HostCost::kWordMultiply + n * (HostCost::kLoop + HostCost::kWordAdd);
}
// Montgomery reduction by a modulus of n words, word by word.
constexpr std::uint64_t reduction(std::size_t n) {
  return n * (n + 1) * HostCost::kWordMultiply + n * HostCost::kLoop;
}
// Division of a words by b words: shifts of both and of the remainder, and a row per word of the quotient.
constexpr std::uint64_t division(std::size_t a, std::size_t b) {
  if (a < b) return b * HostCost::kWordAdd;
  if (b == 1) return a * HostCost::kWordMultiply;
  return (a - b + 1) * ((b + 1) * HostCost::kWordMultiply + HostCost::kLoop) +
         (a + 2 * b) * HostCost::kWordAdd;
}

}  // namespace perle::software
