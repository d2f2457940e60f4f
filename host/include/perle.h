/* SPDX-License-Identifier: Apache-2.0
 *
 * libperle: modular arithmetic and RSA on Perle boards. A C ABI; every call returns a perle_status.
 *
 * Numbers    unsigned, big-endian bytes; leading zero bytes are allowed in, results have a fixed length.
 * Results    go to `out` with room for `out_size` bytes; `*out_len` is the length written, and zeros follow.
 *            With out = NULL nothing is computed and `*out_len` is the room needed. After an error all of
 *            `out` is zero, and so are lengths, counts, handles and single structures that the call would
 *            have written; `*cost` is not, if boards had done their part (a signature that does not verify),
 *            and arrays of structures then mean nothing.
 * Overlap    results may lie over inputs, in place or at any distance: every input is read before anything is
 *            written. What lies under a result is lost, after an error too. Results must not lie over other
 *            results, nor over those of another call that has not ended.
 * Cycles     board clock cycles as the board counts them. `cost` may be NULL.
 * Threads    every object may be used from several threads at once, except that it must not be freed while
 *            in use; but a perle_system and a perle_bignum by one thread at a time. A set of boards
 *            hands idle boards to callers in the order of their coming.
 * Choices    enumerations are passed as int; an undefined value is refused.
 * Errors     any call may return _ARGUMENT (null pointer, undefined flag), _MEMORY or _CRYPTO (libcrypto
 *            failed), and _BUFFER for a number or message of more than 65536 bytes; a call that uses a board
 *            any of the board errors (10 to 19). Others are named per call, without PERLE_ERR.
 * Processes  after fork() only the process that opened a set may use it. In a child, calls on it fail with
 *            PERLE_ERR_ARGUMENT, and closing it touches no board. Keys may be used; their blinding is made
 * anew.
 */
#ifndef PERLE_H
#define PERLE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PERLE_API __attribute__((visibility("default")))
#else
#define PERLE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define PERLE_API_VERSION 2

/* ---- status ------------------------------------------------------------------------------------------ */

typedef enum perle_status {
  PERLE_OK = 0,
  PERLE_ERR_ARGUMENT = 1,      /* null pointer, undefined flag or index */
  PERLE_ERR_MEMORY = 2,        /* out of memory */
  PERLE_ERR_CRYPTO = 3,        /* libcrypto failed */
  PERLE_ERR_BUFFER = 4,        /* the output buffer is too small, or an input absurdly long */
  PERLE_ERR_SPEC = 10,         /* the board specification is not understood */
  PERLE_ERR_BOARD_ABSENT = 11, /* no such board; the message has the command that builds it, if one does */
  PERLE_ERR_BOARD_LOAD = 12,   /* the board's shared object does not load, or is none of this version */
  PERLE_ERR_BOARD_ID = 13,   /* what answers is not a Perle board of a known register map, or boards differ */
  PERLE_ERR_FAMILY = 14,     /* a board of a core family that this library does not know */
  PERLE_ERR_BUS = 15,        /* an access was refused (SLVERR) or not answered */
  PERLE_ERR_TIMEOUT = 16,    /* the board did not finish in time */
  PERLE_ERR_BOARD_FLAG = 17, /* the board flagged an error that the host knows to be none */
  PERLE_ERR_FAULT = 18,      /* the board's result is wrong; it was not released */
  PERLE_ERR_UNSUPPORTED = 19,       /* this kind of board cannot do that */
  PERLE_ERR_MODULUS_EVEN = 20,      /* even modulus */
  PERLE_ERR_MODULUS_ZERO = 21,      /* modulus 0 */
  PERLE_ERR_MODULUS_ONE = 22,       /* modulus 1 */
  PERLE_ERR_WIDTH = 23,             /* modulus, or a key's prime or exponent, wider than the board */
  PERLE_ERR_OPERAND_RANGE = 24,     /* operand not below the modulus */
  PERLE_ERR_EXPONENT_EMPTY = 25,    /* exponent of no bytes */
  PERLE_ERR_EXPONENT_WIDE = 26,     /* exponent wider than asked for, than the board's exponent line, or than
                                       a key's public exponent may be */
  PERLE_ERR_MODE = 27,              /* undefined mode of exponentiation */
  PERLE_ERR_KEY_FORMAT = 30,        /* neither PEM nor DER of a key */
  PERLE_ERR_PASSPHRASE_NEEDED = 31, /* the key is encrypted and no passphrase was given */
  PERLE_ERR_PASSPHRASE = 32,        /* wrong passphrase */
  PERLE_ERR_KEY_TYPE = 33,          /* a key, but not a plain RSA key */
  PERLE_ERR_KEY_MULTIPRIME = 34,    /* RSA key of more than two primes */
  PERLE_ERR_KEY_INCONSISTENT = 35,  /* the numbers of the key do not belong together */
  PERLE_ERR_KEY_PUBLIC = 36,        /* private operation with a public key */
  PERLE_ERR_KEY_WRONG = 37,      /* the key's numbers give wrong results, in software too: see perle_rsa.h */
  PERLE_ERR_PADDING = 40,        /* undefined padding, or one not for this operation */
  PERLE_ERR_HASH = 41,           /* unknown hash, or none where one is needed */
  PERLE_ERR_DIGEST_LENGTH = 42,  /* the digest's length is not the hash's */
  PERLE_ERR_MESSAGE_LENGTH = 43, /* message too long for key and padding, or not as long as the modulus */
  PERLE_ERR_SIGNATURE = 44,      /* the signature does not verify */
  PERLE_ERR_DECRYPT = 45,        /* decryption failed: one code for every cause */
  PERLE_ERR_QUEUE_FULL = 50      /* the batch has as many operations as it takes */
} perle_status;

