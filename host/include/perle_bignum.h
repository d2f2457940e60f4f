/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of perle.h; include that. Integers of any length on a board that multiplies long integers, as in
 * shand1990, where a bus multiplier accelerates a bignum library.
 *
 * Numbers are unsigned, big-endian bytes of any length; a number of zero bytes is 0. Long products are split
 * into pieces that fit the board; the host computes short ones if that takes less modelled time. The board's
 * results are checked before they are released. Time depends on the values of the numbers: these functions
 * are for study, not for secrets.
 */
#ifndef PERLE_BIGNUM_H
#define PERLE_BIGNUM_H

#ifndef PERLE_H
#error "include perle.h"
#endif

#include "perle_system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct perle_bignum perle_bignum;

/* Calculate on board 0 of `system`, which is a bus_mul, or a reg_mul of 32 registers, with words of 32 bits.
 * `timing` is then ignored and may be NULL. The system must stay open as long as the bignum, and must not be
 * used otherwise. Without a system (NULL), software calculates on a host with that `timing`. Opening measures
 * two products on the board. Errors: _FAMILY (another board), _BUS, _FAULT. */
PERLE_API perle_status perle_bignum_open(perle_system* system, const perle_timing* timing,
                                         perle_bignum** big);
PERLE_API void perle_bignum_close(perle_bignum* big); /* NULL is ignored; the system stays open */

/* a·b in a_len + b_len bytes. Errors: _BUFFER, _BUS, _FAULT. */
PERLE_API perle_status perle_bignum_mul(perle_bignum* big, const uint8_t* a, size_t a_len, const uint8_t* b,
                                        size_t b_len, uint8_t* out, size_t out_size, size_t* out_len);

/* q = floor(a/b) in a_len bytes, followed by r = a − q·b in b_len bytes. Errors: _MODULUS_ZERO (b = 0),
 * _BUFFER, _BUS, _FAULT. */
PERLE_API perle_status perle_bignum_divide(perle_bignum* big, const uint8_t* a, size_t a_len,
                                           const uint8_t* b, size_t b_len, uint8_t* out, size_t out_size,
                                           size_t* out_len);

/* a·b mod m and x^e mod m in m_len bytes, m >= 1, for any a, b, x, e (0^0 = 1). Errors: _MODULUS_ZERO,
 * _BUFFER, _BUS, _FAULT. */
PERLE_API perle_status perle_bignum_mulmod(perle_bignum* big, const uint8_t* a, size_t a_len,
                                           const uint8_t* b, size_t b_len, const uint8_t* m, size_t m_len,
                                           uint8_t* out, size_t out_size, size_t* out_len);
PERLE_API perle_status perle_bignum_powmod(perle_bignum* big, const uint8_t* x, size_t x_len,
                                           const uint8_t* e, size_t e_len, const uint8_t* m, size_t m_len,
                                           uint8_t* out, size_t out_size, size_t* out_len);

/* Account for the host's own work between calls: additions, copies or shifts of `words` words of 32 bits. */
PERLE_API perle_status perle_bignum_words(perle_bignum* big, uint64_t words);

/* Modelled time of all calls since opening or perle_bignum_reset_cost, with the board and, for comparison, by
 * schoolbook software alone. */
typedef struct perle_bignum_cost {
  uint64_t now_ps;             /* total, with the board */
  uint64_t bus_ps;             /* part of now_ps: bus accesses */
  uint64_t waited_ps;          /* part of bus_ps: waiting for a busy board */
  uint64_t host_ps;            /* part of now_ps: instructions of the host */
  uint64_t software_ps;        /* total, by software alone */
  uint64_t products;           /* products by the board; a Montgomery reduction counts as one */
  uint64_t word_products;      /* products of two words that they consist of */
  uint64_t host_word_products; /* products of two words by the host */
} perle_bignum_cost;
PERLE_API perle_status perle_bignum_get_cost(perle_bignum* big, perle_bignum_cost* cost);
PERLE_API perle_status perle_bignum_reset_cost(perle_bignum* big);

#ifdef __cplusplus
}
#endif

#endif
