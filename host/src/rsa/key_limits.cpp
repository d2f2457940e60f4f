// SPDX-License-Identifier: Apache-2.0
#include "rsa/key_limits.hpp"

namespace perle {

std::string modulus_too_long(const Bn& n) {
  if (n.bits() <= kMostModulusBits) return {};
  return "the key's modulus has " + std::to_string(n.bits()) + " bits, more than " +
         std::to_string(kMostModulusBits);
}

std::string exponent_too_long(const Bn& n, const Bn& e) {
  if (!(e < n)) return "the key's public exponent is not below its modulus";
  if (n.bits() <= kSmallModulusBits || e.bits() <= kMostExponentBits) return {};
  return "the key's public exponent has " + std::to_string(e.bits()) + " bits; with a modulus of more than " +
         std::to_string(kSmallModulusBits) + " bits it may have " + std::to_string(kMostExponentBits);
}

}  // namespace perle
