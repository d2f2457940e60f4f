// SPDX-License-Identifier: Apache-2.0
//
// Interface for computing c^d mod n: on boards with registers (halves.hpp), or on a system by its driver
// (system_set.hpp). Blinding and checking are done in rsa.cpp.
#pragma once

#include <functional>

#include "rsa/key.hpp"

namespace perle {

struct PrivatePower {
  Bn value;
  perle_cost cost{};
  // To be called if the value is wrong, while engine and key exist. If the key is right, finds the boards at
  // fault and marks them; otherwise only counts a key error.
  std::function<void(bool key_in_order)> blame;
};

class PrivateEngine {
 public:
  virtual ~PrivateEngine() = default;
  // base^d mod n for base < n and a private key. With `blind_exponent` the exponents are blinded; throws
  // PERLE_ERR_UNSUPPORTED if that is not possible.
  virtual PrivatePower form(const Key& key, const Bn& base, bool blind_exponent) = 0;
};

}  // namespace perle
