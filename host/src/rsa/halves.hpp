// SPDX-License-Identifier: Apache-2.0
//
// The private power on boards with registers: the halves in parallel on two boards, or one after the other.
#pragma once

#include "board/board_set.hpp"
#include "rsa/private_power.hpp"

namespace perle {

class Halves : public PrivateEngine {
 public:
  explicit Halves(BoardSet& set) : set_(set) {}
  PrivatePower form(const Key& key, const Bn& base, bool blind_exponent) override;

 private:
  BoardSet& set_;
};

}  // namespace perle
