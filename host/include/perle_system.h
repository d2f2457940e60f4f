/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of perle.h; include that. A host and several simulated boards on one bus, in modelled time.
 *
 * An active-memory board (perle/pam/memory.md) continues to work while the host does something else. This is
 * simulated in modelled time: an access occupies the bus for the time that the bus needs, or longer if the
 * board is busy; the host's calculations take the number of instructions that the caller states; and the
 * clocks of all boards continue meanwhile. Times are in picoseconds. A system may be used by only one thread
 * at a time.
 */
#ifndef PERLE_SYSTEM_H
#define PERLE_SYSTEM_H

#ifndef PERLE_H
#error "include perle.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct perle_system perle_system;

/* Speed of the host and its bus. */
typedef struct perle_timing {
  uint64_t read_ps;        /* a 32-bit read on the bus, if the board is not busy */
  uint64_t write_ps;       /* a 32-bit write, if the board is not busy */
  uint64_t instruction_ps; /* average time of an instruction of the host */
} perle_timing;

/* Timing by name: "vme68020" is the host of shand1990 (700 ns per access; 3 million instructions per second,
 * assumed), "axi" a 1 GHz processor next to the board (120 ns per read, 50 ns per write, assumed).
 * Errors: _SPEC. */
PERLE_API perle_status perle_timing_preset(const char* name, perle_timing* timing);

/* A simulated board of a system: path of its shared object (perle_sim.h), and its clock period. */
typedef struct perle_system_board {
  const char* path;
  uint64_t clock_ps;
} perle_system_board;

/* Open a system of 1 to 64 boards; all are out of reset at time 0. Errors: _BOARD_ABSENT, _BOARD_LOAD. */
PERLE_API perle_status perle_system_open(const perle_system_board* boards, size_t count,
                                         const perle_timing* timing, perle_system** system);
PERLE_API void perle_system_close(perle_system* system); /* NULL is ignored */

/* Read or write 32 bits at byte address `addr` of board `board`. Errors: _BUS. */
PERLE_API perle_status perle_system_read(perle_system* system, size_t board, uint32_t addr, uint32_t* data);
PERLE_API perle_status perle_system_write(perle_system* system, size_t board, uint32_t addr, uint32_t data);

/* One access of a sequence: writes `data`, or reads into it. */
typedef struct perle_access {
  uint32_t board;
  uint32_t addr;
  uint32_t write; /* 0 or 1 */
  uint32_t data;
} perle_access;
/* Do `count` accesses one after the other, without instructions between them. Errors: _BUS. */
PERLE_API perle_status perle_system_run(perle_system* system, perle_access* accesses, size_t count);

/* Let the host compute for that many instructions. */
PERLE_API perle_status perle_system_compute(perle_system* system, uint64_t instructions);

typedef struct perle_system_time {
  uint64_t now_ps;    /* since opening or perle_system_reset_time */
  uint64_t bus_ps;    /* part of now_ps: bus accesses */
  uint64_t waited_ps; /* part of bus_ps: waiting for busy boards */
  uint64_t host_ps;   /* part of now_ps: instructions of the host */
  uint64_t reads;
  uint64_t writes;
} perle_system_time;
PERLE_API perle_status perle_system_get_time(perle_system* system, perle_system_time* time);
PERLE_API perle_status perle_system_reset_time(perle_system* system);

/* An access in the log. Times are since the system was opened. */
typedef struct perle_system_event {
  uint64_t begin_ps;    /* start of the access on the bus */
  uint64_t end_ps;      /* end of the access on the bus */
  uint64_t taken_ps;    /* clock edge at which the board accepted the access */
  uint64_t busy_cycles; /* how long the board was busy after that edge, at most until its next access */
  uint32_t board;
  uint32_t addr;
  uint32_t write; /* 0 or 1 */
  uint32_t reserved;
} perle_system_event;
/* Start a new log of the next `most` accesses; 0 ends logging. The addresses can reveal secret exponents:
 * never log a real key. */
PERLE_API perle_status perle_system_log(perle_system* system, size_t most);
/* Copy up to `size` events of the log to `events`; *count is the number of events in the log. */
PERLE_API perle_status perle_system_get_log(perle_system* system, perle_system_event* events, size_t size,
                                            size_t* count);

/* Registers of a board as JSON, at the present time; the parameters are those of perle_board_snapshot. */
PERLE_API perle_status perle_system_snapshot(perle_system* system, size_t board, char* json, size_t size,
                                             size_t* len);
/* Advance one board by one clock cycle, for debugging; the time of host and bus does not change. */
PERLE_API perle_status perle_system_step(perle_system* system, size_t board);

#ifdef __cplusplus
}
#endif

#endif
