// SPDX-License-Identifier: Apache-2.0
//
// The powers of libcrypto, with the signatures of <openssl/bn.h>: computed on a board if possible, otherwise
// by libcrypto.
#include <openssl/bn.h>
#include <openssl/crypto.h>

#include <utility>

#include "accelerator.hpp"

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using perle::Bytes;
using perle::preload::Entry;
using perle::preload::Function;

bool bytes_of(const BIGNUM* number, std::size_t length, Bytes& out) {
  out.resize(length);
  return BN_bn2binpad(number, out.data(), static_cast<int>(length)) >= 0;
}

// Reduces the base modulo m, as all of these functions do.
const BIGNUM* reduced(const BIGNUM* a, const BIGNUM* m, BN_CTX* ctx, BIGNUM* room) {
  if (!BN_is_negative(a) && BN_ucmp(a, m) < 0) return a;
  return BN_nnmod(room, a, m, ctx) == 1 ? room : nullptr;
}

bool on_board(Function function, BIGNUM* r, const BIGNUM* a, const BIGNUM* p, const BIGNUM* m, BN_CTX* ctx,
              bool secret) noexcept try {
  const Entry entry(function);
  if (!entry.mine()) return false;
  if (r == p || r == m) return false;  // some of these functions refuse this overlap
  // Boards: odd moduli of at least 3, positive exponents. All else is left to libcrypto.
  if (!BN_is_odd(m) || BN_is_negative(m) || BN_is_one(m) || BN_is_negative(p) || BN_is_zero(p)) return false;
  if (!perle::preload::wide_enough(static_cast<std::size_t>(BN_num_bits(m)))) return false;
  for (const BIGNUM* one : {a, p, m}) secret = secret || BN_get_flags(one, BN_FLG_CONSTTIME) != 0;
  BIGNUM* room = secret ? BN_secure_new() : BN_new();
  BN_CTX* own = ctx == nullptr ? BN_CTX_new() : nullptr;
  const auto size = static_cast<std::size_t>(BN_num_bytes(m));
  const auto length = static_cast<std::size_t>(BN_num_bytes(p));
  Bytes x, e, modulus, z;
  bool done = false;
  if (room != nullptr && (ctx != nullptr || own != nullptr)) {
    const BIGNUM* base = reduced(a, m, ctx != nullptr ? ctx : own, room);
    done = base != nullptr && bytes_of(base, size, x) && bytes_of(m, size, modulus) &&
           bytes_of(p, length, e) && perle::preload::power(function, x, std::move(e), modulus, secret, z) &&
           BN_bin2bn(z.data(), static_cast<int>(z.size()), r) != nullptr;
    if (done) BN_set_negative(r, 0);  // BN_bin2bn keeps the old sign if the result is 0
  }
  BN_CTX_free(own);
  BN_clear_free(room);
  return done;
} catch (...) {  // out of memory: use software; exceptions must not reach C callers
  return false;
}

}  // namespace

EXPORT int BN_mod_exp(BIGNUM* r, const BIGNUM* a, const BIGNUM* p, const BIGNUM* m, BN_CTX* ctx) {
  if (on_board(perle::preload::kModExp, r, a, p, m, ctx, false)) return 1;
  return PERLE_REAL(BN_mod_exp)(r, a, p, m, ctx);
}

EXPORT int BN_mod_exp_mont(BIGNUM* r, const BIGNUM* a, const BIGNUM* p, const BIGNUM* m, BN_CTX* ctx,
                           BN_MONT_CTX* mont) {
  if (on_board(perle::preload::kModExpMont, r, a, p, m, ctx, false)) return 1;
  return PERLE_REAL(BN_mod_exp_mont)(r, a, p, m, ctx, mont);
}

EXPORT int BN_mod_exp_mont_word(BIGNUM* r, BN_ULONG a, const BIGNUM* p, const BIGNUM* m, BN_CTX* ctx,
                                BN_MONT_CTX* mont) {
  // libcrypto refuses numbers that want constant time.
  const bool refused = BN_get_flags(p, BN_FLG_CONSTTIME) != 0 || BN_get_flags(m, BN_FLG_CONSTTIME) != 0;
  BIGNUM* base = refused ? nullptr : BN_new();
  const bool done = base != nullptr && BN_set_word(base, a) == 1 &&
                    on_board(perle::preload::kModExpWord, r, base, p, m, ctx, false);
  BN_free(base);
  if (done) return 1;
  return PERLE_REAL(BN_mod_exp_mont_word)(r, a, p, m, ctx, mont);
}

EXPORT int BN_mod_exp_mont_consttime(BIGNUM* r, const BIGNUM* a, const BIGNUM* p, const BIGNUM* m,
                                     BN_CTX* ctx, BN_MONT_CTX* mont) {
  if (on_board(perle::preload::kModExpConsttime, r, a, p, m, ctx, true)) return 1;
  return PERLE_REAL(BN_mod_exp_mont_consttime)(r, a, p, m, ctx, mont);
}

EXPORT int BN_mod_exp_mont_consttime_x2(BIGNUM* r1, const BIGNUM* a1, const BIGNUM* p1, const BIGNUM* m1,
                                        BN_MONT_CTX* mont1, BIGNUM* r2, const BIGNUM* a2, const BIGNUM* p2,
                                        const BIGNUM* m2, BN_MONT_CTX* mont2, BN_CTX* ctx) {
  constexpr Function function = perle::preload::kModExpConsttimeX2;
  // If a result overlaps an operand of the other power, leave both to libcrypto.
  bool apart = true;
  for (const BIGNUM* one : {p1, m1, a2, p2, m2}) apart = apart && r1 != one;
  BIGNUM* first = apart ? BN_secure_new() : nullptr;
  if (first != nullptr && on_board(function, first, a1, p1, m1, ctx, true) &&
      on_board(function, r2, a2, p2, m2, ctx, true)) {
    const bool copied = BN_copy(r1, first) != nullptr;
    BN_clear_free(first);
    return copied ? 1 : 0;
  }
  BN_clear_free(first);
  return PERLE_REAL(BN_mod_exp_mont_consttime_x2)(r1, a1, p1, m1, mont1, r2, a2, p2, m2, mont2, ctx);
}
