// SPDX-License-Identifier: Apache-2.0
//
// The parts of a private power that boards compute independently: with CRT numbers one power per prime, else
// a single one.
#pragma once

#include "board/board_set.hpp"
#include "rsa/key.hpp"

namespace perle {

struct Half {
  std::shared_ptr<const Modulus> modulus;
  Bn exponent;
  unsigned bits;  // of the longest possible exponent
};

// The halves of c^d mod n for boards of that shape. With `blind` an exponent e is replaced by e + r·(p − 1)
// with a new secret r. Throws PERLE_ERR_WIDTH, _UNSUPPORTED.
std::vector<Half> halves_of(const Shape& shape, const Key& key, bool blind);

// The public width of a half's exponent, rounded up to whole windows, but at most the width of the exponent
// register. Throws PERLE_ERR_WIDTH.
unsigned public_width(const Shape& shape, const Half& half);

// Bits of the random multiplier that blinds an exponent for `modulus`; 0: the exponent register is too short.
unsigned exponent_blinding_bits(const Shape& shape, const Bn& modulus);

// c^d mod n from the powers of all halves, in the order of halves_of.
Bn recombine(const Key& key, const std::vector<const Bn*>& powers);

// c^d mod n for c < n in software, in constant time, from the same numbers of the key.
Bn software_power(const Key& key, const Bn& c);

// Whether `power` is the power of `base` for that half, checked with the public exponent.
bool right_power(const Key& key, const Half& half, const Bn& base, const Bn& power);

}  // namespace perle
