// SPDX-License-Identifier: Apache-2.0
//
// Loading keys from PEM and DER, by libcrypto's decoders.
#include <openssl/core_names.h>
#include <openssl/decoder.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "rsa/key.hpp"

namespace perle {
namespace {

// Keys are decoded by libcrypto's software provider, even if the process uses Perle's provider for RSA.
constexpr char kProviders[] = "provider!=perle";
constexpr std::string_view kPemBegin = "-----BEGIN ";
constexpr std::size_t kLongestPassphrase = 1024;
constexpr std::size_t kLongestKey = 1 << 20;

struct FreePkey {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
struct FreeDecoder {
  void operator()(OSSL_DECODER_CTX* ctx) const { OSSL_DECODER_CTX_free(ctx); }
};
struct FreeBio {
  void operator()(BIO* bio) const { BIO_free(bio); }
};
using Pkey = std::unique_ptr<EVP_PKEY, FreePkey>;

// The decoder asks for the passphrase for every structure that it tries; the user is asked only once.
struct Passphrase {
  perle_passphrase_cb ask;
  void* arg;
  bool asked = false;
  bool given = false;
  Bytes text;

  static int callback(char* out, std::size_t size, std::size_t* length, const OSSL_PARAM*, void* self_ptr) {
    auto& self = *static_cast<Passphrase*>(self_ptr);
    if (!self.asked) self.get();
    if (!self.given || self.text.size() > size) return 0;
    std::copy(self.text.begin(), self.text.end(), out);
    *length = self.text.size();
    return 1;
  }

  void get() {
    asked = true;
    if (ask == nullptr) return;
    Bytes room(kLongestPassphrase);
    const int length = ask(reinterpret_cast<char*>(room.data()), room.size(), arg);
    if (length < 0 || static_cast<std::size_t>(length) > room.size()) return;
    text.assign(room.begin(), room.begin() + length);
    given = true;
  }
};

bool is_pem(ByteView data) {
  return std::search(data.begin(), data.end(), kPemBegin.begin(), kPemBegin.end()) != data.end();
}

// Null if there is no key of that type (any type: nullptr). In PEM a key may come after other things, such as
// certificates; DER is one structure.
Pkey decode(ByteView data, const char* type, Passphrase& passphrase) {
  EVP_PKEY* raw = nullptr;
  // Trying DER as PEM would leave pieces of it in memory that libcrypto frees without zeroizing.
  const bool pem = is_pem(data);
  const char* format = pem ? "PEM" : "DER";
  const std::unique_ptr<OSSL_DECODER_CTX, FreeDecoder> decoder(
      OSSL_DECODER_CTX_new_for_pkey(&raw, format, nullptr, type, 0, nullptr, kProviders));
  check_crypto(decoder != nullptr && OSSL_DECODER_CTX_get_num_decoders(decoder.get()) > 0, "decoder");
  check_crypto(OSSL_DECODER_CTX_set_passphrase_cb(decoder.get(), Passphrase::callback, &passphrase) == 1,
               "decoder");
  const std::unique_ptr<BIO, FreeBio> bio(BIO_new_mem_buf(data.data(), static_cast<int>(data.size())));
  if (bio == nullptr) throw std::bad_alloc();
  // A call consumes one PEM block; if it contains no key, try the next block.
  std::int64_t left = BIO_pending(bio.get());
  while (left > 0) {
    const bool good = OSSL_DECODER_from_bio(decoder.get(), bio.get()) == 1;
    Pkey key(std::exchange(raw, nullptr));
    if (good && key != nullptr) return key;
    const std::int64_t before = std::exchange(left, BIO_pending(bio.get()));
    if (!pem || left >= before) break;
  }
  return nullptr;
}

// Why there is no RSA key in it.
[[noreturn]] void refuse(ByteView data, Passphrase& passphrase) {
  const Pkey other = decode(data, nullptr, passphrase);
  if (other != nullptr) {
    const char* type = EVP_PKEY_get0_type_name(other.get());
    throw Error(PERLE_ERR_KEY_TYPE,
                std::string("a key of type ") + (type == nullptr ? "unknown" : type) + ", not RSA");
  }
  if (passphrase.asked && !passphrase.given) throw Error(PERLE_ERR_PASSPHRASE_NEEDED, "the key is encrypted");
  if (passphrase.asked)
    throw Error(PERLE_ERR_PASSPHRASE, "wrong passphrase, or the encrypted key is damaged");
  throw Error(PERLE_ERR_KEY_FORMAT, "neither PEM nor DER of a key");
}

// A number of the key; absent and zero (as in keys without CRT) are the same.
std::optional<Bn> number(const EVP_PKEY* key, const char* name) {
  Bn value;
  BIGNUM* raw = value.get();
  if (EVP_PKEY_get_bn_param(key, name, &raw) != 1 || value.is_zero()) return std::nullopt;
  return value;
}

}  // namespace

KeyNumbers parse_key(ByteView data, perle_passphrase_cb ask, void* arg) {
  if (data.empty() || data.size() > kLongestKey)
    throw Error(PERLE_ERR_KEY_FORMAT, "empty or far too long for a key");
  Passphrase passphrase{ask, arg, false, false, {}};
  // RSA first: the two numbers of a public key in PKCS#1 would pass for Diffie-Hellman parameters.
  const Pkey key = decode(data, "RSA", passphrase);
  if (key == nullptr) refuse(data, passphrase);
  if (number(key.get(), OSSL_PKEY_PARAM_RSA_FACTOR3))
    throw Error(PERLE_ERR_KEY_MULTIPRIME,
                "an RSA key of more than two primes: only two-prime keys are supported");
  return {
      number(key.get(), OSSL_PKEY_PARAM_RSA_N),         number(key.get(), OSSL_PKEY_PARAM_RSA_E),
      number(key.get(), OSSL_PKEY_PARAM_RSA_D),         number(key.get(), OSSL_PKEY_PARAM_RSA_FACTOR1),
      number(key.get(), OSSL_PKEY_PARAM_RSA_FACTOR2),   number(key.get(), OSSL_PKEY_PARAM_RSA_EXPONENT1),
      number(key.get(), OSSL_PKEY_PARAM_RSA_EXPONENT2), number(key.get(), OSSL_PKEY_PARAM_RSA_COEFFICIENT1),
  };
}

}  // namespace perle
