// SPDX-License-Identifier: Apache-2.0
//
// Keys that would keep a thread for seconds are refused when they are imported.
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/param_build.h>
#include <openssl/params.h>

#include "harness.hpp"
#include "rsa/bn.hpp"

using namespace perle::provider::testing;
using perle::Bn;
using perle::provider::Pkey;
using perle::provider::PkeyCtx;

namespace {

Bn odd(int bits) {
  Bn out;
  BN_rand(out.get(), bits, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ODD);
  return out;
}

// n and e, and a d that nobody looks at, as a key of this provider.
Pkey imported(OSSL_LIB_CTX* ctx, const Bn& n, const Bn& e, int selection) {
  OSSL_PARAM_BLD* const build = OSSL_PARAM_BLD_new();
  OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, n.get());
  OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, e.get());
  OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_D, n.get());
  OSSL_PARAM* const params = OSSL_PARAM_BLD_to_param(build);
  const PkeyCtx own(EVP_PKEY_CTX_new_from_name(ctx, "RSA", "provider=perle"));
  EVP_PKEY* out = nullptr;
  error_queue();
  CHECK_EQ(EVP_PKEY_fromdata_init(own.get()), 1);
  EVP_PKEY_fromdata(own.get(), &out, selection, params);
  OSSL_PARAM_free(params);
  OSSL_PARAM_BLD_free(build);
  return Pkey(out);
}

}  // namespace

TEST(long_public_exponents_are_refused) {
  const Host host;
  for (const int selection : {EVP_PKEY_PUBLIC_KEY, EVP_PKEY_KEYPAIR}) {
    CHECK(imported(host.ctx(), odd(3072), odd(3071), selection) != nullptr);
    CHECK(imported(host.ctx(), odd(3073), odd(64), selection) != nullptr);
    CHECK(imported(host.ctx(), odd(3073), odd(65), selection) == nullptr);
    CHECK(error_queue().find("may have 64") != std::string::npos);
    CHECK(imported(host.ctx(), odd(2048), odd(2049), selection) == nullptr);
    CHECK(error_queue().find("not below its modulus") != std::string::npos);
    CHECK(imported(host.ctx(), odd(16384), odd(64), selection) != nullptr);
    CHECK(imported(host.ctx(), odd(16385), odd(64), selection) == nullptr);
    CHECK(error_queue().find("16385 bits") != std::string::npos);
  }
}
