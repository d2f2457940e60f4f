// SPDX-License-Identifier: Apache-2.0
//
// Static objects of a board's shared object are never destroyed. A thread may be loading the board, or
// working on it, while another one ends the process: whatever the board had registered by then would be taken
// from under it. No order of steps at exit prevents that, since the board is loaded at any time; so every
// shared object with the ABI of perle_sim.h has this file in it, and registers nothing.
extern "C" __attribute__((visibility("hidden"))) int __cxa_atexit(void (*)(void*), void*, void*) { return 0; }
