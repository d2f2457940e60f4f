// SPDX-License-Identifier: Apache-2.0
//
// The parts of a private power that boards form by themselves: with CRT numbers one power a prime, else a
// single one.
#pragma once

#include "board/board_set.hpp"
#include "rsa/key.hpp"

namespace perle {

struct Half {
  std::shared_ptr<const Modulus> modulus;
  Bn exponent;
  unsigned bits;  // of the longest exponent that it might be
};

// The halves of c^d mod n of a private key on boards of that shape. With `blind` every exponent is e + r·(p −
// 1) for a secret and new r, which does the same as e. Throws PERLE_ERR_WIDTH, _UNSUPPORTED.
std::vector<Half> halves_of(const Shape& shape, const Key& key, bool blind);

// The public width of a half's exponent: whole windows, as far as the exponent line goes. Throws _WIDTH.
unsigned public_width(const Shape& shape, const Half& half);

// Bits of the number that blinds an exponent modulo `modulus`; 0: boards of that shape have no room for it.
unsigned exponent_blinding_bits(const Shape& shape, const Bn& modulus);

// c^d mod n from the powers of all halves, in the order of halves_of.
Bn recombine(const Key& key, const std::vector<const Bn*>& powers);

// c^d mod n for c < n in software, from the numbers that boards get, in constant time.
Bn software_power(const Key& key, const Bn& c);

// Whether a half's power is that of `base`: found out with the public exponent.
bool right_power(const Key& key, const Half& half, const Bn& base, const Bn& power);

}  // namespace perle
