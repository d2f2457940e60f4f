// SPDX-License-Identifier: Apache-2.0
//
// Encoded messages, made and checked by libcrypto's padding functions.
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include <algorithm>

#include "rsa/rsa.hpp"

namespace perle {
namespace {

constexpr std::size_t kPkcs1Overhead = 11;

struct FreeRsa {
  void operator()(RSA* rsa) const { RSA_free(rsa); }
};
struct FreeSig {
  void operator()(X509_SIG* sig) const { X509_SIG_free(sig); }
};

// libcrypto's PSS functions want an RSA object, but only for the length of n: it gets the public half.
std::unique_ptr<RSA, FreeRsa> public_rsa(const Key& key) {
  std::unique_ptr<RSA, FreeRsa> rsa(RSA_new());
  BIGNUM *n = BN_dup(key.n().get()), *e = BN_dup(key.e().get());
  if (rsa == nullptr || n == nullptr || e == nullptr || RSA_set0_key(rsa.get(), n, e, nullptr) != 1) {
    BN_free(n);
    BN_free(e);
    throw std::bad_alloc();
  }
  return rsa;
}

const EVP_MD* hash_named(const char* name) {
  if (name == nullptr) throw Error(PERLE_ERR_HASH, "this padding needs a hash");
  const EVP_MD* md = EVP_get_digestbyname(name);
  if (md == nullptr) throw Error(PERLE_ERR_HASH, std::string("unknown hash ") + name);
  if ((EVP_MD_get_flags(md) & EVP_MD_FLAG_XOF) != 0)
    throw Error(PERLE_ERR_HASH, std::string(name) + " has no fixed length");
  return md;
}

const EVP_MD* mask_hash(const perle_rsa_options& options) {
  return hash_named(options.mgf1_hash != nullptr ? options.mgf1_hash : options.hash);
}

void check_digest(const EVP_MD* md, ByteView digest) {
  if (digest.size() != static_cast<std::size_t>(EVP_MD_get_size(md)))
    throw Error(PERLE_ERR_DIGEST_LENGTH, "a digest of " + std::to_string(digest.size()) +
                                             " bytes, the hash makes " + std::to_string(EVP_MD_get_size(md)));
}

std::string bytes(std::size_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); }

[[noreturn]] void key_too_short(const Key& key, const std::string& content) {
  throw Error(PERLE_ERR_MESSAGE_LENGTH,
              "a key of " + std::to_string(key.n().bits()) + " bits is too short for " + content);
}

void check_length(const Key& key, ByteView message, std::size_t longest) {
  if (message.size() > longest)
    throw Error(PERLE_ERR_MESSAGE_LENGTH, "the message has " + bytes(message.size()) + "; with a key of " +
                                              std::to_string(key.n().bits()) +
                                              " bits this padding takes up to " + bytes(longest));
}

// The DER of DigestInfo, or the digest as it is without a hash.
Bytes digest_info(const perle_rsa_options& options, ByteView digest) {
  if (options.hash == nullptr) return {digest.begin(), digest.end()};
  const EVP_MD* md = hash_named(options.hash);
  check_digest(md, digest);
  ASN1_OBJECT* identifier = OBJ_nid2obj(EVP_MD_get_type(md));
  if (OBJ_length(identifier) == 0)
    throw Error(PERLE_ERR_HASH,
                std::string(options.hash) + " has no identifier, which PKCS#1 v1.5 signs with a digest");
  const std::unique_ptr<X509_SIG, FreeSig> sig(X509_SIG_new());
  if (sig == nullptr) throw std::bad_alloc();
  X509_ALGOR* algorithm = nullptr;
  ASN1_OCTET_STRING* value = nullptr;
  X509_SIG_getm(sig.get(), &algorithm, &value);
  check_crypto(X509_ALGOR_set0(algorithm, identifier, V_ASN1_NULL, nullptr) == 1 &&
                   ASN1_OCTET_STRING_set(value, digest.data(), static_cast<int>(digest.size())) == 1,
               "DigestInfo");
  Bytes out(static_cast<std::size_t>(std::max(0, i2d_X509_SIG(sig.get(), nullptr))));
  unsigned char* end = out.data();
  check_crypto(!out.empty() && i2d_X509_SIG(sig.get(), &end) > 0, "DigestInfo");
  return out;
}

Bytes pad_pkcs1_signature(const Key& key, const perle_rsa_options& options, ByteView digest) {
  const Bytes info = digest_info(options, digest);
  Bytes out(key.size());
  if (info.size() + kPkcs1Overhead > out.size())
    key_too_short(key, "a digest of " + bytes(digest.size()) + " in PKCS#1 v1.5");
  check_crypto(RSA_padding_add_PKCS1_type_1(out.data(), static_cast<int>(out.size()), info.data(),
                                            static_cast<int>(info.size())) == 1,
               "PKCS#1 padding");
  return out;
}

void check_salt(int salt) {
  if (salt < PERLE_SALT_AUTO) throw Error(PERLE_ERR_ARGUMENT, "undefined length of salt");
}

Bytes pad_pss(const Key& key, const perle_rsa_options& options, ByteView digest) {
  const EVP_MD* md = hash_named(options.hash);
  check_digest(md, digest);
  check_salt(options.salt_length);
  // The encoded message has one bit less than n: one byte less if n has 8k + 1 bits.
  const std::size_t room = (key.n().bits() - 1 + 7) / 8;
  const std::size_t salt = options.salt_length == PERLE_SALT_AUTO ? 0
                           : options.salt_length == PERLE_SALT_DIGEST
                               ? digest.size()
                               : static_cast<std::size_t>(options.salt_length);
  if (room < digest.size() + salt + 2)
    key_too_short(key, "a digest of " + bytes(digest.size()) + " and a salt of " + bytes(salt) + " in PSS");
  const int length = options.salt_length == PERLE_SALT_AUTO ? RSA_PSS_SALTLEN_MAX : static_cast<int>(salt);
  Bytes out(key.size());
  check_crypto(RSA_padding_add_PKCS1_PSS_mgf1(public_rsa(key).get(), out.data(), digest.data(), md,
                                              mask_hash(options), length) == 1,
               "PSS padding");
  return out;
}

Bytes raw_message(const Key& key, ByteView message) {
  if (message.size() != key.size())
    throw Error(PERLE_ERR_MESSAGE_LENGTH,
                "without padding a message has " + std::to_string(key.size()) + " bytes");
  return {message.begin(), message.end()};
}

[[noreturn]] void wrong_padding(const char* operation) {
  throw Error(PERLE_ERR_PADDING, std::string("this padding is not for ") + operation);
}

}  // namespace

