// SPDX-License-Identifier: Apache-2.0
//
// Drives a tile with exponents, one clock at a time, behind a small C ABI.

#include "Vperle_tile_powers.h"
#define PERLE_TILE_DUT Vperle_tile_powers
#include "powers_testbench.h"
