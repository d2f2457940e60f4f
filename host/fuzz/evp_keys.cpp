// SPDX-License-Identifier: Apache-2.0
#include "evp_keys.hpp"

#include <openssl/core_names.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>

#include <array>

#include "rsa/bn.hpp"

namespace evp {
namespace {

using perle::Arithmetic;
using perle::Bn;
using perle::provider::PkeyCtx;

// Of 256, 256, 256, 512, 512 and 384 bits.
constexpr const char* kPrimes[] = {"EE40A5B39B35E8C00CBA7CE117E6967ECEF99B8D13BFAE31285FEB8F3FDC2ED3",
                                   "FAA849D64C46537B59C303B6B730EDD4AFCC48B8A703335E78B20C77965EAAA3",
                                   "D73C1925EDCB95F547A8165B6453CB25CF9DA21BFBEDFBBCDEEFA559B9411C9D",
                                   "D75526D1237523E15F0A5A46AE23102586BEEA106DB24909FE28500F0FFDF743"
                                   "21A1490D5D3FD0FAF7609F6A28B6B32555AE455213E4EC9833A2E562DDF901C1",
                                   "D019F4455DC1DAB2427D4857EAD9262BDFBC8F5AEEC1EF50E780CF6DC615E258"
                                   "EBD7ABB498F96F26670E31EBA374621F39FC35D2BC92E079D5B24C43276EB385",
                                   "F1CA77F87B25E6D8C61E9F4880916FDC654293D8E50DA35F70629EA71E84BE09"
                                   "58CE8828C233073F427594CF4C50B50B"};
constexpr std::array<unsigned, 2> kPairs[] = {{0, 1}, {3, 4}, {5, 0}, {1, 2}, {4, 3}, {0, 3}};
constexpr std::uint64_t kExponents[] = {65537, 3, 17, 257, 2, 1, 0, 0xFFFFFFFFFFFFFFC5};

enum Number { kN, kE, kD, kP, kQ, kDp, kDq, kQinv, kNumbers };
constexpr const char* kNames[] = {OSSL_PKEY_PARAM_RSA_N,         OSSL_PKEY_PARAM_RSA_E,
                                  OSSL_PKEY_PARAM_RSA_D,         OSSL_PKEY_PARAM_RSA_FACTOR1,
                                  OSSL_PKEY_PARAM_RSA_FACTOR2,   OSSL_PKEY_PARAM_RSA_EXPONENT1,
                                  OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1};

struct Numbers {
  std::array<Bn, kNumbers> value;
  std::array<bool, kNumbers> there;
  const char* type = "RSA";
  bool restricted = false;
  bool sound = true;
};

Bn prime(unsigned index) {
  BIGNUM* raw = nullptr;
  BN_hex2bn(&raw, kPrimes[index % std::size(kPrimes)]);
  Bn out;
  BN_copy(out.get(), raw);
  BN_free(raw);
  return out;
}

// A factor that is none.
Bn factor(Input& input) {
  const Arithmetic math;
  const unsigned which = input.below(12);
  if (which == 8) return Bn(3);
  if (which == 9) return Bn(0);
  const Bn one = prime(which);
  return which < 8 ? one : math.add(one, Bn(1 + input.below(8)));
}

Numbers numbers(Input& input) {
  const Arithmetic math;
  Numbers key;
  key.there.fill(true);
  const unsigned kind = input.below(8);
  const auto& pair = kPairs[input.below(std::size(kPairs))];
  Bn &p = key.value[kP], &q = key.value[kQ];
  p = prime(pair[0]);
  q = prime(pair[1]);
  if (kind == 7) {
    p = factor(input);
    q = factor(input);
    key.sound = false;
  }
  key.value[kE] = Bn(kExponents[kind < 4 ? 0 : input.below(std::size(kExponents))]);
  const Bn &e = key.value[kE], one(1);
  key.value[kN] = math.mul(p, q);
  // What has no inverse is left as it is, and is wrong.
  const auto invert = [&](const Bn& a, const Bn& m, Number which) {
    key.value[which] = Bn(5);
    const bool good = !m.is_zero() && !m.is_one() && math.inverse(a, m, key.value[which]);
    key.sound = key.sound && good && e.is_odd() && !e.is_one();
  };
  const Bn p1 = p.is_zero() ? p : math.sub(p, one), q1 = q.is_zero() ? q : math.sub(q, one);
  invert(e, math.mul(p1, q1), kD);
  invert(e, p1, kDp);
  invert(e, q1, kDq);
  invert(q, p, kQinv);
  if (kind == 6) {  // one number is changed
    const unsigned which = input.below(kNumbers);
    perle::Bytes raw = key.value[which].to_bytes(key.value[which].bytes());
    if (!raw.empty()) raw[input.byte() % raw.size()] ^= static_cast<std::uint8_t>(1 + input.below(255));
    key.value[which] = Bn(perle::ByteView(raw));
    key.sound = false;
  }
  if (kind == 5) {  // one of n, e and d is missing; or all exponents of the primes, or the primes too
    // If one of these is missing alone, OpenSSL's own implementation leaks others.
    const unsigned which = input.below(kNumbers + 1), end = which == kNumbers ? kP : kDp;
    for (unsigned i = 0; i < kNumbers; ++i) key.there[i] = which < kP ? i != which : i < end;
    key.sound = false;
  }
  if (kind == 3) {
    key.type = "RSA-PSS";
    key.restricted = input.below(2) != 0;
  }
  return key;
}

// Null if the context refuses the numbers.
Pkey imported(const Numbers& key, OSSL_LIB_CTX* to, int selection, const char* type) {
  const std::unique_ptr<OSSL_PARAM_BLD, perle::provider::Free<OSSL_PARAM_BLD_free>> build(
      OSSL_PARAM_BLD_new());
  for (unsigned i = 0; i < kNumbers; ++i)
    if (key.there[i] && (selection == EVP_PKEY_KEYPAIR || i < kD))
      OSSL_PARAM_BLD_push_BN(build.get(), kNames[i], key.value[i].get());
  if (key.restricted && type == key.type) {
    OSSL_PARAM_BLD_push_utf8_string(build.get(), OSSL_PKEY_PARAM_RSA_DIGEST, "SHA256", 0);
    OSSL_PARAM_BLD_push_utf8_string(build.get(), OSSL_PKEY_PARAM_RSA_MGF1_DIGEST, "SHA1", 0);
    OSSL_PARAM_BLD_push_int(build.get(), OSSL_PKEY_PARAM_RSA_PSS_SALTLEN, 11);
  }
  const std::unique_ptr<OSSL_PARAM, perle::provider::Free<OSSL_PARAM_free>> params(
      OSSL_PARAM_BLD_to_param(build.get()));
  const PkeyCtx ctx(EVP_PKEY_CTX_new_from_name(to, type, nullptr));
  EVP_PKEY* out = nullptr;
  HOLDS(params != nullptr && ctx != nullptr && EVP_PKEY_fromdata_init(ctx.get()) == 1);
  const int done = EVP_PKEY_fromdata(ctx.get(), &out, selection, params.get());
  Pkey found(out);
  return done == 1 ? std::move(found) : nullptr;
}

// The key in OpenSSL's own implementation; null if it cannot be had.
Pkey exported(EVP_PKEY* key, int selection, const char* type) {
  OSSL_PARAM* raw = nullptr;
  if (EVP_PKEY_todata(key, selection, &raw) != 1) return nullptr;
  const std::unique_ptr<OSSL_PARAM, perle::provider::Free<OSSL_PARAM_free>> params(raw);
  const PkeyCtx ctx(EVP_PKEY_CTX_new_from_name(software(), type, nullptr));
  EVP_PKEY* out = nullptr;
  HOLDS(ctx != nullptr && EVP_PKEY_fromdata_init(ctx.get()) == 1);
  const int done = EVP_PKEY_fromdata(ctx.get(), &out, selection, params.get());
  Pkey found(out);
  return done == 1 ? std::move(found) : nullptr;
}

int no_passphrase(char*, int, int, void*) { return -1; }

}  // namespace

OSSL_LIB_CTX* software() {
  static OSSL_LIB_CTX* const kContext = OSSL_LIB_CTX_new();
  return kContext;
}

std::shared_ptr<const Key> make_key(Input& input, OSSL_LIB_CTX* to) {
  const Numbers key = numbers(input);
  const int selection = input.below(8) == 7 ? EVP_PKEY_PUBLIC_KEY : EVP_PKEY_KEYPAIR;
  auto out = std::make_shared<Key>();
  out->own = imported(key, to, selection, key.type);
  if (out->own == nullptr) return nullptr;
  out->soft = imported(key, software(), selection, key.type);
  // The provider may refuse more keys, but no other ones.
  HOLDS(out->soft != nullptr);
  out->checker = imported(key, software(), EVP_PKEY_PUBLIC_KEY, "RSA");
  out->sound = key.sound && selection == EVP_PKEY_KEYPAIR;
  HOLDS(out->checker != nullptr || !out->sound);
  return EVP_PKEY_get_size(out->own.get()) > 0 ? std::move(out) : nullptr;
}

std::shared_ptr<const Key> read_key(Input& input, OSSL_LIB_CTX* to) {
  const std::size_t size = 16 * input.byte();
  const auto file = input.bytes(size);
  const std::unique_ptr<BIO, perle::provider::Free<BIO_free_all>> bio(
      BIO_new_mem_buf(file.data(), static_cast<int>(file.size())));
  auto out = std::make_shared<Key>();
  out->own.reset(PEM_read_bio_PrivateKey_ex(bio.get(), nullptr, no_passphrase, nullptr, to, nullptr));
  const bool rsa = EVP_PKEY_is_a(out->own.get(), "RSA") == 1, pss = EVP_PKEY_is_a(out->own.get(), "RSA-PSS");
  if (out->own == nullptr || !(rsa || pss)) return nullptr;
  out->soft = exported(out->own.get(), EVP_PKEY_KEYPAIR, rsa ? "RSA" : "RSA-PSS");
  out->checker = exported(out->own.get(), EVP_PKEY_PUBLIC_KEY, "RSA");
  HOLDS(out->soft != nullptr && out->checker != nullptr && out->size() > 0);
  return out;
}

}  // namespace evp