/* The code's name ("PERLE_ERR_WIDTH") and its meaning in a few words; "?" if undefined. Never NULL. */
PERLE_API const char* perle_status_name(int status);
PERLE_API const char* perle_strerror(int status);
/* What exactly was wrong in this thread's last failed call. Never NULL, never holds a secret. */
PERLE_API const char* perle_last_error(void);
/* PERLE_API_VERSION of the library that is loaded. */
PERLE_API unsigned perle_api_version(void);

/* ---- boards ------------------------------------------------------------------------------------------ */

typedef struct perle_boards perle_boards; /* one or several equal boards, or a system */

/* Access to one board, for boards of one's own. Functions return 0, or 1 (refused), 2 (no answer). */
typedef struct perle_backend {
  size_t size;                                           /* sizeof(perle_backend) */
  int (*read)(void* ctx, uint32_t addr, uint64_t* data); /* one register or window word */
  int (*write)(void* ctx, uint32_t addr, uint64_t data);
  /* Let `cycles` clock cycles pass, fewer if until_irq and the board interrupts; adds those passed to
   * *passed. NULL: the board runs by itself; it is polled and limits are in wall-clock time. */
  int (*advance)(void* ctx, uint64_t cycles, int until_irq, uint64_t* passed);
  /* The board's reset line: everything that was on the board is lost, an access that hangs ends. NULL: none.
   * Used after every failure, and on a board that was left in the middle of something. */
  int (*reset)(void* ctx);
  long (*param)(void* ctx, const char* name); /* a family parameter ("RadixBits"), -1 unknown. NULL: none */
  size_t (*snapshot)(void* ctx, char* json,
                     size_t cap); /* registers as JSON; returns its length. NULL: none */
  int (*trace)(void* ctx,
               const char* path); /* start (path) or end (NULL) a waveform; 4: cannot. NULL: none */
  void (*close)(void* ctx);       /* NULL: nothing to do */
  uint64_t (*cycles)(void* ctx);  /* clock cycles since opening. NULL: not known */
} perle_backend;

/* Open the boards of a specification, with N and T from 1 to 64, 1 if not given:
 *
 *   sim:FAMILY:CONFIG[,lanes=T][,boards=N]
 *       simulated boards out of the cache, boards/FAMILY-CONFIG.so in it, or boards/FAMILY-CONFIG-lT.so with
 *       more than one lane. The cache is $PERLE_CACHE, else $XDG_CACHE_HOME/perle, else ~/.cache/perle
 *   sim:/PATH.so[,boards=N]
 *       simulated boards out of that shared object, of the version of perle_sim.h that this library knows
 *   uart:/DEVICE[,baud=N]
 *       a real board: a UARTBone of LiteX at a serial line; of 115200 baud if not given
 *   etherbone:HOST[:PORT]
 *       a real board: an Etherbone of LiteEth over UDP, to port 1234 if not given
 *   uio:/DEVICE
 *       a real board: a device of Linux's userspace I/O, mapped
 *
 * Lanes are boards that share one multiplier and one clock: each counts as a board of the set, and operations
 * on several of them at the same time keep a pipelined multiplier full. For other boards there is
 * perle_boards_attach, for systems perle_boards_on_system.
 * Errors: _SPEC, _BOARD_ABSENT, _BOARD_LOAD, _BOARD_ID, _FAMILY, _BUS. */
PERLE_API perle_status perle_boards_open(const char* spec, perle_boards** set);

