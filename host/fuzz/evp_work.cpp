// SPDX-License-Identifier: Apache-2.0
#include "evp_work.hpp"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>

#include <array>

namespace evp {
namespace {

// What is not set, what boards do, what only software does, what there is not.
constexpr const char* kHashes[] = {"SHA256",   "SHA1",     "SHA384", "SHA512",   "MD5",
                                   "MD5-SHA1", "SHA3-256", "SM3",    "SHAKE128", "none"};
constexpr int kPaddings[] = {RSA_PKCS1_PADDING,
                             RSA_PKCS1_PSS_PADDING,
                             RSA_NO_PADDING,
                             RSA_PKCS1_OAEP_PADDING,
                             RSA_X931_PADDING,
                             RSA_PKCS1_WITH_TLS_PADDING,
                             0,
                             99};
constexpr int kSalts[] = {
    RSA_PSS_SALTLEN_DIGEST, RSA_PSS_SALTLEN_AUTO, RSA_PSS_SALTLEN_MAX, 0, 11, 20, 32, 300};

const char* a_hash(Input& input) {
  const bool usual = input.below(2) == 0;
  const char* const other = kHashes[input.below(std::size(kHashes))];
  return usual ? kHashes[0] : other;
}

}  // namespace

std::unique_ptr<Work> Work::begin(Input& input, std::shared_ptr<const Key> key, OSSL_LIB_CTX* ctx,
                                  const Promise& promise) {
  const auto kind = static_cast<Kind>(input.below(kKinds));
  std::unique_ptr<Work> made(new Work(kind, std::move(key), promise));
  const Key& with = *made->key_;
  int own = 0, soft = 0;
  if (made->of_message()) {
    const auto init = kind == Kind::kSignMessage ? EVP_DigestSignInit_ex : EVP_DigestVerifyInit_ex;
    const char* const hash = a_hash(input);
    made->own_md_.reset(EVP_MD_CTX_new());
    made->soft_md_.reset(EVP_MD_CTX_new());
    own = init(made->own_md_.get(), &made->own_inner_, hash, ctx, nullptr, with.own.get(), nullptr);
    soft =
        init(made->soft_md_.get(), &made->soft_inner_, hash, software(), nullptr, with.soft.get(), nullptr);
  } else {
    made->own_.reset(EVP_PKEY_CTX_new_from_pkey(ctx, with.own.get(), nullptr));
    made->soft_.reset(EVP_PKEY_CTX_new_from_pkey(software(), with.soft.get(), nullptr));
    const auto init = [&](EVP_PKEY_CTX* one) {
      switch (kind) {
        case Kind::kSign:
          return EVP_PKEY_sign_init(one);
        case Kind::kVerify:
          return EVP_PKEY_verify_init(one);
        case Kind::kRecover:
          return EVP_PKEY_verify_recover_init(one);
        case Kind::kEncrypt:
          return EVP_PKEY_encrypt_init(one);
        case Kind::kDecrypt:
          return EVP_PKEY_decrypt_init(one);
        default:
          return EVP_PKEY_decapsulate_init(one, nullptr) == 1 ? EVP_PKEY_CTX_set_kem_op(one, "RSASVE") : 0;
      }
    };
    own = init(made->own());
    soft = init(made->soft());
  }
  HOLDS(own == soft);
  if (own != 1) return nullptr;
  const OSSL_PROVIDER* const whose = EVP_PKEY_CTX_get0_provider(made->own());
  const bool ours = whose != nullptr && std::string(OSSL_PROVIDER_get0_name(whose)) == "perle";
  HOLDS(ours || !promise.ours || !perle::provider::testing::is_perles(with.own.get()));
  made->promise_.ours = ours && perle::provider::testing::is_perles(with.own.get());
  return made;
}

std::unique_ptr<Work> Work::copy() const {
  std::unique_ptr<Work> out(new Work(kind_, key_, promise_));
  out->message_ = message_;
  if (of_message()) {
    out->own_md_.reset(EVP_MD_CTX_new());
    out->soft_md_.reset(EVP_MD_CTX_new());
    HOLDS(EVP_MD_CTX_copy_ex(out->own_md_.get(), own_md_.get()) == 1);
    HOLDS(EVP_MD_CTX_copy_ex(out->soft_md_.get(), soft_md_.get()) == 1);
    out->own_inner_ = EVP_MD_CTX_get_pkey_ctx(out->own_md_.get());
    out->soft_inner_ = EVP_MD_CTX_get_pkey_ctx(out->soft_md_.get());
    return out;
  }
  out->own_.reset(EVP_PKEY_CTX_dup(own_.get()));
  out->soft_.reset(EVP_PKEY_CTX_dup(soft_.get()));
  HOLDS((out->own_ == nullptr) == (out->soft_ == nullptr));
  return out->own_ == nullptr ? nullptr : std::move(out);
}

void Work::adjust(Input& input) {
  const unsigned what = input.below(8), value = input.byte();
  const char* const hash = a_hash(input);
  const auto set = [&](EVP_PKEY_CTX* one) -> int {
    switch (what) {
      case 0:
      case 1:
        return EVP_PKEY_CTX_set_rsa_padding(one, kPaddings[value % std::size(kPaddings)]);
      case 2: {
        OSSL_PARAM params[] = {
            OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, const_cast<char*>(hash), 0),
            OSSL_PARAM_construct_end()};
        return EVP_PKEY_CTX_set_params(one, params);
      }
      case 3:
        return EVP_PKEY_CTX_set_rsa_pss_saltlen(one, kSalts[value % std::size(kSalts)]);
      case 4:
        return EVP_PKEY_CTX_set_rsa_mgf1_md_name(one, hash, nullptr);
      case 5:
        return EVP_PKEY_CTX_set_rsa_oaep_md_name(one, hash, nullptr);
      case 6: {
        Data label(value % 40, 'l');
        OSSL_PARAM params[] = {
            OSSL_PARAM_construct_octet_string(OSSL_ASYM_CIPHER_PARAM_OAEP_LABEL, label.data(), label.size()),
            OSSL_PARAM_construct_end()};
        return EVP_PKEY_CTX_set_params(one, params);
      }
      default: {
        unsigned version = 0x0300 + value % 5;
        OSSL_PARAM params[] = {OSSL_PARAM_construct_uint(OSSL_ASYM_CIPHER_PARAM_TLS_CLIENT_VERSION, &version),
                               OSSL_PARAM_construct_end()};
        return EVP_PKEY_CTX_set_params(one, params);
      }
    }
  };
  const bool here = set(own()) > 0;
  // OpenSSL's own implementation lets the hash of a message be changed after its signature's length was asked
  // for.
  if (!here && what == 2 && of_message()) return;
  const bool there = set(soft()) > 0;
  HOLDS(here == there);
}

