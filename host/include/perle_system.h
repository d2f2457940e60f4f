/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of perle.h: a host and several boards on one bus, with their clocks.
 *
 * Boards that are active memory (perle/pam/memory.md) work on while the host does something else. Here that
 * takes place in modelled time: an access occupies the bus for as long as the bus needs, or longer if the
 * board lets it wait; what the host computes takes the time that the caller states; and every board's clock
 * runs on meanwhile. Time is in picoseconds. A system is to be used by one thread at a time.
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

/* How long the host and its bus take. */
typedef struct perle_timing {
  uint64_t read_ps;        /* a 32-bit read on the bus, at least */
  uint64_t write_ps;       /* a 32-bit write */
  uint64_t instruction_ps; /* an instruction of the host, on average */
} perle_timing;

/* Timing by name: "vme68020" is the host of shand1990 (700 ns an access; 3 million instructions per second
 * are assumed), "axi" one with a 1 GHz processor beside the board (120 ns a read, 50 ns a write, assumed).
 * Errors: _SPEC. */
PERLE_API perle_status perle_timing_preset(const char* name, perle_timing* timing);

/* A board of a system: a shared object (perle_sim.h), and the period of its clock. */
typedef struct perle_system_board {
  const char* path;
  uint64_t clock_ps;
} perle_system_board;

/* Open 1 to 64 boards on a bus, all out of reset at time 0. Errors: _BOARD_ABSENT, _BOARD_LOAD. */
PERLE_API perle_status perle_system_open(const perle_system_board* boards, size_t count,
                                         const perle_timing* timing, perle_system** system);
PERLE_API void perle_system_close(perle_system* system); /* NULL is ignored */

/* One access of the host to a byte address of board `board`. Errors: _BUS. */
PERLE_API perle_status perle_system_read(perle_system* system, size_t board, uint32_t addr, uint32_t* data);
PERLE_API perle_status perle_system_write(perle_system* system, size_t board, uint32_t addr, uint32_t data);

/* One access of a sequence: a write of `data`, or a read into it. */
typedef struct perle_access {
  uint32_t board;
  uint32_t addr;
  uint32_t write; /* 0 or 1 */
  uint32_t data;
} perle_access;
/* `count` accesses one after the other, as straight-line code makes them. */
PERLE_API perle_status perle_system_run(perle_system* system, perle_access* accesses, size_t count);

/* The host computes for so many instructions. */
PERLE_API perle_status perle_system_compute(perle_system* system, uint64_t instructions);

typedef struct perle_system_time {
  uint64_t now_ps;    /* since the system was opened or the last reset of this count */
  uint64_t bus_ps;    /* of it, accesses */
  uint64_t waited_ps; /* of that, beyond what the bus needs: boards that were busy */
  uint64_t host_ps;   /* of it, the host's instructions */
  uint64_t reads;
  uint64_t writes;
} perle_system_time;
PERLE_API perle_status perle_system_get_time(perle_system* system, perle_system_time* time);
PERLE_API perle_status perle_system_reset_time(perle_system* system);

/* An access in the log. Times are of the system, from its opening on. */
typedef struct perle_system_event {
  uint64_t begin_ps;    /* the access is on the bus ... */
  uint64_t end_ps;      /* ... up to here */
  uint64_t taken_ps;    /* the clock edge at which the board took it */
  uint64_t busy_cycles; /* how long the board was busy after that edge: up to its end, or the next access */
  uint32_t board;
  uint32_t addr;
  uint32_t write; /* 0 or 1 */
  uint32_t reserved;
} perle_system_event;
/* Note the next `most` accesses in a log, from nothing; 0 ends it. Their addresses can tell secret exponents:
 * no log of a real key. */
PERLE_API perle_status perle_system_log(perle_system* system, size_t most);
/* What is in the log: *count accesses, of which up to `size` are written. */
PERLE_API perle_status perle_system_get_log(perle_system* system, perle_system_event* events, size_t size,
                                            size_t* count);

/* Registers of a board as JSON, as perle_board_snapshot; it is brought up to the present first. */
PERLE_API perle_status perle_system_snapshot(perle_system* system, size_t board, char* json, size_t size,
                                             size_t* len);
/* Single step: one clock cycle of one board only; time stands still for host and bus. */
PERLE_API perle_status perle_system_step(perle_system* system, size_t board);

#ifdef __cplusplus
}
#endif

#endif