/* Whether perle_boards_open would understand a specification and find its file; nothing is opened.
 * Errors: _SPEC, _BOARD_ABSENT. */
PERLE_API perle_status perle_spec_check(const char* spec);

/* The same for boards of one's own: board i is reached through `backend` with ctx[i]. The set owns every
 * ctx from then on (`close` is called also when opening fails, but not after _ARGUMENT). 1 <= count <= 64.
 * Errors: _BOARD_ID, _FAMILY, _BUS. */
PERLE_API perle_status perle_boards_attach(const perle_backend* backend, void* const* ctx, size_t count,
                                           perle_boards** set);

/* Zeroize the boards, close them, free the set. NULL is ignored. */
PERLE_API void perle_boards_close(perle_boards* set);

typedef struct perle_board_info {
  char family[32];        /* "orup" */
  uint32_t family_id;     /* number of the family. For a system 0, as all but family (its first
                             board's), word_bits, count and simulated */
  uint32_t config_hash;   /* tells builds apart */
  uint32_t width;         /* bits of the widest modulus */
  uint32_t operand_bits;  /* bits of an operand; RSA moduli need only `width` */
  uint32_t word_bits;     /* 32 or 64 */
  uint32_t window_bits;   /* exponent bits a step in PERLE_MODE_WINDOW */
  uint32_t exponent_bits; /* longest exponent: operand_bits rounded up to words */
  uint32_t count;         /* boards in the set */
  uint32_t simulated;     /* 1: limits are in cycles, 0: in wall-clock time */
} perle_board_info;

PERLE_API perle_status perle_boards_info(const perle_boards* set, perle_board_info* info);

/* Limits of one operation. `milliseconds` of wall-clock time: 0 = none for simulated boards, 30 s for others.
 * `cycles` for simulated boards: 0 = computed, a generous multiple of what the operation needs. What takes
 * longer fails with _TIMEOUT. A system has no limits: _UNSUPPORTED unless both are 0. */
PERLE_API perle_status perle_boards_set_timeout(perle_boards* set, uint64_t milliseconds, uint64_t cycles);

/* How results of perle_montmul, perle_mulmod and perle_modexp are checked (RSA operations always are, fully):
 * FULL (default) computes the result a second time in software, in constant time where the board works so,
 * and releases nothing else: for products next to nothing, for powers as much host time as software needs for
 * them. RANGE refuses only what is out of the result's range: for measurements, and for callers that check
 * results themselves. With FULL the constants of a modulus stay on a board as long as results are right; with
 * RANGE nothing tells whether they still are, so they are loaded for every operation. */
typedef enum perle_check { PERLE_CHECK_RANGE = 0, PERLE_CHECK_FULL = 1 } perle_check;
PERLE_API perle_status perle_boards_set_check(perle_boards* set, int check);

/* Clear operands, exponents, moduli and results on every board; waits for boards in use. */
PERLE_API perle_status perle_boards_zeroize(perle_boards* set);

typedef struct perle_board_stats {
  uint64_t operations; /* commands that ended well */
  uint64_t cycles;     /* board cycles of those */
  uint64_t bus_writes; /* accesses */
  uint64_t bus_reads;
  uint64_t bytes_written; /* word_bits/8 an access */
  uint64_t bytes_read;
  uint64_t modulus_loads; /* how often a modulus and its constants were loaded */
  uint64_t faults;        /* wrong results, unexpected flags, refused accesses */
  uint64_t timeouts;
  uint64_t resets;      /* reset line pulsed; it may be that of several lanes, and counts for each */
  uint64_t recoveries;  /* in service again after a failure: reset, zeroized, and right in its self-test */
  uint64_t retirements; /* taken out of service: the self-test failed, or use did right after it */
  uint64_t key_errors;  /* results that were wrong for the key's sake (_KEY_WRONG); no faults */
} perle_board_stats;

/* Statistics of board `index` since opening or the last reset. The self-test's own accesses and operations
 * are not counted.
 *
 * A board that failed in any way does no other operation before it was reset (where it can be), zeroized, and
 * right in a power whose result is known. If it is not, it is retired: others of the set work instead, and it
 * is tried again after a second, and after twice as long each time up to a minute; at every operation where
 * no other is left. Lanes have one reset line: after a failure of one all are let finish, and recover
 * together. */
PERLE_API perle_status perle_boards_stats(const perle_boards* set, size_t index, perle_board_stats* stats);
PERLE_API perle_status perle_boards_stats_reset(perle_boards* set);

