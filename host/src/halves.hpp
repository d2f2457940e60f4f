// SPDX-License-Identifier: Apache-2.0
//
// The private power on boards with registers: a half on each of two, or one after the other.
#pragma once

#include "board_set.hpp"
#include "private_power.hpp"

namespace perle {

class Halves : public PrivateEngine {
 public:
  explicit Halves(BoardSet& set) : set_(set) {}
  PrivatePower form(const Key& key, const Bn& base, bool blind_exponent) override;
  // Bits of the number that blinds an exponent modulo `modulus`; 0: boards of that shape have no room for it.
  static unsigned blinding_bits(const Shape& shape, const Bn& modulus);

 private:
  BoardSet& set_;
};

}  // namespace perle
