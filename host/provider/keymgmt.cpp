// SPDX-License-Identifier: Apache-2.0
//
// Key management: import, export, comparison, checks. All is done by the software implementation, so that
// applications see no difference.
#include <openssl/core_names.h>
#include <openssl/params.h>

#include "key.hpp"
#include "keygen.hpp"

namespace perle::provider {
namespace {

// The key, null if there is none: OpenSSL passes no data at all for a key of which only the type is known.
const Key* key_of(const void* keydata) {
  return keydata == nullptr ? nullptr : static_cast<const KeyData*>(keydata)->key.get();
}

template <const char* Type>
void* create(void* provctx) {
  return guard(context(provctx).core, static_cast<void*>(nullptr),
               [&]() -> void* { return new KeyData{context(provctx), Type, nullptr}; });
}

void destroy(void* keydata) { delete static_cast<KeyData*>(keydata); }

int has(const void* keydata, int selection) {
  const Key* const key = key_of(keydata);
  if (key == nullptr) return 0;
  if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 && !key->has_public()) return 0;
  return (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) == 0 || key->has_private() ? 1 : 0;
}

int match(const void* first, const void* second, int selection) {
  const Key *const a = key_of(first), *const b = key_of(second);
  if (a == nullptr || b == nullptr) return 0;
  if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0) return 1;
  return a->has_public() && b->has_public() && a->n() == b->n() && a->e() == b->e() ? 1 : 0;
}

int validate(const void* keydata, int selection, int checktype) {
  const Key* const key = key_of(keydata);
  if (key == nullptr) return 0;
  return guard(key->context().core, 0, [&] {
    const PkeyCtx ctx = key->operation();
    const bool quick = checktype == OSSL_KEYMGMT_VALIDATE_QUICK_CHECK;
    switch (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) {
      case OSSL_KEYMGMT_SELECT_KEYPAIR:
        return EVP_PKEY_check(ctx.get()) == 1 ? 1 : 0;
      case OSSL_KEYMGMT_SELECT_PUBLIC_KEY:
        return (quick ? EVP_PKEY_public_check_quick(ctx.get()) : EVP_PKEY_public_check(ctx.get())) == 1 ? 1
                                                                                                        : 0;
      case OSSL_KEYMGMT_SELECT_PRIVATE_KEY:
        return EVP_PKEY_private_check(ctx.get()) == 1 ? 1 : 0;
      default:
        return 1;
    }
  });
}

int import(void* keydata, int selection, const OSSL_PARAM params[]) {
  if (keydata == nullptr) return 0;
  KeyData& own = *static_cast<KeyData*>(keydata);
  return guard(own.context.core, 0, [&] {
    own.key = Key::import(own.context, own.type, selection, params);
    return 1;
  });
}

int export_key(void* keydata, int selection, OSSL_CALLBACK* callback, void* arg) {
  const Key* const key = key_of(keydata);
  return key != nullptr && EVP_PKEY_export(key->software(), selection, callback, arg) == 1 ? 1 : 0;
}

void* duplicate(const void* keydata, int selection) {
  if (keydata == nullptr) return nullptr;
  const KeyData& own = *static_cast<const KeyData*>(keydata);
  return guard(own.context.core, static_cast<void*>(nullptr), [&]() -> void* {
    auto out = std::make_unique<KeyData>(KeyData{own.context, own.type, nullptr});
    if (own.key == nullptr) return out.release();
    const auto copy = [](const OSSL_PARAM* params, void* arg) -> int {
      auto& [to, what] = *static_cast<std::pair<KeyData*, int>*>(arg);
      const int done = import(to, what, params);
      zeroize(params);
      return done;
    };
    std::pair<KeyData*, int> target{out.get(), selection};
    want_soft(EVP_PKEY_export(own.key->software(), selection, copy, &target) == 1,
              "the key cannot be copied");
    return out.release();
  });
}

