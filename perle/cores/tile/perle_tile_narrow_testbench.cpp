// SPDX-License-Identifier: Apache-2.0
//
// Drives a tile with exponents and moduli of different sizes, one clock at a time, behind a small C ABI.

#include "Vperle_tile_narrow.h"
#define PERLE_TILE_DUT Vperle_tile_narrow
#include "powers_testbench.h"
