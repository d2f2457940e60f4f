// SPDX-License-Identifier: Apache-2.0
//
// RSA with the Chinese remainder theorem (PKCS #1, RFC 8017, 5.1.2), checked before it is released.
#include "perle_fw_limbs.h"

#define MAX_BYTES ((PERLE_FW_MAX_BITS + 7) / 8)

// out = in mod m, for `len` bytes of m, bit by bit of `in`.
static void reduce(uint8_t* out, const uint8_t* in, size_t in_len, const uint8_t* m, size_t len) {
  perle_fw_number modulus, rest;
  const size_t limbs = (len + 3) / 4;
  perle_fw_from_bytes(modulus, limbs, m, len);
  perle_fw_clear(rest, limbs);
  for (size_t i = 0; i < 8 * in_len; ++i)
    perle_fw_double(rest, (uint32_t)in[i / 8] >> (7 - i % 8) & 1, modulus, limbs);
  perle_fw_to_bytes(out, len, rest);
  perle_fw_clear(modulus, limbs);
  perle_fw_clear(rest, limbs);
}

// power = in^exponent mod prime, on the board.
static perle_fw_status half(perle_fw* board, const uint8_t* in, size_t in_len, const uint8_t* prime,
                            const uint8_t* exponent, size_t len, uint8_t* power) {
  const perle_fw_status status = perle_fw_load(board, prime, len);
  if (status != PERLE_FW_OK) return status;
  reduce(power, in, in_len, prime, len);
  return perle_fw_modexp(board, power, exponent, len, power);
}

// z = (x − y) mod m, for x, y < m.
static void difference(uint8_t* z, const uint8_t* x, const uint8_t* y, const uint8_t* m, size_t len) {
  perle_fw_number a, b;
  const size_t limbs = (len + 3) / 4;
  perle_fw_from_bytes(a, limbs, x, len);
  perle_fw_from_bytes(b, limbs, y, len);
  const uint32_t borrow = perle_fw_subtract(a, b, ~(uint32_t)0, limbs);
  perle_fw_from_bytes(b, limbs, m, len);
  perle_fw_add(a, b, 0 - borrow, limbs);
  perle_fw_to_bytes(z, len, a);
  perle_fw_clear(a, limbs);
  perle_fw_clear(b, limbs);
}

// out = low + h·q
static void combine(uint8_t* out, const perle_fw_rsa_key* key, const uint8_t* low, const uint8_t* h) {
  perle_fw_number a, b;
  uint32_t sum[2 * PERLE_FW_LIMBS];
  const size_t of_p = (key->p_len + 3) / 4, of_q = (key->q_len + 3) / 4;
  perle_fw_clear(sum, 2 * PERLE_FW_LIMBS);
  perle_fw_from_bytes(sum, of_p + of_q, low, key->q_len);
  perle_fw_from_bytes(a, of_p, h, key->p_len);
  perle_fw_from_bytes(b, of_q, key->q, key->q_len);
  perle_fw_multiply(sum, a, of_p, b, of_q);
  perle_fw_to_bytes(out, key->n_len, sum);
  perle_fw_clear(sum, 2 * PERLE_FW_LIMBS);
  perle_fw_clear(a, of_p);
  perle_fw_clear(b, of_q);
}

