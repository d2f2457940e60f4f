// SPDX-License-Identifier: Apache-2.0
//
// What operations with a key have in common: the key, and a context of the software implementation for the
// parameters. Encryption and key encapsulation consist of nothing else.
#pragma once

#include <memory>

#include "key.hpp"

namespace perle::provider {

struct Operation {
  explicit Operation(Context& own) : context(own) {}
  Context& context;
  std::shared_ptr<const Key> key;
  PkeyCtx soft;  // prepared for the operation
};

inline Operation& operation(void* ctx) { return *static_cast<Operation*>(ctx); }

inline void* create_operation(void* provctx) {
  return guard(context(provctx).core, static_cast<void*>(nullptr),
               [&]() -> void* { return new Operation(context(provctx)); });
}

inline void destroy_operation(void* ctx) { delete static_cast<Operation*>(ctx); }

inline void* duplicate_operation(void* ctx) {
  const Operation& own = operation(ctx);
  return guard(own.context.core, static_cast<void*>(nullptr), [&]() -> void* {
    auto out = std::make_unique<Operation>(own.context);
    out->key = own.key;
    if (own.soft != nullptr) out->soft.reset(EVP_PKEY_CTX_dup(own.soft.get()));
    want_soft((own.soft == nullptr) == (out->soft == nullptr), "the operation cannot be copied");
    return out.release();
  });
}

template <int (*Init)(EVP_PKEY_CTX*, const OSSL_PARAM*)>
int init_operation(void* ctx, void* provkey, const OSSL_PARAM params[]) {
  Operation& own = operation(ctx);
  return guard(own.context.core, 0, [&] {
    if (provkey != nullptr) own.key = static_cast<const KeyData*>(provkey)->key;
    want(own.key != nullptr, Reason::kState, "there is no key");
    own.soft = own.key->operation();
    want_soft(Init(own.soft.get(), params) == 1, "the operation does not go with this key");
    return 1;
  });
}

}  // namespace perle::provider
