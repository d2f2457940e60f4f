// SPDX-License-Identifier: Apache-2.0
//
// Powers and long products of GMP. GMP's header is not required: its ABI (limbs of 64 bits, structure of a
// number) is repeated here. GMP calls these functions internally too, and those calls also come here.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "accelerator.hpp"

#define EXPORT extern "C" __attribute__((visibility("default")))

extern "C" {
using mp_limb_t = std::uint64_t;
struct mpz_number {
  int alloc;
  int size;  // number of limbs; negative for negative numbers
  mp_limb_t* limbs;
};
// Declared as in GMP; resolved when they are called.
void __gmpz_powm(mpz_number*, const mpz_number*, const mpz_number*, const mpz_number*);
void __gmpz_powm_sec(mpz_number*, const mpz_number*, const mpz_number*, const mpz_number*);
mp_limb_t __gmpn_mul(mp_limb_t*, const mp_limb_t*, long, const mp_limb_t*, long);
void __gmpn_mul_n(mp_limb_t*, const mp_limb_t*, const mp_limb_t*, long);
void __gmpn_sqr(mp_limb_t*, const mp_limb_t*, long);
}

namespace {

using perle::Bytes;
using perle::preload::Entry;
using perle::preload::Function;

constexpr std::size_t kLimb = sizeof(mp_limb_t);

Bytes bytes_of(const mp_limb_t* limbs, std::size_t count) {
  Bytes out(count * kLimb);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[out.size() - 1 - i] = static_cast<std::uint8_t>(limbs[i / kLimb] >> (8 * (i % kLimb)));
  return out;
}

void limbs_of(const Bytes& bytes, mp_limb_t* limbs, std::size_t count) {
  std::fill_n(limbs, count, 0);
  for (std::size_t i = 0; i < std::min(bytes.size(), count * kLimb); ++i)
    limbs[i / kLimb] |= mp_limb_t{bytes[bytes.size() - 1 - i]} << (8 * (i % kLimb));
}

std::size_t bits_of(const mpz_number* number) {
  const auto size = static_cast<std::size_t>(number->size);
  return size == 0 ? 0 : 64 * size - static_cast<std::size_t>(__builtin_clzll(number->limbs[size - 1]));
}

Bytes significant(const mpz_number* number) {
  Bytes out = bytes_of(number->limbs, static_cast<std::size_t>(number->size));
  out.erase(out.begin(), out.end() - static_cast<std::ptrdiff_t>((bits_of(number) + 7) / 8));
  return out;
}

void set(mpz_number* number, const Bytes& value, const void* caller) {
  const std::size_t count = (value.size() + kLimb - 1) / kLimb;
  using Realloc = void* (*)(mpz_number*, long);
  if (number->alloc < static_cast<int>(count))
    reinterpret_cast<Realloc>(perle::preload::real("__gmpz_realloc", caller))(number,
                                                                              static_cast<long>(count));
  limbs_of(value, number->limbs, count);
  auto size = static_cast<int>(count);
  while (size > 0 && number->limbs[size - 1] == 0) --size;
  number->size = size;
}

// Negative numbers, even moduli and zero exponents are left to GMP.
bool on_board(Function function, mpz_number* r, const mpz_number* b, const mpz_number* e, const mpz_number* m,
              bool secret, const void* caller) noexcept try {
  const Entry entry(function);
  if (!entry.mine()) return false;
  if (m->size <= 0 || (m->limbs[0] & 1) == 0 || e->size <= 0 || b->size < 0) return false;
  if (!perle::preload::wide_enough(bits_of(m))) return false;
  Bytes modulus = significant(m), base = significant(b), exponent = significant(e), z;
  if (base.size() > modulus.size()) return false;  // left to GMP, as it must be reduced first
  base.insert(base.begin(), modulus.size() - base.size(), 0);
  if (base >= modulus || !perle::preload::power(function, base, std::move(exponent), modulus, secret, z))
    return false;
  set(r, z, caller);
  return true;
} catch (...) {  // out of memory: use software; exceptions must not reach C callers
  return false;
}

// Only if both factors are long; otherwise GMP is faster.
bool on_board(Function function, mp_limb_t* out, const mp_limb_t* a, long a_size, const mp_limb_t* b,
              long b_size) noexcept try {
  const auto longer = static_cast<std::size_t>(a_size), shorter = static_cast<std::size_t>(b_size);
  // checked first, as there may be millions of short ones; these are not counted
  if (!perle::preload::multiplies() || !perle::preload::wide_enough(64 * shorter)) return false;
  const Entry entry(function);
  if (!entry.mine()) return false;
  Bytes product;
  if (!perle::preload::product(function, bytes_of(a, longer), bytes_of(b, shorter), product)) return false;
  limbs_of(product, out, longer + shorter);
  return true;
} catch (...) {  // out of memory: use software; exceptions must not reach C callers
  return false;
}

}  // namespace

EXPORT void __gmpz_powm(mpz_number* r, const mpz_number* b, const mpz_number* e, const mpz_number* m) {
  if (on_board(perle::preload::kPowm, r, b, e, m, false, __builtin_return_address(0))) return;
  PERLE_REAL(__gmpz_powm)(r, b, e, m);
}

EXPORT void __gmpz_powm_sec(mpz_number* r, const mpz_number* b, const mpz_number* e, const mpz_number* m) {
  if (on_board(perle::preload::kPowmSec, r, b, e, m, true, __builtin_return_address(0))) return;
  PERLE_REAL(__gmpz_powm_sec)(r, b, e, m);
}

EXPORT mp_limb_t __gmpn_mul(mp_limb_t* r, const mp_limb_t* a, long a_size, const mp_limb_t* b, long b_size) {
  if (on_board(perle::preload::kMpnMul, r, a, a_size, b, b_size)) return r[a_size + b_size - 1];
  return PERLE_REAL(__gmpn_mul)(r, a, a_size, b, b_size);
}

EXPORT void __gmpn_mul_n(mp_limb_t* r, const mp_limb_t* a, const mp_limb_t* b, long size) {
  if (on_board(perle::preload::kMpnMulN, r, a, size, b, size)) return;
  PERLE_REAL(__gmpn_mul_n)(r, a, b, size);
}

EXPORT void __gmpn_sqr(mp_limb_t* r, const mp_limb_t* a, long size) {
  if (on_board(perle::preload::kMpnSqr, r, a, size, a, size)) return;
  PERLE_REAL(__gmpn_sqr)(r, a, size);
}