/* Single steps, for debugging. They wait until board `index` is idle, and what they write makes the library
 * load its modulus anew. _UNSUPPORTED where the kind of board cannot. */
PERLE_API perle_status perle_board_read(perle_boards* set, size_t index, uint32_t addr, uint64_t* data);
PERLE_API perle_status perle_board_write(perle_boards* set, size_t index, uint32_t addr, uint64_t data);
PERLE_API perle_status perle_board_advance(perle_boards* set, size_t index, uint64_t cycles, int until_irq,
                                           uint64_t* passed);
/* Registers as JSON text, zero-terminated; json = NULL asks for the room needed, the zero included. */
PERLE_API perle_status perle_board_snapshot(perle_boards* set, size_t index, char* json, size_t size,
                                            size_t* len);
/* Start (path) or end (NULL) a waveform trace. It shows every operand: never trace a real key. */
PERLE_API perle_status perle_board_trace(perle_boards* set, size_t index, const char* path);

/* ---- modular arithmetic ------------------------------------------------------------------------------ */

typedef struct perle_mod perle_mod; /* a modulus with its constants */

/* What an operation cost: `cycles` on all boards together; `elapsed` cycles from start to end, less than that
 * when boards worked at the same time. On a system (perle_boards_on_system) the boards have clocks of their
 * own, and the host and its bus take part: there both are 0, and `time_ps` is the modelled time in
 * picoseconds, which is 0 everywhere else. */
typedef struct perle_cost {
  uint64_t cycles;
  uint64_t elapsed;
  uint64_t time_ps;
} perle_cost;

/* Modulus M, odd, 3 <= M < 2^width. For the boards of `set` and others of equal shape; may outlive the set.
 * Errors: _MODULUS_EVEN, _MODULUS_ZERO, _MODULUS_ONE, _WIDTH. */
PERLE_API perle_status perle_mod_new(perle_boards* set, const uint8_t* m, size_t m_len, perle_mod** mod);
PERLE_API void perle_mod_free(perle_mod* mod); /* zeroized; NULL is ignored */

/* z = x·y·R^-1 modulo M, redundant: x, y and z are below the family's bound (orup: 2·Mt, more than M; the
 * README of perle/cores/FAMILY has it, and R) and z is ceil(operand_bits/8) bytes. Errors: _OPERAND_RANGE,
 * _BUFFER, _FAULT. */
PERLE_API perle_status perle_montmul(perle_boards* set, const perle_mod* mod, const uint8_t* x, size_t x_len,
                                     const uint8_t* y, size_t y_len, uint8_t* out, size_t out_size,
                                     size_t* out_len, perle_cost* cost);

/* z = x·y mod M for x, y < M; z has as many bytes as M. Errors: _OPERAND_RANGE, _BUFFER, _FAULT. */
PERLE_API perle_status perle_mulmod(perle_boards* set, const perle_mod* mod, const uint8_t* x, size_t x_len,
                                    const uint8_t* y, size_t y_len, uint8_t* out, size_t out_size,
                                    size_t* out_len, perle_cost* cost);

typedef enum perle_mode {
  PERLE_MODE_WINDOW = 0, /* fixed window: time depends on e_bits only. For secrets */
  PERLE_MODE_BINARY = 1, /* left-to-right binary: time tells the exponent's weight. For public exponents */
  PERLE_MODE_PAPER = 2,  /* binary over the whole exponent line without final reduction; the host reduces */
  PERLE_MODE_LADDER = 3  /* Montgomery ladder: time depends on e_bits only, two products a bit */
} perle_mode;

/* z = x^e mod M for x < M; z has as many bytes as M. `e_bits` is the exponent's public width, on which alone
 * the time of PERLE_MODE_WINDOW depends: 0 takes all 8·e_len bits (leading zero bytes included), else e <
 * 2^e_bits. How wide, the board's exponent line limits (exponent_bits; operand_bits in PERLE_MODE_PAPER); how
 * long, perle_boards_set_timeout. Errors: _OPERAND_RANGE, _EXPONENT_EMPTY, _EXPONENT_WIDE, _MODE, _BUFFER,
 * _FAULT. */
PERLE_API perle_status perle_modexp(perle_boards* set, const perle_mod* mod, const uint8_t* x, size_t x_len,
                                    const uint8_t* e, size_t e_len, size_t e_bits, int mode, uint8_t* out,
                                    size_t out_size, size_t* out_len, perle_cost* cost);

#include "perle_batch.h"
#include "perle_bignum.h"
#include "perle_driver.h"
#include "perle_rsa.h"
#include "perle_system.h"

#ifdef __cplusplus
}
#endif

#endif
