// SPDX-License-Identifier: Apache-2.0
//
// The simulated board: the hardware of one configuration behind a C ABI, one shared object per configuration.
//
// All functions are thread-safe: each handle has its own lock, and handles share no state. Addresses are
// those of the register map; with several lanes those of lane i start at byte i·0x4000. An access takes as
// many clock cycles as in hardware, and the clock does not advance outside of these calls.

#ifndef PERLE_SIM_H_
#define PERLE_SIM_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The version of this ABI. It is incremented with every incompatible change; adding a function is compatible.
// A program must call perle_sim_abi first, and must not use a board with another version, or without this
// function because it is older. `perle build` rebuilds boards.
#define PERLE_SIM_ABI 1
uint32_t perle_sim_abi(void);

typedef struct perle_sim perle_sim;

enum {
  PERLE_SIM_OK = 0,
  PERLE_SIM_BUS_ERROR = 1,     // the board answered SLVERR or DECERR
  PERLE_SIM_TIMEOUT = 2,       // the board did not answer; only a reset makes it usable again
  PERLE_SIM_BAD_ARGUMENT = 3,  // NULL, address out of range or not word-aligned, data wider than the bus
  PERLE_SIM_NO_TRACE = 4,      // this build records no such trace, or the file cannot be written
  PERLE_SIM_FAILED = 5         // an assertion of the hardware failed (builds with assertions only)
};

// Opens a board, out of reset and ready (see perle_sim_reset); NULL if out of memory.
perle_sim* perle_sim_open(void);
// Closes a board and ends its trace. NULL is allowed.
void perle_sim_close(perle_sim* sim);

// One AXI4-Lite access with all strobes set.
int perle_sim_write(perle_sim* sim, uint32_t addr, uint64_t data);
// After a bus error *data is the value that was on the bus.
int perle_sim_read(perle_sim* sim, uint32_t addr, uint64_t* data);
// Advances the clock by `cycles` cycles; with until_irq = i + 1 only until the interrupt of lane i is active.
int perle_sim_advance(perle_sim* sim, uint64_t cycles, int until_irq);
// Clock cycles since the handle was opened, including those in reset.
uint64_t perle_sim_cycles(const perle_sim* sim);
// Resets the board, and waits until its own zeroization has ended: operands, flags and registers are lost.
int perle_sim_reset(perle_sim* sim);

// Registers as JSON {"snapshot":"bus"|"all","<name>":"<hex>", …}: in a plain build those that can be read on
// the bus; in a build with traces all variables of the hardware, including operands. Writes at most `cap`
// bytes, with a terminating zero; returns the size needed including the zero (pass NULL, 0 to get it), or 0
// for a NULL handle.
size_t perle_sim_snapshot(perle_sim* sim, char* json, size_t cap);
// Starts a trace to a .vcd or .fst file, depending on the build; NULL ends it. Traces contain operands.
int perle_sim_trace(perle_sim* sim, const char* path);

// Description of the build as JSON: family, config, params (an object), config_hash, width, operand_bits,
// word_bits, lanes, trace ("none", "vcd" or "fst"), snapshot ("bus" or "all"), assertions. Valid as long as
// the shared object is loaded.
const char* perle_sim_info(void);

#ifdef __cplusplus
}
#endif

#endif  // PERLE_SIM_H_
