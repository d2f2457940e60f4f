// SPDX-License-Identifier: Apache-2.0
#ifndef PERLE_FW_FAMILY_H_
#define PERLE_FW_FAMILY_H_

#include "perle_fw_limbs.h"

#define PERLE_FW_MOST_CONSTANTS 2  // after M

// Whether the family is known, and the board's widths match its parameters.
int perle_fw_family_fits(const perle_fw* board);
// Bits of the longest constant of any modulus, 0 if it is never much longer than its modulus.
uint32_t perle_fw_constant_bits(const perle_fw* board);
// Fills in the constants after M, of which there are const_count − 1, and returns r_exp.
uint32_t perle_fw_derive(const perle_fw* board, const uint32_t* m, perle_fw_number* constants);

#endif  // PERLE_FW_FAMILY_H_
