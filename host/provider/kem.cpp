// SPDX-License-Identifier: Apache-2.0
//
// Key encapsulation (RSASVE). A context of the software implementation handles the parameters and
// encapsulates; to decapsulate is to decrypt without padding, which uses boards.
#include <openssl/core_names.h>
#include <openssl/params.h>

#include <algorithm>

#include "power.hpp"

namespace perle::provider {
namespace {

struct Kem {
  explicit Kem(Context& own) : context(own) {}
  Context& context;
  std::shared_ptr<const Key> key;
  PkeyCtx soft;
};

Kem& kem(void* ctx) { return *static_cast<Kem*>(ctx); }

void* create(void* provctx) {
  return guard(context(provctx).core, static_cast<void*>(nullptr),
               [&]() -> void* { return new Kem(context(provctx)); });
}

void destroy(void* ctx) { delete static_cast<Kem*>(ctx); }

void* duplicate(void* ctx) {
  const Kem& own = kem(ctx);
  return guard(own.context.core, static_cast<void*>(nullptr), [&]() -> void* {
    auto out = std::make_unique<Kem>(own.context);
    out->key = own.key;
    if (own.soft != nullptr) out->soft.reset(EVP_PKEY_CTX_dup(own.soft.get()));
    want_soft((own.soft == nullptr) == (out->soft == nullptr), "the operation cannot be copied");
    return out.release();
  });
}

template <int (*Init)(EVP_PKEY_CTX*, const OSSL_PARAM*)>
int init(void* ctx, void* provkey, const OSSL_PARAM params[]) {
  Kem& own = kem(ctx);
  return guard(own.context.core, 0, [&] {
    if (provkey != nullptr) own.key = static_cast<const KeyData*>(provkey)->key;
    want(own.key != nullptr, Reason::kState, "there is no key");
    own.soft = own.key->operation();
    want_soft(Init(own.soft.get(), params) == 1, "the operation does not go with this key");
    return 1;
  });
}

int encapsulate(void* ctx, unsigned char* out, std::size_t* length, unsigned char* secret,
                std::size_t* secret_length) {
  EVP_PKEY_CTX* const soft = kem(ctx).soft.get();
  return soft == nullptr ? 0 : EVP_PKEY_encapsulate(soft, out, length, secret, secret_length);
}

int decapsulate(void* ctx, unsigned char* secret, std::size_t* length, const unsigned char* in,
                std::size_t in_length) {
  const Kem& own = kem(ctx);
  return guard(own.context.core, 0, [&] {
    want(own.soft != nullptr, Reason::kState, "nothing was begun");
    // Fails if no operation, or another one, is set.
    std::size_t needed = 0;
    const int ready = EVP_PKEY_decapsulate(own.soft.get(), nullptr, &needed, in, in_length);
    if (ready != 1) return ready;
    if (secret == nullptr) {
      if (length != nullptr) *length = needed;
      return length != nullptr ? 1 : 0;
    }
    want(length == nullptr || *length >= own.key->size(), Reason::kBuffer,
         "the buffer is shorter than the modulus");
    const ByteView sealed{in, in_length};
    if (in_length != own.key->size() || !own.key->has_private() || !(Bn(sealed) < own.key->n())) {
      note_declined(*own.key);  // the software implementation refuses it
      return EVP_PKEY_decapsulate(own.soft.get(), secret, length, in, in_length);
    }
    const Bytes result = private_power(own.key, sealed);
    std::copy(result.begin(), result.end(), secret);
    if (length != nullptr) *length = result.size();
    return 1;
  });
}

int set_params(void* ctx, const OSSL_PARAM params[]) {
  EVP_PKEY_CTX* const soft = kem(ctx).soft.get();
  return params == nullptr || (soft != nullptr && EVP_PKEY_CTX_set_params(soft, params) == 1) ? 1 : 0;
}

const OSSL_PARAM* settable(void*, void*) {
  static const OSSL_PARAM kParams[] = {OSSL_PARAM_utf8_string(OSSL_KEM_PARAM_OPERATION, nullptr, 0),
                                       OSSL_PARAM_END};
  return kParams;
}

}  // namespace

const OSSL_DISPATCH kKem[] = {entry(OSSL_FUNC_KEM_NEWCTX, create),
                              entry(OSSL_FUNC_KEM_FREECTX, destroy),
                              entry(OSSL_FUNC_KEM_DUPCTX, duplicate),
                              entry(OSSL_FUNC_KEM_ENCAPSULATE_INIT, init<EVP_PKEY_encapsulate_init>),
                              entry(OSSL_FUNC_KEM_ENCAPSULATE, encapsulate),
                              entry(OSSL_FUNC_KEM_DECAPSULATE_INIT, init<EVP_PKEY_decapsulate_init>),
                              entry(OSSL_FUNC_KEM_DECAPSULATE, decapsulate),
                              entry(OSSL_FUNC_KEM_SET_CTX_PARAMS, set_params),
                              entry(OSSL_FUNC_KEM_SETTABLE_CTX_PARAMS, settable),
                              {0, nullptr}};

}  // namespace perle::provider
