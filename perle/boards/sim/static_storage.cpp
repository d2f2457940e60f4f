// SPDX-License-Identifier: Apache-2.0
//
// Static objects of a board's shared object are never destroyed. A thread may be loading or using the board
// while another one ends the process: destructors would then destroy objects in use. No order of exit
// handlers prevents this, as a board can be loaded at any time. Therefore every shared object with the ABI of
// perle_sim.h contains this file, which makes the registration of destructors a no-op.
extern "C" __attribute__((visibility("hidden"))) int __cxa_atexit(void (*)(void*), void*, void*) { return 0; }
