// SPDX-License-Identifier: Apache-2.0
//
// Keys of the provider's target: made of a few fixed primes, so that an input always means the same key, or
// of numbers that do not belong together; or read from a file inside the input.
#pragma once

#include <memory>

#include "harness.hpp"
#include "target.hpp"

namespace evp {

using perle::provider::Pkey;

struct Key {
  Pkey own;      // in a context with the provider
  Pkey soft;     // the same in OpenSSL's own implementation
  Pkey checker;  // of its public numbers, in OpenSSL's own implementation, without restrictions; null: it has
                 // none
  bool sound = false;  // all numbers are there and belong together: private operations have to succeed
  std::size_t size() const { return static_cast<std::size_t>(EVP_PKEY_get_size(own.get())); }
};

// A library context with OpenSSL's own implementation only.
OSSL_LIB_CTX* software();

// Keys of the context `to`; null unless it accepts them.
std::shared_ptr<const Key> make_key(Input& input, OSSL_LIB_CTX* to);
std::shared_ptr<const Key> read_key(Input& input, OSSL_LIB_CTX* to);

}  // namespace evp
