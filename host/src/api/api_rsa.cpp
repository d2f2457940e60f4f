// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "api/api.hpp"
#include "api/api_boards.hpp"
#include "rsa/half.hpp"
#include "rsa/rsa.hpp"

using perle::Bn;
using perle::Bytes;
using perle::check_argument;
using perle::Error;
using perle::guard;
using perle::Key;
using perle::Output;
using perle::Result;
using perle::view;

namespace {

const Key& checked(const perle_key* key) {
  check_argument(key != nullptr, "null pointer");
  return *key->key;
}

perle::BoardSet* optional_set(perle_boards* set) { return set == nullptr ? nullptr : &set->boards(); }

const perle_rsa_options& checked(const perle_rsa_options* options) {
  check_argument(options != nullptr && options->size == sizeof(perle_rsa_options),
                 "perle_rsa_options of another version");
  perle::check_rsa_flags(options->flags);
  return *options;
}

void need_private(const perle_boards* set, const Key& key) {
  check_argument(set != nullptr, "null pointer");
  perle::need_private(key);
}

}  // namespace

perle_status perle_rsa_private(perle_boards* set, const perle_key* key, unsigned flags, const uint8_t* in,
                               size_t in_len, uint8_t* out, size_t out_size, size_t* out_len,
                               perle_cost* cost) {
  return guard([&] {
    Result total(cost);
    Output output(out, out_size, out_len);
    const Key& k = checked(key);
    need_private(set, k);
    perle::check_rsa_flags(flags);
    if (output.only_asked(k.size())) return;
    const Bn result = rsa_private(set->engine(), k, Bn(view(in, in_len)), flags, total.value);
    output.put(result.to_bytes(k.size()));
  });
}

perle_status perle_rsa_public(perle_boards* set, const perle_key* key, const uint8_t* in, size_t in_len,
                              uint8_t* out, size_t out_size, size_t* out_len, perle_cost* cost) {
  return guard([&] {
    Result total(cost);
    Output output(out, out_size, out_len);
    const Key& k = checked(key);
    if (output.only_asked(k.size())) return;
    output.put(rsa_public(optional_set(set), k, Bn(view(in, in_len)), total.value).to_bytes(k.size()));
  });
}

perle_status perle_rsa_sign(perle_boards* set, const perle_key* key, const perle_rsa_options* options,
                            const uint8_t* digest, size_t digest_len, uint8_t* out, size_t out_size,
                            size_t* out_len, perle_cost* cost) {
  return guard([&] {
    Result total(cost);
    Output output(out, out_size, out_len);
    const Key& k = checked(key);
    need_private(set, k);
    const perle_rsa_options& how = checked(options);
    if (output.only_asked(k.size())) return;
    const Bn message(pad_signature(k, how, view(digest, digest_len)));
    const Bn result = rsa_private(set->engine(), k, message, how.flags, total.value);
    output.put(result.to_bytes(k.size()));
  });
}

perle_status perle_rsa_encode(const perle_key* key, const perle_rsa_options* options, const uint8_t* digest,
                              size_t digest_len, uint8_t* out, size_t out_size, size_t* out_len) {
  return guard([&] {
    Output output(out, out_size, out_len);
    const Key& k = checked(key);
    const perle_rsa_options& how = checked(options);
    if (!output.only_asked(k.size())) output.put(pad_signature(k, how, view(digest, digest_len)));
  });
}

perle_status perle_rsa_exponent_blinding(const perle_boards* set, const perle_key* key, uint32_t* bits) {
  return guard([&] {
    Result found(bits);
    check_argument(set != nullptr && bits != nullptr, "null pointer");
    const Key& k = checked(key);
    if (set->system != nullptr || !k.has_crt()) return;
    const perle::Shape& shape = set->boards().shape();
    found.value =
        std::min(perle::exponent_blinding_bits(shape, k.p()), perle::exponent_blinding_bits(shape, k.q()));
  });
}

perle_status perle_rsa_verify(perle_boards* set, const perle_key* key, const perle_rsa_options* options,
                              const uint8_t* digest, size_t digest_len, const uint8_t* signature,
                              size_t signature_len, perle_cost* cost) {
  return guard([&] {
    Result total(cost);
    const Key& k = checked(key);
    const perle_rsa_options& how = checked(options);
    const perle::ByteView message = view(digest, digest_len);
    const Bn value(view(signature, signature_len));
    if (signature_len != k.size() || !(value < k.n()))
      throw Error(PERLE_ERR_SIGNATURE,
                  "the signature is not one of this key: wrong length or not below its modulus");
    const Bytes encoded = rsa_public(optional_set(set), k, value, total.value).to_bytes(k.size());
    if (!check_signature(k, how, message, encoded)) throw Error(PERLE_ERR_SIGNATURE, "wrong signature");
  });
}

perle_status perle_rsa_encrypt(perle_boards* set, const perle_key* key, const perle_rsa_options* options,
                               const uint8_t* in, size_t in_len, uint8_t* out, size_t out_size,
                               size_t* out_len, perle_cost* cost) {
  return guard([&] {
    Result total(cost);
    Output output(out, out_size, out_len);
    const Key& k = checked(key);
    const perle_rsa_options& how = checked(options);
    if (output.only_asked(k.size())) return;
    const Bn message(pad_encryption(k, how, view(in, in_len)));
    output.put(rsa_public(optional_set(set), k, message, total.value).to_bytes(k.size()));
  });
}

perle_status perle_rsa_decrypt(perle_boards* set, const perle_key* key, const perle_rsa_options* options,
                               const uint8_t* in, size_t in_len, uint8_t* out, size_t out_size,
                               size_t* out_len, perle_cost* cost) {
  return guard([&] {
    Result total(cost);
    Output output(out, out_size, out_len);
    const Key& k = checked(key);
    need_private(set, k);
    const perle_rsa_options& how = checked(options);
    perle::check_decryption_options(how);
    if (output.only_asked(k.size())) return;
    if (in_len != k.size())
      throw Error(PERLE_ERR_MESSAGE_LENGTH,
                  "a ciphertext of this key has " + std::to_string(k.size()) + " bytes");
    const Bn result = rsa_private(set->engine(), k, Bn(view(in, in_len)), how.flags, total.value);
    output.put(unpad_encryption(k, how, result.to_bytes(k.size())));
  });
}
