// SPDX-License-Identifier: Apache-2.0
//
// Owning pointers to libcrypto's objects.
#pragma once

#include <openssl/evp.h>
#include <openssl/provider.h>

#include <memory>

namespace perle::provider {

template <auto Function>
struct Free {
  template <typename T>
  void operator()(T* object) const {
    Function(object);
  }
};

using Pkey = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
using PkeyCtx = std::unique_ptr<EVP_PKEY_CTX, Free<EVP_PKEY_CTX_free>>;
using MdCtx = std::unique_ptr<EVP_MD_CTX, Free<EVP_MD_CTX_free>>;
using Md = std::unique_ptr<EVP_MD, Free<EVP_MD_free>>;
using Provider = std::unique_ptr<OSSL_PROVIDER, Free<OSSL_PROVIDER_unload>>;
using LibCtx = std::unique_ptr<OSSL_LIB_CTX, Free<OSSL_LIB_CTX_free>>;

// Property query for fetches of the software implementation: with the default query `?perle.boards=yes` they
// would find this provider.
constexpr const char* kSoftware = "provider=default";

}  // namespace perle::provider
