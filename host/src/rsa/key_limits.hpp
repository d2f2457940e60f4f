// SPDX-License-Identifier: Apache-2.0
//
// How long the numbers of a public key may be: OpenSSL's limits for operations with public keys. A key may
// come from anybody, and a power modulo 16384 bits with an exponent as long takes seconds.
#pragma once

#include <string>

#include "rsa/bn.hpp"

namespace perle {

constexpr unsigned kMostModulusBits = 16384;
// Beyond this length of a modulus the public exponent is limited.
constexpr unsigned kSmallModulusBits = 3072, kMostExponentBits = 64;

// What is too long, in words; nothing if nothing is.
std::string modulus_too_long(const Bn& n);
std::string exponent_too_long(const Bn& n, const Bn& e);

}  // namespace perle
