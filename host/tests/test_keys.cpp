// SPDX-License-Identifier: Apache-2.0
//
// Keys: all accepted and all refused formats.
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>

#include <algorithm>

#include "fixture.hpp"

namespace {

struct FreeBio {
  void operator()(BIO* bio) const { BIO_free(bio); }
};
using BioPtr = std::unique_ptr<BIO, FreeBio>;

std::string written(const std::function<int(BIO*)>& write) {
  const BioPtr bio(BIO_new(BIO_s_mem()));
  CHECK_EQ(write(bio.get()), 1);
  char* data = nullptr;
  const long length = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(length)};
}

const unsigned char kPhrase[] = "correct horse";

std::string pkcs8(EVP_PKEY* key, bool encrypted) {
  return written([&](BIO* bio) {
    return PEM_write_bio_PKCS8PrivateKey(bio, key, encrypted ? EVP_aes_256_cbc() : nullptr,
                                         encrypted ? reinterpret_cast<const char*>(kPhrase) : nullptr,
                                         encrypted ? sizeof kPhrase - 1 : 0, nullptr, nullptr);
  });
}

std::string traditional(EVP_PKEY* key, const EVP_CIPHER* cipher) {
  return written([&](BIO* bio) {
    return PEM_write_bio_PrivateKey_traditional(bio, key, cipher, cipher == nullptr ? nullptr : kPhrase,
                                                cipher == nullptr ? 0 : sizeof kPhrase - 1, nullptr, nullptr);
  });
}

std::string der(const std::function<int(unsigned char**)>& encode) {
  unsigned char* data = nullptr;
  const int length = encode(&data);
  CHECK(length > 0);
  const std::string out(reinterpret_cast<char*>(data), static_cast<std::size_t>(length));
  OPENSSL_free(data);
  return out;
}

void check_loaded(const std::string& text, bool is_private, const char* phrase = nullptr) {
  KeyPtr key;
  CHECK_EQ(load(text, key, phrase), PERLE_OK);
  if (key == nullptr) return;
  perle_key_info info{};
  CHECK_EQ(perle_key_get_info(key.get(), &info), PERLE_OK);
  CHECK_EQ(info.bits, 512U);
  CHECK_EQ(info.size, 64U);
  CHECK_EQ(info.half_bits, is_private ? 256U : 512U);
  CHECK_EQ(info.is_private, is_private ? 1U : 0U);
  Data n(64);
  std::size_t length = 0;
  CHECK_EQ(perle_key_get_public(key.get(), 'n', n.data(), n.size(), &length), PERLE_OK);
  CHECK(n == bytes(key512().n));
}

// The numbers of a key, to be corrupted.
struct Numbers {
  Data n, e, d, p, q, dp, dq, qinv;
  explicit Numbers(const RsaKey& key)
      : n(bytes(key.n)),
        e(bytes(key.e)),
        d(bytes(key.d)),
        p(bytes(key.p)),
        q(bytes(key.q)),
        dp(bytes(key.dp)),
        dq(bytes(key.dq)),
        qinv(bytes(key.qinv)) {}
  perle_status make() const {
    const auto number = [](const Data& data) {
      return data.empty() ? perle_number{nullptr, 0} : perle_number{data.data(), data.size()};
    };
    const perle_key_numbers numbers{sizeof(perle_key_numbers),
                                    number(n),
                                    number(e),
                                    number(d),
                                    number(p),
                                    number(q),
                                    number(dp),
                                    number(dq),
                                    number(qinv)};
    perle_key* key = nullptr;
    const perle_status status = perle_key_new(&numbers, &key);
    perle_key_free(key);
    return status;
  }
};

}  // namespace

// A key of 64 bits with random numbers from elsewhere.
perle_status made_with(int (*numbers)(unsigned char*, int), KeyPtr& key) {
  const RAND_METHOD* const before = RAND_get_rand_method();
  RAND_METHOD other = *before;
  other.bytes = numbers;
  RAND_set_rand_method(&other);
  perle_key* raw = nullptr;
  const perle_status status = perle_key_generate(64, &raw);
  RAND_set_rand_method(before);
  key.reset(raw);
  return status;
}

// Numbers of a broken source, equal for a while: then both primes are equal too, and made again.
TEST(primes_of_a_key_differ) {
  static int equal;
  equal = 1000;
  KeyPtr key;
  CHECK_EQ(made_with(
               [](unsigned char* to, int size) {
                 if (--equal < 0) return RAND_OpenSSL()->bytes(to, size);
                 std::fill_n(to, size, std::uint8_t{0x5A});
                 return 1;
               },
               key),
           PERLE_OK);
  CHECK(equal < 0);
  perle_key_info info{};
  CHECK_EQ(perle_key_get_info(key.get(), &info), PERLE_OK);
  CHECK_EQ(info.bits, 64U);
}

TEST(errors_of_libcrypto_are_told_apart) {
  static int reason;
  for (const bool memory : {false, true}) {
    reason = memory ? ERR_R_MALLOC_FAILURE : ERR_R_INTERNAL_ERROR;
    KeyPtr key;
    CHECK_EQ(made_with(
                 [](unsigned char*, int) {
                   ERR_raise(ERR_LIB_RAND, reason);
                   return 0;
                 },
                 key),
             memory ? PERLE_ERR_MEMORY : PERLE_ERR_CRYPTO);
    CHECK(key == nullptr);
    const char* const text = memory ? "out of memory" : "a prime: internal error";
    CHECK(std::string(perle_last_error()).find(text) != std::string::npos);
  }
}