const OSSL_PARAM kNumbers[] = {OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_N, nullptr, 0),
                               OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_E, nullptr, 0),
                               OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_D, nullptr, 0),
                               OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_FACTOR1, nullptr, 0),
                               OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_FACTOR2, nullptr, 0),
                               OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_FACTOR3, nullptr, 0),
                               OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_FACTOR4, nullptr, 0),
                               OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_FACTOR5, nullptr, 0),
                               OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_EXPONENT1, nullptr, 0),
                               OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_EXPONENT2, nullptr, 0),
                               OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_EXPONENT3, nullptr, 0),
                               OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_EXPONENT4, nullptr, 0),
                               OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_EXPONENT5, nullptr, 0),
                               OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_COEFFICIENT1, nullptr, 0),
                               OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_COEFFICIENT2, nullptr, 0),
                               OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_COEFFICIENT3, nullptr, 0),
                               OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_COEFFICIENT4, nullptr, 0),
                               OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_RSA_DIGEST, nullptr, 0),
                               OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_RSA_MASKGENFUNC, nullptr, 0),
                               OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_RSA_MGF1_DIGEST, nullptr, 0),
                               OSSL_PARAM_int(OSSL_PKEY_PARAM_RSA_PSS_SALTLEN, nullptr),
                               OSSL_PARAM_END};

const OSSL_PARAM* types(int) { return kNumbers; }

const OSSL_PARAM* gettable(void*) {
  static const OSSL_PARAM kParams[] = {OSSL_PARAM_int(OSSL_PKEY_PARAM_BITS, nullptr),
                                       OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_BITS, nullptr),
                                       OSSL_PARAM_int(OSSL_PKEY_PARAM_MAX_SIZE, nullptr),
                                       OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_DEFAULT_DIGEST, nullptr, 0),
                                       OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_MANDATORY_DIGEST, nullptr, 0),
                                       OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_N, nullptr, 0),
                                       OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_E, nullptr, 0),
                                       OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_D, nullptr, 0),
                                       OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_FACTOR1, nullptr, 0),
                                       OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_FACTOR2, nullptr, 0),
                                       OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_FACTOR3, nullptr, 0),
                                       OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_EXPONENT1, nullptr, 0),
                                       OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_EXPONENT2, nullptr, 0),
                                       OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_EXPONENT3, nullptr, 0),
                                       OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_COEFFICIENT1, nullptr, 0),
                                       OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_COEFFICIENT2, nullptr, 0),
                                       OSSL_PARAM_END};
  return kParams;
}

int get_params(void* keydata, OSSL_PARAM params[]) {
  const Key* const key = key_of(keydata);
  return key != nullptr && EVP_PKEY_get_params(key->software(), params) == 1 ? 1 : 0;
}

// The operations of both key types are named RSA.
const char* operation_name(int) { return "RSA"; }

constexpr char kRsaType[] = "RSA", kPssType[] = "RSA-PSS";

}  // namespace

#define PERLE_KEYMGMT(type, settable)                                                                        \
  {                                                                                                          \
    entry(OSSL_FUNC_KEYMGMT_NEW, create<type>), entry(OSSL_FUNC_KEYMGMT_FREE, destroy),                      \
        entry(OSSL_FUNC_KEYMGMT_GEN_INIT, generate_init<type>),                                              \
        entry(OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS, generate_set_params),                                        \
        entry(OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS, settable), entry(OSSL_FUNC_KEYMGMT_GEN, generate),      \
        entry(OSSL_FUNC_KEYMGMT_GEN_CLEANUP, generate_cleanup),                                              \
        entry(OSSL_FUNC_KEYMGMT_GET_PARAMS, get_params), entry(OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, gettable), \
        entry(OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME, operation_name), entry(OSSL_FUNC_KEYMGMT_HAS, has),    \
        entry(OSSL_FUNC_KEYMGMT_VALIDATE, validate), entry(OSSL_FUNC_KEYMGMT_MATCH, match),                  \
        entry(OSSL_FUNC_KEYMGMT_IMPORT, import), entry(OSSL_FUNC_KEYMGMT_IMPORT_TYPES, types),               \
        entry(OSSL_FUNC_KEYMGMT_EXPORT, export_key), entry(OSSL_FUNC_KEYMGMT_EXPORT_TYPES, types),           \
        entry(OSSL_FUNC_KEYMGMT_DUP, duplicate), {                                                           \
      0, nullptr                                                                                             \
    }                                                                                                        \
  }

const OSSL_DISPATCH kKeymgmtRsa[] = PERLE_KEYMGMT(kRsaType, generate_settable_rsa);
const OSSL_DISPATCH kKeymgmtPss[] = PERLE_KEYMGMT(kPssType, generate_settable_pss);

}  // namespace perle::provider
