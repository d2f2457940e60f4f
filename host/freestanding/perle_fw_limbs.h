// SPDX-License-Identifier: Apache-2.0
//
// Numbers in limbs of 32 bits, least significant first, for perle_fw.c. Time depends on counts of limbs only.
#ifndef PERLE_FW_LIMBS_H_
#define PERLE_FW_LIMBS_H_

#include "perle_fw.h"

typedef uint32_t perle_fw_number[PERLE_FW_LIMBS];

void perle_fw_clear(uint32_t* z, size_t count);
// Bytes to limbs, and back; bytes beyond `count` limbs are ignored.
void perle_fw_from_bytes(uint32_t* z, size_t count, const uint8_t* in, size_t len);
void perle_fw_to_bytes(uint8_t* out, size_t len, const uint32_t* x);
// All ones if x < y, else zero.
uint32_t perle_fw_below(const uint32_t* x, const uint32_t* y, size_t count);
// All ones if x is zero, else zero.
uint32_t perle_fw_is_zero(const uint32_t* x, size_t count);
// x −= y & mask; returns the borrow.
uint32_t perle_fw_subtract(uint32_t* x, const uint32_t* y, uint32_t mask, size_t count);
// x += y & mask; returns the carry.
uint32_t perle_fw_add(uint32_t* x, const uint32_t* y, uint32_t mask, size_t count);
// x = 2·x + bit mod m, for x < m.
void perle_fw_double(uint32_t* x, uint32_t bit, const uint32_t* m, size_t count);
// z += x·y: z has `count` + `more` limbs, x `count` and y `more`.
void perle_fw_multiply(uint32_t* z, const uint32_t* x, size_t count, const uint32_t* y, size_t more);
// x >>= bits.
void perle_fw_shift(uint32_t* x, size_t count, uint32_t bits);
// z = −m^-1 mod 2^bits, for odd m; z has `count` limbs, at least as many as the bits.
void perle_fw_negative_inverse(uint32_t* z, const uint32_t* m, size_t count, uint32_t bits);
// z = x·y·2^(−32·count) mod m, for x, y < m: the Montgomery product in software. z must not be x or y.
void perle_fw_montgomery(uint32_t* z, const uint32_t* x, const uint32_t* y, const uint32_t* m, size_t count);
uint32_t perle_fw_bits(const uint32_t* x, size_t count);

#endif  // PERLE_FW_LIMBS_H_
