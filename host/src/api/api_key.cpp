// SPDX-License-Identifier: Apache-2.0
#include "api/api.hpp"
#include "rsa/key.hpp"

using perle::Bn;
using perle::check_argument;
using perle::guard;
using perle::Key;
using perle::Output;
using perle::Result;

namespace {

std::optional<Bn> number(const perle_number& from) {
  if (from.data == nullptr) return std::nullopt;
  return Bn(perle::view(from.data, from.len));
}

}  // namespace

perle_status perle_key_load(const uint8_t* data, size_t len, perle_passphrase_cb ask, void* arg,
                            perle_key** key) {
  return guard([&] {
    Result made(key);
    check_argument(key != nullptr && (data != nullptr || len == 0), "null pointer");
    made.value = new perle_key{std::make_shared<const Key>(perle::parse_key({data, len}, ask, arg))};
  });
}

perle_status perle_key_new(const perle_key_numbers* numbers, perle_key** key) {
  return guard([&] {
    Result made(key);
    check_argument(numbers != nullptr && key != nullptr, "null pointer");
    check_argument(numbers->size == sizeof(perle_key_numbers), "perle_key_numbers of another version");
    perle::KeyNumbers all{number(numbers->n),  number(numbers->e),   number(numbers->d),
                          number(numbers->p),  number(numbers->q),   number(numbers->dp),
                          number(numbers->dq), number(numbers->qinv)};
    made.value = new perle_key{std::make_shared<const Key>(std::move(all))};
  });
}

perle_status perle_key_generate(uint32_t bits, perle_key** key) {
  return guard([&] {
    Result made(key);
    check_argument(key != nullptr, "null pointer");
    made.value = new perle_key{std::make_shared<const Key>(perle::generate_key(bits))};
  });
}

perle_status perle_key_to_pem(const perle_key* key, uint8_t* out, size_t out_size, size_t* out_len) {
  return guard([&] {
    Output output(out, out_size, out_len);
    check_argument(key != nullptr, "null pointer");
    perle::Bytes pem = perle::key_to_pem(*key->key);
    if (!output.only_asked(pem.size())) output.put(std::move(pem));
  });
}

perle_status perle_key_get_prime(const perle_key* key, char which, uint8_t* out, size_t out_size,
                                 size_t* out_len) {
  return guard([&] {
    Output output(out, out_size, out_len);
    check_argument(key != nullptr && (which == 'p' || which == 'q'), "null pointer, or neither 'p' nor 'q'");
    if (!key->key->has_crt()) throw perle::Error(PERLE_ERR_KEY_PUBLIC, "the key has no primes");
    const Bn& value = which == 'p' ? key->key->p() : key->key->q();
    if (!output.only_asked(value.bytes())) output.put(value.to_bytes(value.bytes()));
  });
}

void perle_key_free(perle_key* key) { delete key; }

perle_status perle_key_get_info(const perle_key* key, perle_key_info* info) {
  return guard([&] {
    Result found(info);
    check_argument(key != nullptr && info != nullptr, "null pointer");
    const Key& k = *key->key;
    found.value = {k.n().bits(), static_cast<uint32_t>(k.size()), k.half_bits(), k.is_private() ? 1U : 0U,
                   k.has_crt() ? 1U : 0U};
  });
}

perle_status perle_key_get_public(const perle_key* key, char which, uint8_t* out, size_t out_size,
                                  size_t* out_len) {
  return guard([&] {
    Output output(out, out_size, out_len);
    check_argument(key != nullptr && (which == 'n' || which == 'e'), "null pointer, or neither 'n' nor 'e'");
    const Bn& value = which == 'n' ? key->key->n() : key->key->e();
    if (!output.only_asked(value.bytes())) output.put(value.to_bytes(value.bytes()));
  });
}
