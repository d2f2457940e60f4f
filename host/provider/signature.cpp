// SPDX-License-Identifier: Apache-2.0
#include "signature.hpp"

#include <openssl/core_names.h>
#include <openssl/params.h>

#include <algorithm>

#include "encode.hpp"
#include "power.hpp"

namespace perle::provider {

Signature& signature(void* sigctx) { return *static_cast<Signature*>(sigctx); }

void prepare(Signature& own, void* provkey, const OSSL_PARAM params[], Prepare init) {
  if (provkey != nullptr) own.key = static_cast<const KeyData*>(provkey)->key;
  want(own.key != nullptr, Reason::kState, "there is no key");
  own.hash.reset();
  own.md.reset();
  own.soft = own.key->operation();
  want_soft(init(own.soft.get(), params) == 1, "the operation does not go with this key");
}

int sign_digest(Signature& own, unsigned char* out, std::size_t* length, std::size_t size, ByteView digest) {
  want(own.key != nullptr && own.soft != nullptr, Reason::kState, "nothing was begun");
  const std::size_t needed = own.key->size();
  if (out == nullptr) {
    *length = needed;
    return 1;
  }
  want(size >= needed, Reason::kBuffer, "a signature is as long as the key's modulus");
  std::optional<Bytes> message;
  try {
    message = encode(*own.key, own.soft.get(), digest);
    if (!message) note_declined(*own.key);
  } catch (const NotEncoded& failure) {
    note_not_encoded(*own.key, failure.what());
  }
  if (!message) {
    *length = size;
    return EVP_PKEY_sign(own.soft.get(), out, length, digest.data(), digest.size()) == 1 ? 1 : 0;
  }
  const Bytes result = private_power(own.key, *message);
  std::copy(result.begin(), result.end(), out);
  *length = needed;
  return 1;
}

namespace {

void* create(void* provctx, const char*) {
  return guard(context(provctx).core, static_cast<void*>(nullptr),
               [&]() -> void* { return new Signature(context(provctx)); });
}

void destroy(void* ctx) { delete static_cast<Signature*>(ctx); }

void* duplicate(void* ctx) {
  const Signature& own = signature(ctx);
  return guard(own.context.core, static_cast<void*>(nullptr), [&]() -> void* {
    auto out = std::make_unique<Signature>(own.context);
    out->key = own.key;
    if (own.soft != nullptr) out->soft.reset(EVP_PKEY_CTX_dup(own.soft.get()));
    if (own.hash != nullptr) {
      out->hash.reset(EVP_MD_CTX_new());
      want_soft(out->hash != nullptr && EVP_MD_CTX_copy_ex(out->hash.get(), own.hash.get()) == 1 &&
                    EVP_MD_up_ref(own.md.get()) == 1,
                "the hash cannot be copied");
      out->md.reset(own.md.get());
    }
    want_soft((own.soft == nullptr) == (out->soft == nullptr), "the operation cannot be copied");
    return out.release();
  });
}

template <Prepare Init>
int init(void* ctx, void* provkey, const OSSL_PARAM params[]) {
  return guard(signature(ctx).context.core, 0, [&] {
    prepare(signature(ctx), provkey, params, Init);
    return 1;
  });
}

int verify_recover_init(EVP_PKEY_CTX* ctx, const OSSL_PARAM* params) {
  return EVP_PKEY_verify_recover_init_ex(ctx, params);
}

int sign(void* ctx, unsigned char* out, std::size_t* length, std::size_t size, const unsigned char* digest,
         std::size_t digest_length) {
  return guard(signature(ctx).context.core, 0,
               [&] { return sign_digest(signature(ctx), out, length, size, {digest, digest_length}); });
}

int verify(void* ctx, const unsigned char* sig, std::size_t length, const unsigned char* digest,
           std::size_t digest_length) {
  EVP_PKEY_CTX* const soft = signature(ctx).soft.get();
  return soft != nullptr && EVP_PKEY_verify(soft, sig, length, digest, digest_length) == 1 ? 1 : 0;
}

int verify_recover(void* ctx, unsigned char* out, std::size_t* length, std::size_t size,
                   const unsigned char* sig, std::size_t sig_length) {
  const Signature& own = signature(ctx);
  return guard(own.context.core, 0, [&] {
    want(own.key != nullptr && own.soft != nullptr, Reason::kState, "nothing was begun");
    if (out == nullptr)
      return EVP_PKEY_verify_recover(own.soft.get(), nullptr, length, sig, sig_length) == 1 ? 1 : 0;
    // With a hash OpenSSL 3.0's implementation does not look at the buffer's size.
    Bytes digest(own.key->size());
    std::size_t found = digest.size();
    if (EVP_PKEY_verify_recover(own.soft.get(), digest.data(), &found, sig, sig_length) != 1) return 0;
    want(found <= size, Reason::kBuffer, "the buffer is shorter than what was signed");
    std::copy(digest.begin(), digest.begin() + static_cast<std::ptrdiff_t>(found), out);
    *length = found;
    return 1;
  });
}

int get_params(void* ctx, OSSL_PARAM params[]) {
  EVP_PKEY_CTX* const soft = signature(ctx).soft.get();
  return soft != nullptr && EVP_PKEY_CTX_get_params(soft, params) == 1 ? 1 : 0;
}

int set_params(void* ctx, const OSSL_PARAM params[]) {
  const Signature& own = signature(ctx);
  if (params == nullptr) return 1;
  if (own.soft == nullptr) return 0;
  // The hash cannot be changed while a message is being hashed.
  const OSSL_PARAM* const hash = OSSL_PARAM_locate_const(params, OSSL_SIGNATURE_PARAM_DIGEST);
  const char* name = nullptr;
  if (own.md != nullptr && hash != nullptr &&
      (OSSL_PARAM_get_utf8_string_ptr(hash, &name) != 1 || EVP_MD_is_a(own.md.get(), name) != 1)) {
    own.context.core.raise(Reason::kState, "the hash of a message that was begun cannot be changed");
    return 0;
  }
  return EVP_PKEY_CTX_set_params(own.soft.get(), params) == 1 ? 1 : 0;
}

const OSSL_PARAM* gettable(void*, void*) {
  static const OSSL_PARAM kParams[] = {OSSL_PARAM_octet_string(OSSL_SIGNATURE_PARAM_ALGORITHM_ID, nullptr, 0),
                                       OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_PAD_MODE, nullptr, 0),
                                       OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, nullptr, 0),
                                       OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_MGF1_DIGEST, nullptr, 0),
                                       OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_PSS_SALTLEN, nullptr, 0),
                                       OSSL_PARAM_END};
  return kParams;
}

