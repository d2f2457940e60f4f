// SPDX-License-Identifier: Apache-2.0
//
// Signatures. A context of the software implementation handles all parameters and their errors; it verifies,
// and it signs in the cases that boards do not support. Other private powers use boards.
#pragma once

#include "operation.hpp"

namespace perle::provider {

struct Signature : Operation {
  using Operation::Operation;
  MdCtx hash;  // for operations on messages
  Md md;       // its hash
};

using Prepare = int (*)(EVP_PKEY_CTX*, const OSSL_PARAM*);

Signature& signature(void* sigctx);
// Begins an operation; without `provkey`, with the key of the previous one.
void prepare(Signature& own, void* provkey, const OSSL_PARAM params[], Prepare init);
int sign_digest(Signature& own, unsigned char* out, std::size_t* length, std::size_t size, ByteView digest);

// The functions on whole messages (message.cpp).
int digest_sign_init(void* ctx, const char* name, void* provkey, const OSSL_PARAM params[]);
int digest_verify_init(void* ctx, const char* name, void* provkey, const OSSL_PARAM params[]);
int digest_update(void* ctx, const unsigned char* in, std::size_t length);
int digest_sign_final(void* ctx, unsigned char* out, std::size_t* length, std::size_t size);
int digest_verify_final(void* ctx, const unsigned char* sig, std::size_t length);
int get_md_params(void* ctx, OSSL_PARAM params[]);
const OSSL_PARAM* gettable_md_params(void* ctx);
int set_md_params(void* ctx, const OSSL_PARAM params[]);
const OSSL_PARAM* settable_md_params(void* ctx);

}  // namespace perle::provider
