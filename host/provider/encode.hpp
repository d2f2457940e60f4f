// SPDX-License-Identifier: Apache-2.0
//
// What a signature is of: the encoded message.
#pragma once

#include <optional>

#include "key.hpp"

namespace perle::provider {

// Name of a hash that was set in a context of the software implementation; "" if there is none.
std::string text_param(EVP_PKEY_CTX* soft, const char* name);

// The padding that was set, RSA_PKCS1_PADDING and so on; 0 if it cannot be had. EVP_PKEY_CTX_get_rsa_padding
// asks by names, and one of the paddings has none.
int padding_of(EVP_PKEY_CTX* soft);

// The encoded message of a digest, by the padding and the hashes that `soft`, prepared to sign, was given; or
// nothing where the combination is none for boards: then the software implementation signs, or says why not.
std::optional<Bytes> encode(const Key& key, EVP_PKEY_CTX* soft, ByteView digest);

}  // namespace perle::provider
