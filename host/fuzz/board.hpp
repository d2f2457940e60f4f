// SPDX-License-Identifier: Apache-2.0
//
// What a fuzz target finds, with dlsym, in the shared object of its boards besides the ABI of a simulated
// one.
#pragma once

#include <cstdint>

extern "C" {
// Breaks the i-th of the open boards (modulo their number) by the i-th of the faults, for so many operations;
// if none is open, the next one.
void perle_fuzz_break(unsigned board, unsigned fault, int times);
// Flips a bit of what is loaded.
void perle_fuzz_flip(unsigned board, unsigned line, unsigned bit);
// Ends an input: returns how many boards are still open, or were closed with anything left in their registers
// though they were never broken.
unsigned perle_fuzz_end(void);
}
