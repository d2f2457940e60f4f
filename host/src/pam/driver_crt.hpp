// SPDX-License-Identifier: Apache-2.0
//
// Constants of a key for drivers of multipliers: for Montgomery products and the Chinese remainder theorem,
// as 32-bit words, for boards that multiply numbers of `words` words. β = 2^(32·words), 4M <= β for both
// primes M: operands and results stay below 2M, and no comparison or subtraction is needed before the end.
//
//   enter    c·β mod M = (Σ c_j·enter_j)/β, where c_j are the parts of c, of words − 1 words each: below 2M
//   leave    z/β mod M: at most M
//   h        (z_p·qinv + x_q·minus)/β = (x_p − x_q)/q mod p: below 1.75·p
//   join     x_q + q·h, below 2n; the host subtracts n if it must
//
// Each "/β" is a Montgomery reduction of a number below β·M. Both primes use the same number of words.
#pragma once

#include <array>

#include "pam/driver.hpp"

namespace perle {

constexpr unsigned kDigitBits = 32;
constexpr std::size_t kParts = 3;

struct PrimeNumbers {
  Words m, m_prime;                 // M and −1/M mod β
  std::array<Words, kParts> enter;  // β²·2^(32·(words − 1)·j) mod M
  Words one;                        // β mod M
  Bn exponent;
};

struct CrtNumbers {
  std::size_t words;
  PrimeNumbers p, q;
  Words qinv, minus;  // 1/q mod p, and −β/q mod p
  Bn n;
};

// Words needed so that 4M <= β for both primes, and kParts parts of one word less hold any block.
std::size_t crt_words(const Key& key);
CrtNumbers crt_numbers(const Key& key, std::size_t words);
// 2^exponent
Bn power_of_two(std::size_t exponent);
// −1/m mod 2^bits
Bn minus_inverse(const Bn& m, std::size_t bits);
// Part j of c, in `words` words of which the highest is zero.
Words part_of(const Words& c, std::size_t j, std::size_t words);
// The last step, on the host: x mod n for x < 2n. A comparison and a subtraction are accounted.
Bn below(System& system, const Bn& x, const Bn& n);

}  // namespace perle