TEST(keys_read) {
  EVP_PKEY* key = key512().pkey;
  const char* phrase = reinterpret_cast<const char*>(kPhrase);
  check_loaded(pkcs8(key, false), true);
  check_loaded(pkcs8(key, true), true, phrase);
  check_loaded(traditional(key, nullptr), true);
  check_loaded(traditional(key, EVP_aes_256_cbc()), true, phrase);
  check_loaded(written([&](BIO* bio) { return PEM_write_bio_PUBKEY(bio, key); }), false);
  check_loaded(der([&](unsigned char** out) { return i2d_PrivateKey(key, out); }), true);
  check_loaded(der([&](unsigned char** out) { return i2d_PUBKEY(key, out); }), false);
  check_loaded(der([&](unsigned char** out) { return i2d_PublicKey(key, out); }), false);
  check_loaded("a line before\n" + pkcs8(key, false), true);
}

TEST(passphrases) {
  KeyPtr key;
  for (const std::string& text :
       {pkcs8(key512().pkey, true), traditional(key512().pkey, EVP_aes_128_cbc())}) {
    CHECK_EQ(load(text, key), PERLE_ERR_PASSPHRASE_NEEDED);
    CHECK_EQ(load(text, key, "wrong"), PERLE_ERR_PASSPHRASE);
    CHECK_EQ(load(text, key, ""), PERLE_ERR_PASSPHRASE);
    CHECK_EQ(load(text, key, reinterpret_cast<const char*>(kPhrase)), PERLE_OK);
  }
  // An unencrypted key does not ask.
  int asked = 0;
  const std::string plain = pkcs8(key512().pkey, false);
  perle_key* raw = nullptr;
  const perle_passphrase_cb count = [](char*, std::size_t, void* arg) {
    return ++*static_cast<int*>(arg), -1;
  };
  CHECK_EQ(
      perle_key_load(reinterpret_cast<const std::uint8_t*>(plain.data()), plain.size(), count, &asked, &raw),
      PERLE_OK);
  perle_key_free(raw);
  CHECK_EQ(asked, 0);
}

TEST(files_that_are_no_key) {
  KeyPtr key;
  const std::string good = pkcs8(key512().pkey, false);
  CHECK_EQ(load("", key), PERLE_ERR_KEY_FORMAT);
  CHECK_EQ(load("hello", key), PERLE_ERR_KEY_FORMAT);
  CHECK_EQ(load(good.substr(0, good.size() / 2), key), PERLE_ERR_KEY_FORMAT);
  std::string bad = good;
  bad[60] = '!';
  CHECK_EQ(load(bad, key), PERLE_ERR_KEY_FORMAT);
  CHECK_EQ(load(std::string(std::size_t{2} << 20, 'A'), key), PERLE_ERR_KEY_FORMAT);
  CHECK_EQ(perle_key_load(nullptr, 5, nullptr, nullptr, nullptr), PERLE_ERR_ARGUMENT);
  // Every cut of a DER key, and some flips: an error or a key, but no crash (the sanitizers watch).
  const std::string binary = der([&](unsigned char** out) { return i2d_PrivateKey(key512().pkey, out); });
  CHECK_EQ(load(std::string(2, '\0') + binary, key), PERLE_ERR_KEY_FORMAT);
  for (std::size_t i = 0; i < binary.size(); i += 3) {
    CHECK(load(binary.substr(0, i), key) != PERLE_OK);
    std::string flipped = binary;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x41);
    const perle_status status = load(flipped, key);
    CHECK(status == PERLE_ERR_KEY_FORMAT || status == PERLE_ERR_KEY_INCONSISTENT ||
          status == PERLE_ERR_KEY_MULTIPRIME || status == PERLE_ERR_KEY_TYPE || status == PERLE_OK);
  }
}

TEST(keys_of_other_kinds) {
  KeyPtr key;
  EVP_PKEY* ec = EVP_EC_gen("P-256");
  CHECK_EQ(load(pkcs8(ec, false), key), PERLE_ERR_KEY_TYPE);
  EVP_PKEY_free(ec);
  const RsaKey three(1024, 3);
  CHECK_EQ(load(traditional(three.pkey, nullptr), key), PERLE_ERR_KEY_MULTIPRIME);
  CHECK(std::string(perle_last_error()).find("two-prime") != std::string::npos);
}

TEST(inconsistent_keys) {
  const Numbers right(key512());
  CHECK_EQ(right.make(), PERLE_OK);
  Data Numbers::* const members[] = {&Numbers::n, &Numbers::e,  &Numbers::d,  &Numbers::p,
                                     &Numbers::q, &Numbers::dp, &Numbers::dq, &Numbers::qinv};
  for (Data Numbers::* member : members) {
    Numbers wrong = right;
    (wrong.*member).back() ^= 4;
    CHECK_EQ(wrong.make(), PERLE_ERR_KEY_INCONSISTENT);
    wrong = right;
    (wrong.*member).clear();
    // d is not needed beside the CRT numbers; everything else is.
    CHECK_EQ(wrong.make(), member == &Numbers::d ? PERLE_OK : PERLE_ERR_KEY_INCONSISTENT);
    wrong.*member = Data(64, 0);
    CHECK_EQ(wrong.make(), PERLE_ERR_KEY_INCONSISTENT);
  }
  Numbers swapped = right;
  std::swap(swapped.p, swapped.q);
  CHECK_EQ(swapped.make(), PERLE_ERR_KEY_INCONSISTENT);
  Numbers plain = right;
  for (Data Numbers::* member : {&Numbers::p, &Numbers::q, &Numbers::dp, &Numbers::dq, &Numbers::qinv})
    (plain.*member).clear();
  CHECK_EQ(plain.make(), PERLE_OK);
  plain.d.back() ^= 4;
  CHECK_EQ(plain.make(), PERLE_ERR_KEY_INCONSISTENT);
  plain.d.clear();
  CHECK_EQ(plain.make(), PERLE_OK);  // a public key
}
