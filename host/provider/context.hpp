// SPDX-License-Identifier: Apache-2.0
//
// State of a loaded provider.
#pragma once

#include <cstring>

#include "errors.hpp"
#include "handles.hpp"
#include "runtime.hpp"
#include "settings.hpp"

namespace perle::provider {

struct Context {
  Core core;
  // Why the settings are invalid. OpenSSL silently continues without a provider that fails to load; so this
  // one loads anyway and refuses every private operation.
  std::string refused;
  Settings settings;
  LibCtx libctx;      // a child of the application's library context
  Provider software;  // "default" in it: the software implementation, whatever the application has loaded
  Runtime runtime;

  Context(const OSSL_CORE_HANDLE* handle, const OSSL_DISPATCH* in);
};

inline Context& context(void* provctx) { return *static_cast<Context*>(provctx); }

// The dispatch tables of the operations.
extern const OSSL_DISPATCH kKeymgmtRsa[], kKeymgmtPss[], kSignature[], kCipher[], kKem[];

template <typename Function>
OSSL_DISPATCH entry(int id, Function* function) {
  return {id, reinterpret_cast<void (*)()>(function)};
}

}  // namespace perle::provider
