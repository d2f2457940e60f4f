// SPDX-License-Identifier: Apache-2.0
#include "rsa/bn.hpp"

namespace perle {
namespace {

BIGNUM* fresh() {
  BIGNUM* bn = BN_secure_new();
  if (bn == nullptr) throw std::bad_alloc();
  return bn;
}

struct FreeMontgomery {
  void operator()(BN_MONT_CTX* domain) const { BN_MONT_CTX_free(domain); }
};

}  // namespace

Bn::Bn() : bn_(fresh()) {}

Bn::Bn(std::uint64_t value) : bn_(fresh()) {
  static_assert(sizeof(BN_ULONG) == 8, "a 64-bit libcrypto");
  if (BN_set_word(bn_, value) == 1) return;
  BN_clear_free(bn_);
  throw std::bad_alloc();
}

Bn::Bn(ByteView big_endian) : bn_(fresh()) {
  if (BN_bin2bn(big_endian.data(), static_cast<int>(big_endian.size()), bn_) == nullptr) {
    BN_clear_free(bn_);
    throw std::bad_alloc();
  }
}

Bn::Bn(const Bn& other) : bn_(fresh()) {
  if (BN_copy(bn_, other.bn_) == nullptr) {
    BN_clear_free(bn_);
    throw std::bad_alloc();
  }
  if (BN_get_flags(other.bn_, BN_FLG_CONSTTIME) != 0) secret();
}

Bn::Bn(Bn&& other) noexcept : bn_(other.bn_) { other.bn_ = nullptr; }

Bn& Bn::secret() {
  BN_set_flags(bn_, BN_FLG_CONSTTIME);
  return *this;
}

Bytes Bn::to_bytes(std::size_t size) const {
  Bytes out(size);
  check_crypto(BN_bn2binpad(bn_, out.data(), static_cast<int>(size)) >= 0, "number too long");
  return out;
}

Words Bn::to_words(unsigned word_bits, std::size_t count) const {
  const std::size_t word_bytes = word_bits / 8;
  Bytes raw(count * word_bytes);
  check_crypto(BN_bn2lebinpad(bn_, raw.data(), static_cast<int>(raw.size())) >= 0, "number too long");
  Words words(count);
  for (std::size_t i = 0; i < raw.size(); ++i)
    words[i / word_bytes] |= static_cast<std::uint64_t>(raw[i]) << (8 * (i % word_bytes));
  return words;
}

Bn Bn::from_words(const Words& words, unsigned word_bits) {
  const std::size_t word_bytes = word_bits / 8;
  Bytes raw(words.size() * word_bytes);
  for (std::size_t i = 0; i < raw.size(); ++i)
    raw[i] = static_cast<std::uint8_t>(words[i / word_bytes] >> (8 * (i % word_bytes)));
  Bn value;
  check_crypto(BN_lebin2bn(raw.data(), static_cast<int>(raw.size()), value.get()) != nullptr, "number");
  return value;
}

Arithmetic::Arithmetic() : ctx_(BN_CTX_secure_new()) {
  if (ctx_ == nullptr) throw std::bad_alloc();
}

Bn Arithmetic::add(const Bn& a, const Bn& b) const {
  Bn out;
  check_crypto(BN_add(out.get(), a.get(), b.get()) == 1, "sum");
  return out;
}

Bn Arithmetic::sub(const Bn& a, const Bn& b) const {
  Bn out;
  check_crypto(BN_sub(out.get(), a.get(), b.get()) == 1, "difference");
  return out;
}

Bn Arithmetic::mul(const Bn& a, const Bn& b) const {
  Bn out;
  check_crypto(BN_mul(out.get(), a.get(), b.get(), ctx()) == 1, "product");
  return out;
}

Bn Arithmetic::mod(const Bn& a, const Bn& m) const {
  Bn out;
  check_crypto(BN_mod(out.get(), a.get(), m.get(), ctx()) == 1, "remainder");
  return out;
}

Bn Arithmetic::mulmod_odd(const Bn& a, const Bn& b, const Bn& m) const {
  const std::unique_ptr<BN_MONT_CTX, FreeMontgomery> domain(BN_MONT_CTX_new());
  Bn entered, out;
  check_crypto(domain != nullptr && BN_MONT_CTX_set(domain.get(), m.get(), ctx()) == 1 &&
                   BN_to_montgomery(entered.get(), b.get(), domain.get(), ctx()) == 1 &&
                   BN_mod_mul_montgomery(out.get(), a.get(), entered.get(), domain.get(), ctx()) == 1,
               "product");
  return out;
}

Bn Arithmetic::modexp(const Bn& x, const Bn& e, const Bn& m) const {
  Bn out;
  check_crypto(BN_mod_exp_mont(out.get(), x.get(), e.get(), m.get(), ctx(), nullptr) == 1, "power");
  return out;
}

bool Arithmetic::inverse(const Bn& a, const Bn& m, Bn& out) const {
  return BN_mod_inverse(out.get(), a.get(), m.get(), ctx()) != nullptr;
}

}  // namespace perle
