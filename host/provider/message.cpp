// SPDX-License-Identifier: Apache-2.0
//
// Signatures of messages: hashed here, then signed as digests.
#include <openssl/core_names.h>
#include <openssl/params.h>

#include <array>

#include "encode.hpp"
#include "signature.hpp"

namespace perle::provider {
namespace {

int message_init(void* ctx, const char* name, void* provkey, const OSSL_PARAM params[], Prepare init) {
  Signature& own = signature(ctx);
  return guard(own.context.core, 0, [&] {
    prepare(own, provkey, params, init);
    std::string hash = name == nullptr ? "" : name;
    if (hash.empty()) {
      hash = text_param(own.soft.get(), OSSL_SIGNATURE_PARAM_DIGEST);
    } else {
      const OSSL_PARAM chosen[] = {
          OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, hash.data(), 0),
          OSSL_PARAM_construct_end()};
      want_soft(EVP_PKEY_CTX_set_params(own.soft.get(), chosen) == 1, "this hash is not for this key");
    }
    own.md.reset(EVP_MD_fetch(own.context.libctx.get(), hash.c_str(), nullptr));
    own.hash.reset(EVP_MD_CTX_new());
    want_soft(own.md != nullptr && own.hash != nullptr &&
                  EVP_DigestInit_ex2(own.hash.get(), own.md.get(), params) == 1,
              "there is no such hash");
    return 1;
  });
}

std::vector<std::uint8_t> finish(Signature& own) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  want(own.hash != nullptr, Reason::kState, "no message was begun");
  want_soft(EVP_DigestFinal_ex(own.hash.get(), digest.data(), &length) == 1, "the hash fails");
  own.hash.reset();
  own.md.reset();
  return {digest.begin(), digest.begin() + length};
}

}  // namespace

int digest_sign_init(void* ctx, const char* name, void* provkey, const OSSL_PARAM params[]) {
  return message_init(ctx, name, provkey, params, EVP_PKEY_sign_init_ex);
}

int digest_verify_init(void* ctx, const char* name, void* provkey, const OSSL_PARAM params[]) {
  return message_init(ctx, name, provkey, params, EVP_PKEY_verify_init_ex);
}

int digest_update(void* ctx, const unsigned char* in, std::size_t length) {
  const Signature& own = signature(ctx);
  return own.hash != nullptr && EVP_DigestUpdate(own.hash.get(), in, length) == 1 ? 1 : 0;
}

int digest_sign_final(void* ctx, unsigned char* out, std::size_t* length, std::size_t size) {
  Signature& own = signature(ctx);
  return guard(own.context.core, 0, [&] {
    want(own.key != nullptr && own.soft != nullptr, Reason::kState, "nothing was begun");
    if (out == nullptr) {
      *length = own.key->size();
      return 1;
    }
    return sign_digest(own, out, length, size, finish(own));
  });
}

int digest_verify_final(void* ctx, const unsigned char* sig, std::size_t length) {
  Signature& own = signature(ctx);
  return guard(own.context.core, 0, [&] {
    const std::vector<std::uint8_t> digest = finish(own);
    return EVP_PKEY_verify(own.soft.get(), sig, length, digest.data(), digest.size()) == 1 ? 1 : 0;
  });
}

int get_md_params(void* ctx, OSSL_PARAM params[]) {
  const Signature& own = signature(ctx);
  return own.hash != nullptr && EVP_MD_CTX_get_params(own.hash.get(), params) == 1 ? 1 : 0;
}

const OSSL_PARAM* gettable_md_params(void* ctx) {
  const Signature& own = signature(ctx);
  return own.md == nullptr ? nullptr : EVP_MD_gettable_ctx_params(own.md.get());
}

int set_md_params(void* ctx, const OSSL_PARAM params[]) {
  const Signature& own = signature(ctx);
  return own.hash != nullptr && EVP_MD_CTX_set_params(own.hash.get(), params) == 1 ? 1 : 0;
}

const OSSL_PARAM* settable_md_params(void* ctx) {
  const Signature& own = signature(ctx);
  return own.md == nullptr ? nullptr : EVP_MD_settable_ctx_params(own.md.get());
}

}  // namespace perle::provider
