// SPDX-License-Identifier: Apache-2.0
//
// The ends of operations: what is released, and compared.
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>

#include <algorithm>

#include "evp_work.hpp"
#include "rsa/bn.hpp"

namespace evp {
namespace {

using perle::Bn;
using perle::ByteView;

constexpr unsigned char kUntouched = 0xA5;

// How long a buffer is for something of that size.
std::size_t a_room(Input& input, std::size_t size) {
  const std::size_t sizes[] = {size, size, size, size, size, size + 7, size - 1, 1 + input.byte()};
  return sizes[input.below(std::size(sizes))];
}

Data::const_iterator at(const Data& all, std::size_t index) {
  return all.begin() + static_cast<std::ptrdiff_t>(index);
}

bool untouched(const Data& out) {
  return std::all_of(out.begin(), out.end(), [](unsigned char one) { return one == kUntouched; });
}

Bn number_of(const EVP_PKEY* key, const char* name) {
  Bn out;
  BIGNUM* raw = out.get();
  HOLDS(EVP_PKEY_get_bn_param(key, name, &raw) == 1);
  return out;
}

// Whether it is the root of the ciphertext modulo n.
bool is_root(const EVP_PKEY* key, ByteView root, const Data& ciphertext) {
  const Bn n = number_of(key, OSSL_PKEY_PARAM_RSA_N), e = number_of(key, OSSL_PKEY_PARAM_RSA_E);
  const Bn value(root);
  return value < n && perle::Arithmetic().modexp(value, e, n) == Bn(ByteView(ciphertext));
}

}  // namespace

// Of the message; or bytes as long as one, as the modulus, or of any length.
Data Work::digest(Input& input) const {
  const std::string hash = text(OSSL_SIGNATURE_PARAM_DIGEST);
  const std::unique_ptr<EVP_MD, perle::provider::Free<EVP_MD_free>> md(
      hash.empty() ? nullptr : EVP_MD_fetch(software(), hash.c_str(), nullptr));
  if (of_message()) {
    Data out(EVP_MAX_MD_SIZE);
    unsigned length = 0;
    if (EVP_Digest(message_.data(), message_.size(), out.data(), &length, md.get(), nullptr) != 1) return {};
    out.resize(length);
    return out;
  }
  const std::size_t modulus = key_->size();
  std::size_t size = md == nullptr ? modulus : static_cast<std::size_t>(EVP_MD_get_size(md.get()));
  switch (input.below(8)) {
    case 0:
      size = input.byte();
      break;
    case 1:
      size = modulus;
      break;
    default:
      break;
  }
  Data out = taken(input, std::min<std::size_t>(size, 24));
  if (size == modulus && input.below(8) != 0) out.insert(out.begin(), 0);  // less than the modulus
  out.resize(size, 0x3C);
  return out;
}

void Work::sign(Input& input) {
  const Data in = digest(input);
  std::size_t own_size = 0, soft_size = 0;
  const bool message = kind_ == Kind::kSignMessage;
  const auto call = [&](bool provider, unsigned char* out, std::size_t* size) {
    EVP_MD_CTX* const md = provider ? own_md_.get() : soft_md_.get();
    return message ? EVP_DigestSignFinal(md, out, size)
                   : EVP_PKEY_sign(provider ? own() : soft(), out, size, in.data(), in.size());
  };
  if (input.below(4) == 0) {
    HOLDS((call(true, nullptr, &own_size) == 1) == (call(false, nullptr, &soft_size) == 1));
    HOLDS(own_size == soft_size);
  }
  const std::size_t size = key_->size(), room = a_room(input, size);
  Data out(room, kUntouched), other(size);
  own_size = room;
  soft_size = size;
  ERR_clear_error();
  const bool possible = call(false, other.data(), &soft_size) == 1;
  ERR_clear_error();
  const bool signed_here = call(true, out.data(), &own_size) == 1;
  if (!signed_here) {
    HOLDS(ERR_peek_error() != 0);
    HOLDS(untouched(out));
    HOLDS(!(possible && promise_.fallback && !promise_.refused && key_->sound && room >= size));
    return;
  }
  out.resize(own_size);
  if (!promise_.ours) return;
  HOLDS(!promise_.refused && room >= size && own_size == size);
  if (!key_->sound && declined()) return;
  HOLDS(possible || !key_->sound);
  // One of nothing can be made, but not verified.
  if (in.empty() && !of_message())
    HOLDS(!key_->sound || out == other);
  else
    HOLDS(right(in, out));
}

// A right signature, if there is a private key for one; or a changed one.
Data Work::some_signature(Input& input, const Data& digest) const {
  Data out(key_->size(), 1);
  const PkeyCtx ctx(EVP_PKEY_CTX_new_from_pkey(software(), key_->soft.get(), nullptr));
  const int padding = number(OSSL_SIGNATURE_PARAM_PAD_MODE);
  std::string hash = text(OSSL_SIGNATURE_PARAM_DIGEST), mask = text(OSSL_SIGNATURE_PARAM_MGF1_DIGEST);
  OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, hash.data(), 0),
                         OSSL_PARAM_construct_end()};
  std::size_t size = out.size();
  if (EVP_PKEY_sign_init(ctx.get()) == 1 &&
      (hash.empty() || EVP_PKEY_CTX_set_params(ctx.get(), params) == 1) &&
      EVP_PKEY_CTX_set_rsa_padding(ctx.get(), padding) > 0 &&
      (padding != RSA_PKCS1_PSS_PADDING || mask.empty() ||
       EVP_PKEY_CTX_set_rsa_mgf1_md_name(ctx.get(), mask.c_str(), nullptr) > 0))
    EVP_PKEY_sign(ctx.get(), out.data(), &size, digest.data(), digest.size());
  switch (input.below(6)) {
    case 0:
      out[input.byte() % out.size()] ^= static_cast<unsigned char>(1U << input.below(8));
      break;
    case 1:
      out.resize(input.byte());
      break;
    default:
      break;
  }
  return out;
}

