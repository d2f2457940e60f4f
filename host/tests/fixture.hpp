// SPDX-License-Identifier: Apache-2.0
//
// Fixtures of the tests: sets of software boards, numbers, keys.
#pragma once

#include <openssl/bn.h>
#include <openssl/evp.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rsa/bn.hpp"
#include "softboard.hpp"
#include "test.hpp"

using perle::Arithmetic;
using perle::Bn;
using Data = std::vector<std::uint8_t>;

// A set of software boards, opened through the C ABI.
struct Bench {
  std::vector<std::unique_ptr<SoftBoard>> soft;
  perle_boards* set = nullptr;
  perle_status status = PERLE_OK;

  explicit Bench(const SoftConfig& config = {}, std::size_t count = 1,
                 const perle_backend& backend = kSoftSimulated);
  ~Bench() { perle_boards_close(set); }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;
  perle_board_stats stats(std::size_t index = 0) const;
};

struct Mod {
  perle_mod* mod = nullptr;
  perle_status status;
  Mod(const Bench& bench, const Bn& m);
  ~Mod() { perle_mod_free(mod); }
  Mod(const Mod&) = delete;
  Mod& operator=(const Mod&) = delete;
};

// A status, and the result with its cost.
struct Got {
  perle_status status;
  Data data;
  perle_cost cost{};
  Bn value() const { return Bn(perle::ByteView(data)); }
};

Data bytes(const Bn& value);
Bn random_below(const Bn& bound);
Bn random_odd(unsigned bits);  // exactly `bits` bits

using Multiply = decltype(&perle_mulmod);
Got multiply(Multiply function, const Bench& bench, const Mod& mod, const Bn& x, const Bn& y);
Got modexp(const Bench& bench, const Mod& mod, const Bn& x, const Bn& e, perle_mode mode = PERLE_MODE_WINDOW,
           std::size_t e_bits = 0);

struct FreeKey {
  void operator()(perle_key* key) const { perle_key_free(key); }
};
using KeyPtr = std::unique_ptr<perle_key, FreeKey>;

// An RSA key made by libcrypto, in all the forms that tests need.
struct RsaKey {
  EVP_PKEY* pkey;
  Bn n, e, d, p, q, dp, dq, qinv;

  explicit RsaKey(unsigned bits, unsigned primes = 2);
  ~RsaKey() { EVP_PKEY_free(pkey); }
  RsaKey(const RsaKey&) = delete;
  RsaKey& operator=(const RsaKey&) = delete;
  KeyPtr load() const;         // through PKCS#8 DER
  KeyPtr load_public() const;  // n and e alone
  KeyPtr load_plain() const;   // n, e, d
};
KeyPtr public_key(const Bn& n, const Bn& e);
// Keys that are made once per run.
const RsaKey& key512();
const RsaKey& key1024();

perle_status load(const std::string& text, KeyPtr& key, const char* passphrase = nullptr);
Got rsa_private(const Bench& bench, const KeyPtr& key, const Bn& c, unsigned flags = 0);
