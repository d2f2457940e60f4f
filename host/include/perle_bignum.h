/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of perle.h: integers of any length on a board that multiplies long integers, as shand1990 put its bus
 * multiplier under a bignum library.
 *
 * Numbers are unsigned, big-endian bytes of any length; none at all is 0. Long products are cut into what the
 * board takes; short ones the host does where that is quicker in modelled time. Results of a board are
 * checked before they are released. The time of everything follows the numbers: these calls are for study,
 * not for secrets.
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

/* Calculations on board 0 of `system`: a bus_mul, or a reg_mul of 32 registers, with words of 32 bits.
 * Without a system (NULL) they are software on a host of that timing; with one `timing` is not looked at and
 * may be NULL. The system must outlive it, and be used by nothing else meanwhile. Opening measures two
 * products in modelled time. Errors: _FAMILY (another board), _BUS, _FAULT. */
PERLE_API perle_status perle_bignum_open(perle_system* system, const perle_timing* timing,
                                         perle_bignum** big);
PERLE_API void perle_bignum_close(perle_bignum* big); /* NULL is ignored; the system stays open */

/* a·b in a_len + b_len bytes. Errors: _BUFFER, _BUS, _FAULT. */
PERLE_API perle_status perle_bignum_mul(perle_bignum* big, const uint8_t* a, size_t a_len, const uint8_t* b,
                                        size_t b_len, uint8_t* out, size_t out_size, size_t* out_len);

/* q = floor(a/b) in a_len bytes and, after it, r = a − q·b in b_len bytes. Errors: _MODULUS_ZERO (b = 0),
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

/* The host's own work between these calls: so many words of additions, copies or shifts. */
PERLE_API perle_status perle_bignum_words(perle_bignum* big, uint64_t words);

/* Modelled time of all calls since the count began, and of the same calls by schoolbook software alone. */
typedef struct perle_bignum_cost {
  uint64_t now_ps;             /* with the board */
  uint64_t bus_ps;             /* of it, accesses */
  uint64_t waited_ps;          /* of that, beyond what the bus needs: the board was busy */
  uint64_t host_ps;            /* of now_ps, the host's instructions */
  uint64_t software_ps;        /* without a board */
  uint64_t products;           /* products that the board did: of Montgomery's, both reductions are one */
  uint64_t word_products;      /* products of two words of the operands in them */
  uint64_t host_word_products; /* those that the host did */
} perle_bignum_cost;
PERLE_API perle_status perle_bignum_get_cost(perle_bignum* big, perle_bignum_cost* cost);
PERLE_API perle_status perle_bignum_reset_cost(perle_bignum* big);

#ifdef __cplusplus
}
#endif

#endif
