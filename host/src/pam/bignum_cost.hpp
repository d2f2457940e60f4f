// SPDX-License-Identifier: Apache-2.0
//
// What long arithmetic costs a host that does all of it, in its instructions: schoolbook, as the paper's
// package.
#pragma once

#include "pam/driver.hpp"

namespace perle::software {

constexpr std::uint64_t product(std::size_t a, std::size_t b) {
  return a * b * HostCost::kWordMultiply + std::min(a, b) * HostCost::kLoop;
}
// Every product of two different words once, and doubled.
constexpr std::uint64_t square(std::size_t n) {
  return n * (n + 1) / 2 * HostCost::kWordMultiply + n * (HostCost::kLoop + HostCost::kWordAdd);
}
// Montgomery's reduction by a modulus of n words, word after word.
constexpr std::uint64_t reduction(std::size_t n) {
  return n * (n + 1) * HostCost::kWordMultiply + n * HostCost::kLoop;
}
// A number of a words by one of b: shifts of both and of the remainder, then a row for each word of the
// quotient.
constexpr std::uint64_t division(std::size_t a, std::size_t b) {
  if (a < b) return b * HostCost::kWordAdd;
  if (b == 1) return a * HostCost::kWordMultiply;
  return (a - b + 1) * ((b + 1) * HostCost::kWordMultiply + HostCost::kLoop) +
         (a + 2 * b) * HostCost::kWordAdd;
}

}  // namespace perle::software