void Work::verify(Input& input) {
  const Data in = digest(input), signature = some_signature(input, in);
  const bool message = kind_ == Kind::kVerifyMessage;
  const auto call = [&](EVP_MD_CTX* md, EVP_PKEY_CTX* ctx) {
    return message ? EVP_DigestVerifyFinal(md, signature.data(), signature.size())
                   : EVP_PKEY_verify(ctx, signature.data(), signature.size(), in.data(), in.size());
  };
  const bool here = call(own_md_.get(), own_.get()) == 1, there = call(soft_md_.get(), soft_.get()) == 1;
  HOLDS(here == there);
}

void Work::recover(Input& input) {
  const Data signature = some_signature(input, digest(input));
  // OpenSSL's own implementation may write more than there is room for; the provider does not.
  const std::size_t size = key_->size(), some = a_room(input, size), room = promise_.ours ? some : size;
  Data own_out(room, kUntouched), soft_out(size);
  std::size_t own_size = room, soft_size = size;
  const auto call = EVP_PKEY_verify_recover;
  const int here = call(own(), own_out.data(), &own_size, signature.data(), signature.size()),
            there = call(soft(), soft_out.data(), &soft_size, signature.data(), signature.size());
  if (!promise_.ours) return;
  HOLDS((here == 1) == (there == 1 && soft_size <= room));
  HOLDS(here == 1
            ? own_size == soft_size && std::equal(soft_out.cbegin(), at(soft_out, soft_size), own_out.begin())
            : untouched(own_out));
}

void Work::encrypt(Input& input) {
  const Data in = taken(input, input.below(80));
  const std::size_t room = a_room(input, key_->size());
  Data own_out(room), soft_out(room);
  std::size_t own_size = room, soft_size = room;
  const int here = EVP_PKEY_encrypt(own(), own_out.data(), &own_size, in.data(), in.size()),
            there = EVP_PKEY_encrypt(soft(), soft_out.data(), &soft_size, in.data(), in.size());
  HOLDS((here == 1) == (there == 1) && own_size == soft_size);
}

