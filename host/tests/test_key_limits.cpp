// SPDX-License-Identifier: Apache-2.0
//
// Public keys whose numbers are long enough to keep a thread for seconds are refused wherever they come from.
#include <openssl/core_names.h>
#include <openssl/param_build.h>
#include <openssl/x509.h>

#include "fixture.hpp"

namespace {

constexpr unsigned kSmall = 3072, kLongest = 64;  // OpenSSL's limits

perle_status from_numbers(const Bn& n, const Bn& e) {
  const Data n_bytes = bytes(n), e_bytes = bytes(e);
  perle_key_numbers numbers{};
  numbers.size = sizeof numbers;
  numbers.n = {n_bytes.data(), n_bytes.size()};
  numbers.e = {e_bytes.data(), e_bytes.size()};
  perle_key* key = nullptr;
  const perle_status status = perle_key_new(&numbers, &key);
  perle_key_free(key);
  return status;
}

// Through SubjectPublicKeyInfo in DER.
perle_status from_file(const Bn& n, const Bn& e) {
  OSSL_PARAM_BLD* const build = OSSL_PARAM_BLD_new();
  OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, n.get());
  OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, e.get());
  OSSL_PARAM* const params = OSSL_PARAM_BLD_to_param(build);
  EVP_PKEY_CTX* const ctx = EVP_PKEY_CTX_new_from_name(nullptr, "RSA", nullptr);
  EVP_PKEY* pkey = nullptr;
  CHECK_EQ(EVP_PKEY_fromdata_init(ctx), 1);
  CHECK_EQ(EVP_PKEY_fromdata(ctx, &pkey, EVP_PKEY_PUBLIC_KEY, params), 1);
  unsigned char* der = nullptr;
  const int length = i2d_PUBKEY(pkey, &der);
  KeyPtr key;
  const perle_status status =
      load(std::string(reinterpret_cast<char*>(der), static_cast<std::size_t>(length)), key);
  OPENSSL_free(der);
  EVP_PKEY_free(pkey);
  EVP_PKEY_CTX_free(ctx);
  OSSL_PARAM_free(params);
  OSSL_PARAM_BLD_free(build);
  return status;
}

}  // namespace

TEST(public_exponents_have_a_limit) {
  for (const auto& enter : {from_numbers, from_file}) {
    const Bn small = random_odd(kSmall), large = random_odd(kSmall + 1);
    CHECK_EQ(enter(small, random_odd(kSmall - 1)), PERLE_OK);
    CHECK_EQ(enter(large, random_odd(kLongest)), PERLE_OK);
    CHECK_EQ(enter(large, random_odd(kLongest + 1)), PERLE_ERR_EXPONENT_WIDE);
    CHECK(std::string(perle_last_error()).find("has 65 bits") != std::string::npos);
    CHECK_EQ(enter(random_odd(16384), random_odd(16383)), PERLE_ERR_EXPONENT_WIDE);
    CHECK_EQ(enter(random_odd(16384), Bn(65537)), PERLE_OK);
  }
}

TEST(moduli_have_a_limit) {
  for (const auto& enter : {from_numbers, from_file}) {
    CHECK_EQ(enter(random_odd(16385), Bn(65537)), PERLE_ERR_KEY_INCONSISTENT);
    CHECK_EQ(enter(random_odd(1024), random_odd(1025)), PERLE_ERR_KEY_INCONSISTENT);
    CHECK_EQ(enter(random_odd(1024), random_odd(200'000)), PERLE_ERR_KEY_INCONSISTENT);
  }
}

// A private key is a public one too.
TEST(private_keys_have_the_same_limit) {
  const Data n = bytes(random_odd(kSmall + 1)), wide = bytes(random_odd(kLongest + 1)),
             d = bytes(random_odd(kSmall));
  perle_key_numbers numbers{};
  numbers.size = sizeof numbers;
  numbers.n = {n.data(), n.size()};
  numbers.e = {wide.data(), wide.size()};
  numbers.d = {d.data(), d.size()};
  perle_key* key = nullptr;
  CHECK_EQ(perle_key_new(&numbers, &key), PERLE_ERR_EXPONENT_WIDE);
  CHECK(key == nullptr);
}
