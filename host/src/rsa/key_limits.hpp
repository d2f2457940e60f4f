// SPDX-License-Identifier: Apache-2.0
//
// Limits on the lengths of the numbers of a public key, those of OpenSSL. A key may come from an untrusted
// source, and a power modulo 16384 bits with an exponent of the same length takes seconds.
#pragma once

#include <string>

#include "rsa/bn.hpp"

namespace perle {

constexpr unsigned kMostModulusBits = 16384;
// Beyond this length of a modulus the public exponent is limited.
constexpr unsigned kSmallModulusBits = 3072, kMostExponentBits = 64;

// Error text if a number is too long, else an empty string.
std::string modulus_too_long(const Bn& n);
std::string exponent_too_long(const Bn& n, const Bn& e);

}  // namespace perle