// Of a message, by what the other context has set; or changed, or any bytes.
Data Work::some_ciphertext(Input& input) const {
  Data out(key_->size(), 0), in = taken(input, input.below(60));
  std::copy(in.cbegin(), at(in, std::min(in.size(), out.size())), out.begin());
  out[0] = 0;
  const int padding = number(OSSL_ASYM_CIPHER_PARAM_PAD_MODE);
  const PkeyCtx ctx(EVP_PKEY_CTX_new_from_pkey(software(), key_->checker.get(), nullptr));
  std::size_t size = out.size();
  if (kind_ == Kind::kDecrypt && padding != RSA_NO_PADDING && EVP_PKEY_encrypt_init(ctx.get()) == 1) {
    const bool tls = padding == RSA_PKCS1_WITH_TLS_PADDING;
    EVP_PKEY_CTX_set_rsa_padding(ctx.get(), tls ? RSA_PKCS1_PADDING : padding);
    if (padding == RSA_PKCS1_OAEP_PADDING) {
      const std::string hash = text(OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST),
                        mask = text(OSSL_ASYM_CIPHER_PARAM_MGF1_DIGEST);
      if (!hash.empty()) EVP_PKEY_CTX_set_rsa_oaep_md_name(ctx.get(), hash.c_str(), nullptr);
      if (!mask.empty()) EVP_PKEY_CTX_set_rsa_mgf1_md_name(ctx.get(), mask.c_str(), nullptr);
    }
    if (tls) {
      in.resize(48);
      in[0] = 3;
      in[1] = static_cast<unsigned char>(input.below(4));
    }
    EVP_PKEY_encrypt(ctx.get(), out.data(), &size, in.data(), in.size());
  }
  if (input.below(6) == 0) out[input.byte() % out.size()] ^= static_cast<unsigned char>(1U << input.below(8));
  if (input.below(8) == 0) out.resize(input.byte());
  return out;
}

void Work::decrypt(Input& input) {
  const Data in = some_ciphertext(input);
  const std::size_t size = key_->size(), room = a_room(input, size);
  Data out(room, kUntouched), other(size, kUntouched);
  std::size_t own_size = room, soft_size = size;
  const auto call = kind_ == Kind::kDecrypt ? EVP_PKEY_decrypt : EVP_PKEY_decapsulate;
  const bool possible = call(soft(), other.data(), &soft_size, in.data(), in.size()) == 1;
  ERR_clear_error();
  const bool done = call(own(), out.data(), &own_size, in.data(), in.size()) == 1;
  const int padding = kind_ == Kind::kDecrypt ? number(OSSL_ASYM_CIPHER_PARAM_PAD_MODE) : RSA_NO_PADDING;
  if (!done) {
    // With these OpenSSL's own implementation decrypts, which hides whether it wrote, and why it failed.
    const bool hidden = padding == RSA_PKCS1_PADDING || padding == RSA_PKCS1_WITH_TLS_PADDING;
    // EVP refuses nothing at all without a reason.
    HOLDS(hidden || (untouched(out) && (in.empty() || ERR_peek_error() != 0)));
    HOLDS(!(possible && promise_.fallback && !promise_.refused && key_->sound && room >= size));
    return;
  }
  if (!promise_.ours) return;
  HOLDS(!promise_.refused && own_size <= room);
  if (padding == RSA_NO_PADDING)
    HOLDS(own_size == size && is_root(key_->soft.get(), ByteView(out.data(), own_size), in));
  if (!key_->sound) return;
  HOLDS(possible);
  // A wrong secret of TLS is replaced by a random one.
  if (padding == RSA_PKCS1_WITH_TLS_PADDING) return;
  HOLDS(own_size == soft_size && std::equal(out.cbegin(), at(out, own_size), other.begin()));
}

}  // namespace evp
