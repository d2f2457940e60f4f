// SPDX-License-Identifier: Apache-2.0
//
// Key generation, and keys as PEM. Encoded by libcrypto's legacy structures, so that no OpenSSL provider is
// involved.
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include <algorithm>
#include <string>

#include "rsa/key.hpp"

namespace perle {
namespace {

constexpr std::uint64_t kPublicExponent = 65537;
constexpr unsigned kSmallest = 64, kLargest = 16384;

// A prime with its two highest bits set, so that the product of two has exactly twice as many bits, and with
// prime − 1 coprime to e (which is prime).
Bn prime(const Arithmetic& math, unsigned bits, const Bn& e) {
  for (;;) {
    Bn found;
    found.secret();
    check_crypto(BN_generate_prime_ex2(found.get(), static_cast<int>(bits), 0, nullptr, nullptr, nullptr,
                                       math.ctx()) == 1,
                 "a prime");
    const auto set = [&](unsigned i) { return BN_is_bit_set(found.get(), static_cast<int>(i)) == 1; };
    if (found.bits() == bits && set(bits - 2) && !math.mod(math.sub(found, Bn(1)), e).is_zero()) return found;
  }
}

Bn inverse(const Arithmetic& math, const Bn& a, const Bn& m) {
  Bn out;
  check_crypto(math.inverse(a, m, out), "an inverse");
  out.secret();
  return out;
}

// e^-1 modulo (p - 1)·(q - 1)
Bn private_exponent(const Arithmetic& math, const Bn& e, const Bn& p, const Bn& q) {
  Bn p1 = math.sub(p, Bn(1)), q1 = math.sub(q, Bn(1));
  Bn group = math.mul(p1.secret(), q1.secret());
  return inverse(math, e, group.secret());
}

struct FreeRsa {
  void operator()(RSA* rsa) const { RSA_free(rsa); }
};

// Not by libcrypto's PEM writer: it frees memory with the bytes of the last line without zeroizing it.
Bytes pem(const std::string& label, const Bytes& der) {
  constexpr std::size_t kLine = 48;  // bytes: 64 characters
  Bytes text;
  const auto add = [&](const std::string& line) { text.insert(text.end(), line.begin(), line.end()); };
  add("-----BEGIN " + label + "-----\n");
  for (std::size_t at = 0; at < der.size(); at += kLine) {
    Bytes line(kLine / 3 * 4 + 1);
    const auto taken = static_cast<int>(std::min(kLine, der.size() - at));
    line.resize(static_cast<std::size_t>(EVP_EncodeBlock(line.data(), der.data() + at, taken)));
    line.push_back('\n');
    text.insert(text.end(), line.begin(), line.end());
  }
  add("-----END " + label + "-----\n");
  return text;
}

}  // namespace

KeyNumbers generate_key(unsigned bits) {
  check_argument(bits >= kSmallest && bits <= kLargest && bits % 2 == 0,
                 "a key has an even number of bits, 64 to 16384");
  const Arithmetic math;
  const Bn e(kPublicExponent);
  Bn p = prime(math, bits / 2, e), q = prime(math, bits / 2, e);
  while (p == q) q = prime(math, bits / 2, e);
  if (p < q) std::swap(p, q);
  const Bn d = private_exponent(math, e, p, q);
  const Bn dp = math.mod(d, math.sub(p, Bn(1))), dq = math.mod(d, math.sub(q, Bn(1)));
  return {math.mul(p, q), e, d, p, q, dp, dq, inverse(math, q, p)};
}

Bytes key_to_pem(const Key& key) {
  if (!key.has_crt()) throw Error(PERLE_ERR_KEY_PUBLIC, "the key has no primes");
  // PKCS#1 requires d, which is optional in a key with CRT numbers.
  const Bn d = private_exponent(Arithmetic(), key.e(), key.p(), key.q());
  const std::unique_ptr<RSA, FreeRsa> rsa(RSA_new());
  check_crypto(rsa != nullptr, "a key");
  // The structure owns the copies and zeroizes them. If a call fails (out of memory), its copies are leaked.
  const auto copy = [](const Bn& value) { return BN_dup(value.get()); };
  check_crypto(RSA_set0_key(rsa.get(), copy(key.n()), copy(key.e()), copy(d)) == 1 &&
                   RSA_set0_factors(rsa.get(), copy(key.p()), copy(key.q())) == 1 &&
                   RSA_set0_crt_params(rsa.get(), copy(key.dp()), copy(key.dq()), copy(key.qinv())) == 1,
               "a key");
  Bytes der(static_cast<std::size_t>(std::max(0, i2d_RSAPrivateKey(rsa.get(), nullptr))));
  std::uint8_t* end = der.data();
  check_crypto(!der.empty() && i2d_RSAPrivateKey(rsa.get(), &end) > 0, "a key's encoding");
  return pem("RSA PRIVATE KEY", der);
}

}  // namespace perle
