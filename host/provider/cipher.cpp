// SPDX-License-Identifier: Apache-2.0
//
// Encryption and decryption. A context of the software implementation handles all parameters; it encrypts,
// and it decrypts PKCS #1 v1.5 and TLS pre-master secrets, because it has the countermeasures against their
// side channels. OAEP decryption and decryption without padding use boards.
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <openssl/rsa.h>

#include <algorithm>

#include "encode.hpp"
#include "operation.hpp"
#include "power.hpp"

namespace perle::provider {
namespace {

int encrypt(void* ctx, unsigned char* out, std::size_t* length, std::size_t size, const unsigned char* in,
            std::size_t in_length) {
  EVP_PKEY_CTX* const soft = operation(ctx).soft.get();
  if (out != nullptr) *length = size;
  return soft != nullptr && EVP_PKEY_encrypt(soft, out, length, in, in_length) == 1 ? 1 : 0;
}

Md fetch(const Operation& own, const std::string& name, const char* otherwise) {
  return Md(EVP_MD_fetch(own.context.libctx.get(), name.empty() ? otherwise : name.c_str(), nullptr));
}

// Decodes OAEP: one error for every cause, in libcrypto's constant time.
int unpad_oaep(const Operation& own, const Bytes& encoded, unsigned char* out, std::size_t* length) {
  const std::string hash = text_param(own.soft.get(), OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST);
  const std::string mask = text_param(own.soft.get(), OSSL_ASYM_CIPHER_PARAM_MGF1_DIGEST);
  const Md md = fetch(own, hash, "SHA1");
  const Md mgf1 = fetch(own, mask, hash.empty() ? "SHA1" : hash.c_str());
  unsigned char* label = nullptr;
  const int label_length = EVP_PKEY_CTX_get0_rsa_oaep_label(own.soft.get(), &label);
  want_soft(md != nullptr && mgf1 != nullptr && label_length >= 0,
            "the hash or the label of OAEP is not known");
  Bytes message(encoded.size());
  const int room = static_cast<int>(message.size());
  const int found = RSA_padding_check_PKCS1_OAEP_mgf1(message.data(), room, encoded.data(), room, room, label,
                                                      label_length, md.get(), mgf1.get());
  if (found < 0) return 0;
  std::copy(message.begin(), message.begin() + found, out);
  *length = static_cast<std::size_t>(found);
  return 1;
}

int decrypt(void* ctx, unsigned char* out, std::size_t* length, std::size_t size, const unsigned char* in,
            std::size_t in_length) {
  const Operation& own = operation(ctx);
  return guard(own.context.core, 0, [&] {
    want(own.soft != nullptr, Reason::kState, "nothing was begun");
    const int padding = padding_of(own.soft.get());
    const bool here = padding == RSA_PKCS1_OAEP_PADDING || padding == RSA_NO_PADDING;
    // The software implementation refuses inputs that are too long or out of range. Leading zeros may be
    // missing.
    if (out == nullptr || !here || in_length > own.key->size() || !own.key->has_private() ||
        !(Bn(ByteView{in, in_length}) < own.key->n())) {
      if (out != nullptr) note_declined(*own.key);
      if (out != nullptr) *length = size;
      return EVP_PKEY_decrypt(own.soft.get(), out, length, in, in_length) == 1 ? 1 : 0;
    }
    // Checked before decryption: after it, the error would reveal whether the padding was valid.
    want(size >= own.key->size(), Reason::kBuffer, "the buffer is shorter than the modulus");
    Bytes whole(own.key->size());
    std::copy(in, in + in_length, whole.end() - static_cast<std::ptrdiff_t>(in_length));
    const Bytes encoded = private_power(own.key, whole);
    if (padding == RSA_PKCS1_OAEP_PADDING) return unpad_oaep(own, encoded, out, length);
    std::copy(encoded.begin(), encoded.end(), out);
    *length = encoded.size();
    return 1;
  });
}

int get_params(void* ctx, OSSL_PARAM params[]) {
  EVP_PKEY_CTX* const soft = operation(ctx).soft.get();
  return soft != nullptr && EVP_PKEY_CTX_get_params(soft, params) == 1 ? 1 : 0;
}

int set_params(void* ctx, const OSSL_PARAM params[]) {
  EVP_PKEY_CTX* const soft = operation(ctx).soft.get();
  return params == nullptr || (soft != nullptr && EVP_PKEY_CTX_set_params(soft, params) == 1) ? 1 : 0;
}

const OSSL_PARAM* known(void*, void*) {
  static const OSSL_PARAM kParams[] = {
      OSSL_PARAM_utf8_string(OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST, nullptr, 0),
      OSSL_PARAM_utf8_string(OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST_PROPS, nullptr, 0),
      OSSL_PARAM_utf8_string(OSSL_ASYM_CIPHER_PARAM_PAD_MODE, nullptr, 0),
      OSSL_PARAM_utf8_string(OSSL_ASYM_CIPHER_PARAM_MGF1_DIGEST, nullptr, 0),
      OSSL_PARAM_utf8_string(OSSL_ASYM_CIPHER_PARAM_MGF1_DIGEST_PROPS, nullptr, 0),
      OSSL_PARAM_octet_string(OSSL_ASYM_CIPHER_PARAM_OAEP_LABEL, nullptr, 0),
      OSSL_PARAM_uint(OSSL_ASYM_CIPHER_PARAM_TLS_CLIENT_VERSION, nullptr),
      OSSL_PARAM_uint(OSSL_ASYM_CIPHER_PARAM_TLS_NEGOTIATED_VERSION, nullptr),
      // OpenSSL 3.2 and later; ignored by earlier versions.
      OSSL_PARAM_uint("implicit-rejection", nullptr), OSSL_PARAM_END};
  return kParams;
}

}  // namespace

const OSSL_DISPATCH kCipher[] = {
    entry(OSSL_FUNC_ASYM_CIPHER_NEWCTX, create_operation),
    entry(OSSL_FUNC_ASYM_CIPHER_FREECTX, destroy_operation),
    entry(OSSL_FUNC_ASYM_CIPHER_DUPCTX, duplicate_operation),
    entry(OSSL_FUNC_ASYM_CIPHER_ENCRYPT_INIT, init_operation<EVP_PKEY_encrypt_init_ex>),
    entry(OSSL_FUNC_ASYM_CIPHER_ENCRYPT, encrypt),
    entry(OSSL_FUNC_ASYM_CIPHER_DECRYPT_INIT, init_operation<EVP_PKEY_decrypt_init_ex>),
    entry(OSSL_FUNC_ASYM_CIPHER_DECRYPT, decrypt),
    entry(OSSL_FUNC_ASYM_CIPHER_GET_CTX_PARAMS, get_params),
    entry(OSSL_FUNC_ASYM_CIPHER_GETTABLE_CTX_PARAMS, known),
    entry(OSSL_FUNC_ASYM_CIPHER_SET_CTX_PARAMS, set_params),
    entry(OSSL_FUNC_ASYM_CIPHER_SETTABLE_CTX_PARAMS, known),
    {0, nullptr}};

}  // namespace perle::provider