Bytes pad_signature(const Key& key, const perle_rsa_options& options, ByteView digest) {
  switch (options.padding) {
    case PERLE_PADDING_NONE:
      return raw_message(key, digest);
    case PERLE_PADDING_PKCS1:
      return pad_pkcs1_signature(key, options, digest);
    case PERLE_PADDING_PSS:
      return pad_pss(key, options, digest);
    default:
      wrong_padding("signatures");
  }
}

bool check_signature(const Key& key, const perle_rsa_options& options, ByteView digest,
                     const Bytes& encoded) {
  if (options.padding == PERLE_PADDING_PSS) {
    const EVP_MD* md = hash_named(options.hash);
    check_digest(md, digest);
    check_salt(options.salt_length);
    const int salt = options.salt_length == PERLE_SALT_AUTO     ? RSA_PSS_SALTLEN_AUTO
                     : options.salt_length == PERLE_SALT_DIGEST ? RSA_PSS_SALTLEN_DIGEST
                                                                : options.salt_length;
    return RSA_verify_PKCS1_PSS_mgf1(public_rsa(key).get(), digest.data(), md, mask_hash(options),
                                     encoded.data(), salt) == 1;
  }
  // The other encodings are deterministic: compare with the only valid one, which avoids a lax parser.
  return pad_signature(key, options, digest) == encoded;
}

Bytes pad_encryption(const Key& key, const perle_rsa_options& options, ByteView message) {
  Bytes out(key.size());
  const int size = static_cast<int>(out.size()), length = static_cast<int>(message.size());
  switch (options.padding) {
    case PERLE_PADDING_NONE:
      return raw_message(key, message);
    case PERLE_PADDING_PKCS1:
      if (out.size() < kPkcs1Overhead) key_too_short(key, "PKCS#1 v1.5");
      check_length(key, message, out.size() - kPkcs1Overhead);
      check_crypto(RSA_padding_add_PKCS1_type_2(out.data(), size, message.data(), length) == 1,
                   "PKCS#1 padding");
      return out;
    case PERLE_PADDING_OAEP: {
      const EVP_MD* md = hash_named(options.hash);
      const std::size_t overhead = 2 * static_cast<std::size_t>(EVP_MD_get_size(md)) + 2;
      if (out.size() < overhead)
        key_too_short(key, "OAEP with a hash of " + bytes(static_cast<std::size_t>(EVP_MD_get_size(md))));
      check_length(key, message, out.size() - overhead);
      check_crypto(RSA_padding_add_PKCS1_OAEP_mgf1(out.data(), size, message.data(), length, nullptr, 0, md,
                                                   mask_hash(options)) == 1,
                   "OAEP padding");
      return out;
    }
    default:
      wrong_padding("encryption");
  }
}

void check_decryption_options(const perle_rsa_options& options) {
  if (options.padding == PERLE_PADDING_OAEP) {
    hash_named(options.hash);
    mask_hash(options);
  } else if (options.padding != PERLE_PADDING_PKCS1 && options.padding != PERLE_PADDING_NONE) {
    wrong_padding("decryption");
  }
}

Bytes unpad_encryption(const Key& key, const perle_rsa_options& options, const Bytes& encoded) {
  if (options.padding == PERLE_PADDING_NONE) return encoded;
  Bytes out(key.size());
  const int size = static_cast<int>(out.size());
  const int length =
      options.padding == PERLE_PADDING_OAEP
          ? RSA_padding_check_PKCS1_OAEP_mgf1(out.data(), size, encoded.data(), size, size, nullptr, 0,
                                              hash_named(options.hash), mask_hash(options))
          : RSA_padding_check_PKCS1_type_2(out.data(), size, encoded.data(), size, size);
  if (length < 0) throw Error(PERLE_ERR_DECRYPT, "decryption failed");
  out.resize(static_cast<std::size_t>(length));
  return out;
}

}  // namespace perle
