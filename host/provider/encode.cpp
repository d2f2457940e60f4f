// SPDX-License-Identifier: Apache-2.0
#include "encode.hpp"

#include <openssl/core_names.h>
#include <openssl/params.h>
#include <openssl/rsa.h>

#include <algorithm>
#include <array>

namespace perle::provider {
namespace {

struct FreePerleKey {
  void operator()(perle_key* key) const { perle_key_free(key); }
};
using PublicKey = std::unique_ptr<perle_key, FreePerleKey>;

// Whether it failed for another reason than what it was asked to do.
bool internal(perle_status status) {
  static constexpr std::array kAsked = {PERLE_OK,
                                        PERLE_ERR_ARGUMENT,
                                        PERLE_ERR_PADDING,
                                        PERLE_ERR_HASH,
                                        PERLE_ERR_DIGEST_LENGTH,
                                        PERLE_ERR_MESSAGE_LENGTH,
                                        PERLE_ERR_KEY_INCONSISTENT,
                                        PERLE_ERR_EXPONENT_WIDE};
  return std::find(kAsked.begin(), kAsked.end(), status) == kAsked.end();
}

// A key with the public numbers only, which are enough for encoding. It is new, so no thread of the parent
// can hold its lock in a child of fork().
PublicKey public_key(const Key& key) {
  const Bytes n = key.n().to_bytes(key.n().bytes()), e = key.e().to_bytes(key.e().bytes());
  perle_key_numbers numbers{};
  numbers.size = sizeof numbers;
  numbers.n = {n.data(), n.size()};
  numbers.e = {e.data(), e.size()};
  perle_key* out = nullptr;
  const perle_status status = perle_key_new(&numbers, &out);
  if (internal(status)) throw NotEncoded(perle_last_error());
  // The software implementation would sign with it, but the signature could not be verified.
  want(status == PERLE_OK, Reason::kKey, "its modulus or public exponent is none of an RSA key");
  return PublicKey(out);
}

// Hashes with a standard encoding.
bool common(const EVP_MD* md) {
  static constexpr std::array kKnown = {
      NID_md5,        NID_sha1,     NID_sha224,   NID_sha256,   NID_sha384,   NID_sha512,   NID_sha512_224,
      NID_sha512_256, NID_sha3_224, NID_sha3_256, NID_sha3_384, NID_sha3_512, NID_ripemd160};
  return std::find(kKnown.begin(), kKnown.end(), EVP_MD_get_type(md)) != kKnown.end();
}

// RSA_PSS_SALTLEN_AUTO_DIGEST_MAX of later OpenSSL versions: the digest's length, or less if it does not fit.
constexpr int kDigestAtMost = -4;

// Salt length for a digest of `hash` bytes in an encoded message of `room` bytes; -1 if unknown.
int salt_length(int wanted, int hash, int room) {
  const int most = room - hash - 2;
  switch (wanted) {
    case RSA_PSS_SALTLEN_DIGEST:
      return hash;
    case RSA_PSS_SALTLEN_AUTO:
    case RSA_PSS_SALTLEN_MAX:
      return most;
    case kDigestAtMost:
      return std::min(hash, most);
    default:
      return wanted;
  }
}

// Minimum salt length of an RSA-PSS key with such a restriction, else 0.
int least_salt(const Key& key) {
  int least = 0;
  if (!key.restricted() ||
      EVP_PKEY_get_int_param(key.software(), OSSL_PKEY_PARAM_RSA_PSS_SALTLEN, &least) != 1)
    return 0;
  return least;
}

}  // namespace

std::string text_param(EVP_PKEY_CTX* soft, const char* name) {
  std::array<char, 128> value{};
  OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(name, value.data(), value.size()),
                         OSSL_PARAM_construct_end()};
  return EVP_PKEY_CTX_get_params(soft, params) == 1 ? value.data() : "";
}

int padding_of(EVP_PKEY_CTX* soft) {
  int padding = 0;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_int(OSSL_SIGNATURE_PARAM_PAD_MODE, &padding),
                         OSSL_PARAM_construct_end()};
  return EVP_PKEY_CTX_get_params(soft, params) == 1 ? padding : 0;
}

std::optional<Bytes> encode(const Key& key, EVP_PKEY_CTX* soft, ByteView digest) {
  const int padding = padding_of(soft);
  const std::string hash = text_param(soft, OSSL_SIGNATURE_PARAM_DIGEST);
  const EVP_MD* const md = hash.empty() ? nullptr : EVP_get_digestbyname(hash.c_str());
  std::string mask;
  perle_rsa_options how{sizeof how, PERLE_PADDING_NONE, nullptr, nullptr, 0, 0};
  // Without DigestInfo, as in TLS before 1.2.
  const bool bare = hash.empty() || (md != nullptr && EVP_MD_get_type(md) == NID_md5_sha1);
  if (!hash.empty() && (md == nullptr || !(common(md) || (bare && padding == RSA_PKCS1_PADDING)) ||
                        digest.size() != static_cast<std::size_t>(EVP_MD_get_size(md))))
    return std::nullopt;
  if (digest.size() > key.size()) return std::nullopt;
  if (padding == RSA_PKCS1_PADDING) {
    how.padding = PERLE_PADDING_PKCS1;
    how.hash = bare ? nullptr : hash.c_str();
  } else if (padding == RSA_PKCS1_PSS_PADDING && !hash.empty()) {
    int wanted = 0;
    mask = text_param(soft, OSSL_SIGNATURE_PARAM_MGF1_DIGEST);
    if (EVP_PKEY_CTX_get_rsa_pss_saltlen(soft, &wanted) <= 0) return std::nullopt;
    const int room = static_cast<int>((key.n().bits() - 1 + 7) / 8);
    how.padding = PERLE_PADDING_PSS;
    how.hash = hash.c_str();
    how.mgf1_hash = mask.empty() ? nullptr : mask.c_str();
    how.salt_length = salt_length(wanted, EVP_MD_get_size(md), room);
    if (how.salt_length < 0 || how.salt_length < least_salt(key)) return std::nullopt;
  } else if (padding != RSA_NO_PADDING || !hash.empty()) {
    return std::nullopt;
  }
  const PublicKey numbers = public_key(key);
  Bytes out(key.size());
  std::size_t length = 0;
  const perle_status status =
      perle_rsa_encode(numbers.get(), &how, digest.data(), digest.size(), out.data(), out.size(), &length);
  if (internal(status)) throw NotEncoded(perle_last_error());
  if (status != PERLE_OK) return std::nullopt;
  // Without padding the message may not be less than n.
  if (!(Bn(ByteView(out)) < key.n())) return std::nullopt;
  return out;
}

}  // namespace perle::provider