void Work::update(Input& input) {
  if (!of_message()) return;
  const Data more = taken(input, input.below(40));
  const bool sign = kind_ == Kind::kSignMessage;
  const auto add = sign ? EVP_DigestSignUpdate : EVP_DigestVerifyUpdate;
  const int own = add(own_md_.get(), more.data(), more.size()),
            soft = add(soft_md_.get(), more.data(), more.size());
  HOLDS(own == soft);
  if (own == 1) message_.insert(message_.end(), more.begin(), more.end());
}

void Work::finish(Input& input) {
  ERR_clear_error();
  switch (kind_) {
    case Kind::kSign:
    case Kind::kSignMessage:
      return sign(input);
    case Kind::kVerify:
    case Kind::kVerifyMessage:
      return verify(input);
    case Kind::kRecover:
      return recover(input);
    case Kind::kEncrypt:
      return encrypt(input);
    default:
      return decrypt(input);
  }
}

int Work::number(const char* name) const {
  int out = 0;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_int(name, &out), OSSL_PARAM_construct_end()};
  return EVP_PKEY_CTX_get_params(soft(), params) == 1 ? out : 0;
}

std::string Work::text(const char* name) const {
  std::array<char, 80> out{};
  OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(name, out.data(), out.size()),
                         OSSL_PARAM_construct_end()};
  return EVP_PKEY_CTX_get_params(soft(), params) == 1 ? out.data() : "";
}

// Whether OpenSSL's own implementation accepts a signature, by what the other context has set.
bool Work::right(const Data& digest, const Data& signature) const {
  const PkeyCtx ctx(EVP_PKEY_CTX_new_from_pkey(software(), key_->checker.get(), nullptr));
  if (ctx == nullptr || EVP_PKEY_verify_init(ctx.get()) != 1) return false;
  const int padding = number(OSSL_SIGNATURE_PARAM_PAD_MODE);
  std::string hash = text(OSSL_SIGNATURE_PARAM_DIGEST), mask = text(OSSL_SIGNATURE_PARAM_MGF1_DIGEST);
  OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, hash.data(), 0),
                         OSSL_PARAM_construct_end()};
  if (!hash.empty() && EVP_PKEY_CTX_set_params(ctx.get(), params) != 1) return false;
  if (EVP_PKEY_CTX_set_rsa_padding(ctx.get(), padding) <= 0) return false;
  if (padding == RSA_PKCS1_PSS_PADDING) {
    int salt = 0;
    if (EVP_PKEY_CTX_get_rsa_pss_saltlen(soft(), &salt) <= 0) return false;
    if (salt < RSA_PSS_SALTLEN_DIGEST) salt = RSA_PSS_SALTLEN_AUTO;
    if (EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx.get(), salt) <= 0 ||
        EVP_PKEY_CTX_set_rsa_mgf1_md_name(ctx.get(), mask.empty() ? hash.c_str() : mask.c_str(), nullptr) <=
            0)
      return false;
  }
  return EVP_PKEY_verify(ctx.get(), signature.data(), signature.size(), digest.data(), digest.size()) == 1;
}

// Whether software signs, and checks nothing.
bool Work::declined() const {
  const int padding = number(OSSL_SIGNATURE_PARAM_PAD_MODE);
  const std::string hash = text(OSSL_SIGNATURE_PARAM_DIGEST);
  return padding == RSA_X931_PADDING || hash == "SM3" || hash.starts_with("SHAKE") ||
         (hash == "MD5-SHA1" && padding != RSA_PKCS1_PADDING);
}

}  // namespace evp
