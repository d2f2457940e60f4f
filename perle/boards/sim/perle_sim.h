// SPDX-License-Identifier: Apache-2.0
//
// The simulated board: the hardware of one configuration behind a C ABI, one shared object a configuration.
//
// Every function may be called from any thread: a handle carries its own lock, and handles share nothing.
// Addresses are those of the register map, of lane i of several from byte i·0x4000 on; an access takes the
// clock cycles that it takes in hardware, and no clock cycle passes outside of these calls.

#ifndef PERLE_SIM_H_
#define PERLE_SIM_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The version of this ABI. It is raised with every change after which a program and a board would
// misunderstand each other if one of them was built before it; a function that is only added is no such
// change. A program asks the board that it has loaded, first of all, and leaves one alone that answers with
// another number, or lacks the function because it is older than that. `perle build` makes boards anew.
#define PERLE_SIM_ABI 1
uint32_t perle_sim_abi(void);

typedef struct perle_sim perle_sim;

enum {
  PERLE_SIM_OK = 0,
  PERLE_SIM_BUS_ERROR = 1,     // the board answered SLVERR or DECERR
  PERLE_SIM_TIMEOUT = 2,       // the board did not answer; only a reset makes it usable again
  PERLE_SIM_BAD_ARGUMENT = 3,  // NULL, address beyond the map or not on a word, data wider than the bus
  PERLE_SIM_NO_TRACE = 4,      // this build records no such trace, or the file cannot be written
  PERLE_SIM_FAILED = 5         // an assertion of the hardware failed (builds with assertions only)
};

// A board out of reset and ready (see perle_sim_reset); NULL when memory is short.
perle_sim* perle_sim_open(void);
// Ends a trace that is running. NULL is allowed.
void perle_sim_close(perle_sim* sim);

// One AXI4-Lite access with all strobes set.
int perle_sim_write(perle_sim* sim, uint32_t addr, uint64_t data);
// On a bus error *data is what the bus carried.
int perle_sim_read(perle_sim* sim, uint32_t addr, uint64_t* data);
// Lets `cycles` clock cycles pass; with until_irq = i + 1 fewer, as soon as the interrupt of lane i is up.
int perle_sim_advance(perle_sim* sim, uint64_t cycles, int until_irq);
// Clock cycles since the handle was opened, those in reset included.
uint64_t perle_sim_cycles(const perle_sim* sim);
// Resets the board, and waits until it has zeroized itself: operands, flags and registers are lost.
int perle_sim_reset(perle_sim* sim);

// Registers as JSON {"snapshot":"bus"|"all","<name>":"<hex>", and so on}: what the bus can show in a plain
// build; every variable of the hardware, operands included, in a build with traces. Writes at most `cap`
// bytes, the last one zero; returns the bytes needed with the zero, so that a first call may pass NULL, 0.
// Returns 0 for a NULL handle.
size_t perle_sim_snapshot(perle_sim* sim, char* json, size_t cap);
// Starts recording to a .vcd or .fst file, as the build has it; NULL ends it. Traces show operands.
int perle_sim_trace(perle_sim* sim, const char* path);

// What was built, as JSON: family, config, params (an object), config_hash, width, operand_bits, word_bits,
// lanes, trace ("none", "vcd" or "fst"), snapshot ("bus" or "all"), assertions. It lives as long as the
// shared object.
const char* perle_sim_info(void);

#ifdef __cplusplus
}
#endif

#endif  // PERLE_SIM_H_
