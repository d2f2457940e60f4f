// SPDX-License-Identifier: Apache-2.0
#include "pam/driver_crt.hpp"

#include <algorithm>

namespace perle {
namespace {

PrimeNumbers prime_numbers(const Bn& m, const Bn& exponent, std::size_t words) {
  const Arithmetic math;
  const std::size_t beta = kDigitBits * words;
  PrimeNumbers made;
  made.m = m.to_words(kDigitBits, words);
  made.m_prime = minus_inverse(m, beta).to_words(kDigitBits, words);
  for (std::size_t j = 0; j < kParts; ++j)
    made.enter[j] = math.mod(power_of_two(2 * beta + (beta - kDigitBits) * j), m).to_words(kDigitBits, words);
  made.one = math.mod(power_of_two(beta), m).to_words(kDigitBits, words);
  made.exponent = exponent;
  return made;
}

}  // namespace

std::size_t crt_words(const Key& key) {
  // At least four: then three parts of one word less hold a block of twice as many words.
  return std::max<std::size_t>(4, (key.half_bits() + 2 + kDigitBits - 1) / kDigitBits);
}

Bn power_of_two(std::size_t exponent) {
  Bn power;
  check_crypto(BN_set_bit(power.get(), static_cast<int>(exponent)) == 1, "power of two");
  return power;
}

Bn minus_inverse(const Bn& m, std::size_t bits) {
  const Arithmetic math;
  const Bn radix = power_of_two(bits);
  Bn inverse;
  check_crypto(math.inverse(m, radix, inverse), "inverse");
  return math.sub(radix, inverse);
}

CrtNumbers crt_numbers(const Key& key, std::size_t words) {
  const Arithmetic math;
  const Bn minus = math.mulmod(math.sub(key.p(), key.qinv()), power_of_two(kDigitBits * words), key.p());
  return {words,
          prime_numbers(key.p(), key.dp(), words),
          prime_numbers(key.q(), key.dq(), words),
          key.qinv().to_words(kDigitBits, words),
          minus.to_words(kDigitBits, words),
          key.n()};
}

Words part_of(const Words& c, std::size_t j, std::size_t words) {
  Words part(words);
  for (std::size_t i = 0; i + 1 < words && j * (words - 1) + i < c.size(); ++i)
    part[i] = c[j * (words - 1) + i];
  return part;
}

Bn below(System& system, const Bn& x, const Bn& n) {
  const Arithmetic math;
  system.compute(2 * HostCost::kWordAdd * ((n.bits() + kDigitBits - 1) / kDigitBits));
  return x < n ? x : math.sub(x, n);
}

}  // namespace perle