// Whether x^e = wanted (mod n), in software: n may be wider than the board. e is public.
static int agrees(const perle_fw_rsa_key* key, const uint8_t* x, const uint8_t* wanted) {
  perle_fw_number n, base, power, next;
  const size_t limbs = (key->n_len + 3) / 4;
  perle_fw_from_bytes(n, limbs, key->n, key->n_len);
  perle_fw_from_bytes(base, limbs, x, key->n_len);
  if (!perle_fw_below(base, n, limbs)) {
    perle_fw_clear(base, limbs);
    return 0;
  }
  // Convert to the Montgomery domain: multiply by 2^(32·limbs), by doubling.
  for (size_t i = 0; i < 32 * limbs; ++i) perle_fw_double(base, 0, n, limbs);
  for (size_t i = 0; i < limbs; ++i) power[i] = base[i];
  uint32_t bit = 31;
  while ((key->e >> bit & 1U) == 0) --bit;
  while (bit-- > 0) {
    perle_fw_montgomery(next, power, power, n, limbs);
    if ((key->e >> bit & 1U) != 0)
      perle_fw_montgomery(power, next, base, n, limbs);
    else
      for (size_t i = 0; i < limbs; ++i) power[i] = next[i];
  }
  perle_fw_clear(base, limbs);
  base[0] = 1;
  perle_fw_montgomery(next, power, base, n, limbs);
  perle_fw_from_bytes(base, limbs, wanted, key->n_len);
  uint32_t other = 0;
  for (size_t i = 0; i < limbs; ++i) other |= next[i] ^ base[i];
  // The power is a secret: if one half was wrong, its difference from `wanted` is a multiple of the other
  // prime.
  perle_fw_clear(base, limbs);
  perle_fw_clear(power, limbs);
  perle_fw_clear(next, limbs);
  return other == 0;
}

static int legal(const perle_fw_rsa_key* key, const uint8_t* in) {
  perle_fw_number n, x;
  if (key->n_len == 0 || key->n_len > MAX_BYTES || key->p_len == 0 || key->q_len == 0) return 0;
  if (key->p_len > MAX_BYTES || key->q_len > MAX_BYTES || key->p_len + key->q_len < key->n_len) return 0;
  if ((key->p_len + 3) / 4 + (key->q_len + 3) / 4 > 2 * PERLE_FW_LIMBS) return 0;
  if (key->e < 3 || key->e % 2 == 0 || key->n[key->n_len - 1] % 2 == 0) return 0;
  perle_fw_from_bytes(n, PERLE_FW_LIMBS, key->n, key->n_len);
  perle_fw_from_bytes(x, PERLE_FW_LIMBS, in, key->n_len);
  return perle_fw_below(x, n, PERLE_FW_LIMBS) != 0;
}

static void zeroize_bytes(uint8_t* data, size_t len) {
  volatile uint8_t* each = data;
  while (len--) *each++ = 0;
}

// out = in^d; scratch holds three halves.
static perle_fw_status private_power(perle_fw* board, const perle_fw_rsa_key* key, const uint8_t* in,
                                     uint8_t (*scratch)[MAX_BYTES], uint8_t* out) {
  uint8_t *of_q = scratch[0], *of_p = scratch[1], *other = scratch[2];
  perle_fw_status status = half(board, in, key->n_len, key->q, key->dq, key->q_len, of_q);
  if (status != PERLE_FW_OK) return status;
  status = half(board, in, key->n_len, key->p, key->dp, key->p_len, of_p);
  if (status != PERLE_FW_OK) return status;
  // p is still loaded: h = qinv·(of_p − of_q) mod p
  reduce(other, of_q, key->q_len, key->p, key->p_len);
  difference(of_p, of_p, other, key->p, key->p_len);
  status = perle_fw_mulmod(board, of_p, key->qinv, of_p);
  if (status != PERLE_FW_OK) return status;
  combine(out, key, of_q, of_p);
  return PERLE_FW_OK;
}

perle_fw_status perle_fw_rsa_private(perle_fw* board, const perle_fw_rsa_key* key, const uint8_t* in,
                                     uint8_t* out) {
  uint8_t scratch[3][MAX_BYTES], result[MAX_BYTES];
  if (!legal(key, in)) {
    zeroize_bytes(out, key->n_len);
    return PERLE_FW_OPERAND;
  }
  perle_fw_status status = private_power(board, key, in, scratch, result);
  if (status == PERLE_FW_OK && !agrees(key, result, in)) status = PERLE_FW_FAULT;
  const uint8_t mask = (uint8_t)(0 - (unsigned)(status == PERLE_FW_OK));
  for (size_t i = 0; i < key->n_len; ++i) out[i] = result[i] & mask;
  zeroize_bytes(&scratch[0][0], sizeof scratch);
  zeroize_bytes(result, sizeof result);
  const perle_fw_status zeroized = perle_fw_zeroize(board);
  return status == PERLE_FW_OK ? zeroized : status;
}
