// SPDX-License-Identifier: Apache-2.0
#include "fixture.hpp"

#include <openssl/core_names.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include <cstring>

Bench::Bench(const SoftConfig& config, std::size_t count, const perle_backend& backend) {
  std::vector<void*> contexts;
  for (std::size_t i = 0; i < count; ++i) {
    soft.push_back(std::make_unique<SoftBoard>(config));
    contexts.push_back(soft.back().get());
  }
  status = perle_boards_attach(&backend, contexts.data(), count, &set);
}

perle_board_stats Bench::stats(std::size_t index) const {
  perle_board_stats out{};
  CHECK_EQ(perle_boards_stats(set, index, &out), PERLE_OK);
  return out;
}

Mod::Mod(const Bench& bench, const Bn& m) {
  const Data data = bytes(m);
  status = perle_mod_new(bench.set, data.data(), data.size(), &mod);
}

Data bytes(const Bn& value) {
  const perle::Bytes raw = value.to_bytes(value.bytes());
  return {raw.begin(), raw.end()};
}

Bn random_below(const Bn& bound) {
  Bn out;
  BN_rand_range(out.get(), bound.get());
  return out;
}

Bn random_odd(unsigned bits) {
  Bn out;
  BN_rand(out.get(), static_cast<int>(bits), BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ODD);
  return out;
}

Got multiply(Multiply function, const Bench& bench, const Mod& mod, const Bn& x, const Bn& y) {
  const Data left = bytes(x), right = bytes(y);
  Got got{PERLE_OK, Data(1024), {}};
  std::size_t length = 0;
  got.status = function(bench.set, mod.mod, left.data(), left.size(), right.data(), right.size(),
                        got.data.data(), got.data.size(), &length, &got.cost);
  got.data.resize(length);
  return got;
}

Got modexp(const Bench& bench, const Mod& mod, const Bn& x, const Bn& e, perle_mode mode,
           std::size_t e_bits) {
  const Data base = bytes(x);
  Data exponent = bytes(e);
  if (exponent.empty()) exponent.push_back(0);
  Got got{PERLE_OK, Data(1024), {}};
  std::size_t length = 0;
  got.status = perle_modexp(bench.set, mod.mod, base.data(), base.size(), exponent.data(), exponent.size(),
                            e_bits, mode, got.data.data(), got.data.size(), &length, &got.cost);
  got.data.resize(length);
  return got;
}

RsaKey::RsaKey(unsigned bits, unsigned primes) : pkey(nullptr) {
  EVP_PKEY_CTX* ctx = EVP_PKEY_CTX_new_from_name(nullptr, "RSA", nullptr);
  EVP_PKEY_keygen_init(ctx);
  EVP_PKEY_CTX_set_rsa_keygen_bits(ctx, static_cast<int>(bits));
  EVP_PKEY_CTX_set_rsa_keygen_primes(ctx, static_cast<int>(primes));
  EVP_PKEY_generate(ctx, &pkey);
  EVP_PKEY_CTX_free(ctx);
  const auto get = [&](const char* name, Bn& into) {
    BIGNUM* raw = into.get();
    EVP_PKEY_get_bn_param(pkey, name, &raw);
  };
  get(OSSL_PKEY_PARAM_RSA_N, n);
  get(OSSL_PKEY_PARAM_RSA_E, e);
  get(OSSL_PKEY_PARAM_RSA_D, d);
  get(OSSL_PKEY_PARAM_RSA_FACTOR1, p);
  get(OSSL_PKEY_PARAM_RSA_FACTOR2, q);
  get(OSSL_PKEY_PARAM_RSA_EXPONENT1, dp);
  get(OSSL_PKEY_PARAM_RSA_EXPONENT2, dq);
  get(OSSL_PKEY_PARAM_RSA_COEFFICIENT1, qinv);
}

KeyPtr RsaKey::load() const {
  unsigned char* der = nullptr;
  const int length = i2d_PrivateKey(pkey, &der);
  perle_key* key = nullptr;
  CHECK_EQ(perle_key_load(der, static_cast<std::size_t>(length), nullptr, nullptr, &key), PERLE_OK);
  OPENSSL_clear_free(der, static_cast<std::size_t>(length));
  return KeyPtr(key);
}

namespace {

KeyPtr from_numbers(const Data& n, const Data& e, const Data& d) {
  perle_key_numbers numbers{};
  numbers.size = sizeof numbers;
  numbers.n = {n.data(), n.size()};
  numbers.e = {e.data(), e.size()};
  if (!d.empty()) numbers.d = {d.data(), d.size()};
  perle_key* key = nullptr;
  CHECK_EQ(perle_key_new(&numbers, &key), PERLE_OK);
  return KeyPtr(key);
}

}  // namespace

KeyPtr public_key(const Bn& n, const Bn& e) { return from_numbers(bytes(n), bytes(e), {}); }
KeyPtr RsaKey::load_public() const { return public_key(n, e); }
KeyPtr RsaKey::load_plain() const { return from_numbers(bytes(n), bytes(e), bytes(d)); }

const RsaKey& key512() {
  static const RsaKey key(512);
  return key;
}

const RsaKey& key1024() {
  static const RsaKey key(1024);
  return key;
}

perle_status load(const std::string& text, KeyPtr& key, const char* passphrase) {
  const perle_passphrase_cb ask = [](char* buf, std::size_t size, void* arg) -> int {
    const std::size_t length = std::strlen(static_cast<const char*>(arg));
    if (length > size) return -1;
    std::memcpy(buf, arg, length);
    return static_cast<int>(length);
  };
  perle_key* raw = nullptr;
  const perle_status status =
      perle_key_load(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                     passphrase == nullptr ? nullptr : ask, const_cast<char*>(passphrase), &raw);
  key.reset(raw);
  return status;
}

Got rsa_private(const Bench& bench, const KeyPtr& key, const Bn& c, unsigned flags) {
  const Data in = bytes(c);
  Got got{PERLE_OK, Data(1024), {}};
  std::size_t length = 0;
  got.status = perle_rsa_private(bench.set, key.get(), flags, in.data(), in.size(), got.data.data(),
                                 got.data.size(), &length, &got.cost);
  got.data.resize(length);
  return got;
}
