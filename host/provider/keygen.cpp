// SPDX-License-Identifier: Apache-2.0
#include "keygen.hpp"

#include <openssl/core_names.h>
#include <openssl/params.h>

namespace perle::provider {
namespace {

struct Generation {
  Context& context;
  const char* type;
  PkeyCtx soft;
  OSSL_CALLBACK* progress = nullptr;
  void* arg = nullptr;
};

Generation& generation(void* genctx) { return *static_cast<Generation*>(genctx); }

// Forwards progress: the software implementation reports it in another form than the core expects.
int tell(EVP_PKEY_CTX* ctx) {
  const auto& own = *static_cast<const Generation*>(EVP_PKEY_CTX_get_app_data(ctx));
  if (own.progress == nullptr) return 1;
  int potential = EVP_PKEY_CTX_get_keygen_info(ctx, 0), iteration = EVP_PKEY_CTX_get_keygen_info(ctx, 1);
  const OSSL_PARAM params[] = {OSSL_PARAM_construct_int(OSSL_GEN_PARAM_POTENTIAL, &potential),
                               OSSL_PARAM_construct_int(OSSL_GEN_PARAM_ITERATION, &iteration),
                               OSSL_PARAM_construct_end()};
  return own.progress(params, own.arg);
}

}  // namespace

void* start_generation(void* provctx, const char* type, const OSSL_PARAM params[]) {
  Context& own = context(provctx);
  return guard(own.core, static_cast<void*>(nullptr), [&]() -> void* {
    auto made = std::make_unique<Generation>(Generation{own, type, nullptr});
    made->soft.reset(EVP_PKEY_CTX_new_from_name(own.libctx.get(), type, kSoftware));
    want_soft(made->soft != nullptr && EVP_PKEY_keygen_init(made->soft.get()) == 1 &&
                  generate_set_params(made.get(), params) == 1,
              "a key cannot be generated");
    return made.release();
  });
}

int generate_set_params(void* genctx, const OSSL_PARAM params[]) {
  return params == nullptr || EVP_PKEY_CTX_set_params(generation(genctx).soft.get(), params) == 1 ? 1 : 0;
}

#define PERLE_GENERATED                                       \
  OSSL_PARAM_size_t(OSSL_PKEY_PARAM_RSA_BITS, nullptr),       \
      OSSL_PARAM_size_t(OSSL_PKEY_PARAM_RSA_PRIMES, nullptr), \
      OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_E, nullptr, 0)

const OSSL_PARAM* generate_settable_rsa(void*, void*) {
  static const OSSL_PARAM kParams[] = {PERLE_GENERATED, OSSL_PARAM_END};
  return kParams;
}

const OSSL_PARAM* generate_settable_pss(void*, void*) {
  static const OSSL_PARAM kParams[] = {PERLE_GENERATED,
                                       OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_RSA_DIGEST, nullptr, 0),
                                       OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_RSA_DIGEST_PROPS, nullptr, 0),
                                       OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_RSA_MASKGENFUNC, nullptr, 0),
                                       OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_RSA_MGF1_DIGEST, nullptr, 0),
                                       OSSL_PARAM_int(OSSL_PKEY_PARAM_RSA_PSS_SALTLEN, nullptr),
                                       OSSL_PARAM_END};
  return kParams;
}

void* generate(void* genctx, OSSL_CALLBACK* progress, void* arg) {
  Generation& own = generation(genctx);
  return guard(own.context.core, static_cast<void*>(nullptr), [&]() -> void* {
    own.progress = progress;
    own.arg = arg;
    EVP_PKEY_CTX_set_app_data(own.soft.get(), &own);
    EVP_PKEY_CTX_set_cb(own.soft.get(), tell);
    EVP_PKEY* made = nullptr;
    const bool good = EVP_PKEY_generate(own.soft.get(), &made) == 1;
    Pkey key(made);
    want_soft(good, "a key cannot be generated");
    return new KeyData{own.context, own.type, std::make_shared<const Key>(own.context, std::move(key))};
  });
}

void generate_cleanup(void* genctx) { delete static_cast<Generation*>(genctx); }

}  // namespace perle::provider
