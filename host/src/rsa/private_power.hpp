// SPDX-License-Identifier: Apache-2.0
//
// Whatever forms c^d mod n: boards with registers (halves.hpp), or a system and its driver (system_set.hpp).
// It neither blinds nor checks; that is done for all of them, in rsa.cpp.
#pragma once

#include <functional>

#include "rsa/key.hpp"

namespace perle {

struct PrivatePower {
  Bn value;
  perle_cost cost{};
  // To be called if the value is wrong, as long as engine and key live. If the key is in order: finds out
  // which board is to blame. If it is not, no board is; that is only counted.
  std::function<void(bool key_in_order)> blame;
};

class PrivateEngine {
 public:
  virtual ~PrivateEngine() = default;
  // base^d mod n for base < n, of a key that is private. With `blind_exponent` every exponent is another one
  // that does the same; throws PERLE_ERR_UNSUPPORTED where there is none, or no room for it.
  virtual PrivatePower form(const Key& key, const Bn& base, bool blind_exponent) = 0;
};

}  // namespace perle
