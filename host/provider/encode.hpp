// SPDX-License-Identifier: Apache-2.0
//
// Encoding of messages to be signed.
#pragma once

#include <optional>
#include <stdexcept>

#include "key.hpp"

namespace perle::provider {

class NotEncoded : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A text parameter of a context of the software implementation, such as a hash's name; "" if it is not set.
std::string text_param(EVP_PKEY_CTX* soft, const char* name);

// The padding that is set (RSA_PKCS1_PADDING …), 0 if unknown. EVP_PKEY_CTX_get_rsa_padding is not used: it
// asks for the padding by name, and one padding has no name.
int padding_of(EVP_PKEY_CTX* soft);

// Encodes a digest with the padding and hashes set in `soft`, a context prepared to sign. nullopt if boards
// do not support the combination: then the software implementation signs or reports the error. Throws
// NotEncoded if encoding failed for another reason, and Failure if the key signs nothing.
std::optional<Bytes> encode(const Key& key, EVP_PKEY_CTX* soft, ByteView digest);

}  // namespace perle::provider