const OSSL_PARAM* settable(void*, void*) {
  static const OSSL_PARAM kParams[] = {
      OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, nullptr, 0),
      OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_PROPERTIES, nullptr, 0),
      OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_PAD_MODE, nullptr, 0),
      OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_MGF1_DIGEST, nullptr, 0),
      OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_MGF1_PROPERTIES, nullptr, 0),
      OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_PSS_SALTLEN, nullptr, 0),
      OSSL_PARAM_END};
  return kParams;
}

}  // namespace

const OSSL_DISPATCH kSignature[] = {entry(OSSL_FUNC_SIGNATURE_NEWCTX, create),
                                    entry(OSSL_FUNC_SIGNATURE_FREECTX, destroy),
                                    entry(OSSL_FUNC_SIGNATURE_DUPCTX, duplicate),
                                    entry(OSSL_FUNC_SIGNATURE_SIGN_INIT, init<EVP_PKEY_sign_init_ex>),
                                    entry(OSSL_FUNC_SIGNATURE_SIGN, sign),
                                    entry(OSSL_FUNC_SIGNATURE_VERIFY_INIT, init<EVP_PKEY_verify_init_ex>),
                                    entry(OSSL_FUNC_SIGNATURE_VERIFY, verify),
                                    entry(OSSL_FUNC_SIGNATURE_VERIFY_RECOVER_INIT, init<verify_recover_init>),
                                    entry(OSSL_FUNC_SIGNATURE_VERIFY_RECOVER, verify_recover),
                                    entry(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT, digest_sign_init),
                                    entry(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_UPDATE, digest_update),
                                    entry(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL, digest_sign_final),
                                    entry(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT, digest_verify_init),
                                    entry(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_UPDATE, digest_update),
                                    entry(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_FINAL, digest_verify_final),
                                    entry(OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS, get_params),
                                    entry(OSSL_FUNC_SIGNATURE_GETTABLE_CTX_PARAMS, gettable),
                                    entry(OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS, set_params),
                                    entry(OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS, settable),
                                    entry(OSSL_FUNC_SIGNATURE_GET_CTX_MD_PARAMS, get_md_params),
                                    entry(OSSL_FUNC_SIGNATURE_GETTABLE_CTX_MD_PARAMS, gettable_md_params),
                                    entry(OSSL_FUNC_SIGNATURE_SET_CTX_MD_PARAMS, set_md_params),
                                    entry(OSSL_FUNC_SIGNATURE_SETTABLE_CTX_MD_PARAMS, settable_md_params),
                                    {0, nullptr}};

}  // namespace perle::provider
