/* SPDX-License-Identifier: Apache-2.0
 *
 * libperle: modular arithmetic and RSA on Perle boards. C ABI; nearly every function returns a perle_status.
 *
 * Numbers    unsigned, big-endian bytes. Inputs may have leading zero bytes; results have a fixed length.
 * Results    are written to `out`, a buffer of `out_size` bytes. `*out_len` is set to the length of the
 *            result; the rest of `out` is filled with zeros. If out = NULL, nothing is computed and
 *            `*out_len` is the size needed. After an error all of `out` is zero, and so are the lengths,
 *            counts, handles and structures that the call returns. Two exceptions: `*cost` is set if the
 *            boards had already done their work (a signature that does not verify), and the contents of
 *            returned arrays of structures are then unspecified.
 * Overlap    results may overlap inputs, fully or in part: all inputs are read before anything is written.
 *            Overlapped inputs are lost, after an error too. Results must not overlap other results of the
 *            same call, nor results of a concurrent call.
 * Cycles     clock cycles of the board, as counted by the board. `cost` may be NULL.
 * Threads    all objects are thread-safe, but must not be freed while in use. Exception: a perle_system and
 *            a perle_bignum may be used by only one thread at a time. Threads that wait for a board of a set
 *            are served in order of arrival.
 * Choices    enumerations are passed as int; undefined values are refused.
 * Errors     any call may return _ARGUMENT (null pointer, undefined flag, structure of another size),
 *            _MEMORY, _CRYPTO (libcrypto failed), or _BUFFER for an input of more than 65536 bytes. A call
 *            that uses a board may return any of the board errors (10 to 19). Other errors are listed with
 *            each call, without the prefix PERLE_ERR.
 * Processes  after fork() only the process that opened a set may use it. In a child, calls on it fail with
 *            PERLE_ERR_ARGUMENT, and closing it does not access any board. Keys may be used in both
 *            processes; the child uses its own random values for blinding.
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
  PERLE_ERR_ARGUMENT = 1,        /* null pointer, undefined flag or index */
  PERLE_ERR_MEMORY = 2,          /* out of memory */
  PERLE_ERR_CRYPTO = 3,          /* libcrypto failed */
  PERLE_ERR_BUFFER = 4,          /* the output buffer is too small, or an input has more than 65536 bytes */
  PERLE_ERR_SPEC = 10,           /* invalid board specification */
  PERLE_ERR_BOARD_ABSENT = 11,   /* no such board; the message names the command that builds it, if any */
  PERLE_ERR_BOARD_LOAD = 12,     /* the board's shared object does not load, or has another version */
  PERLE_ERR_BOARD_ID = 13,       /* no Perle board with a known register map, or the boards of a set differ */
  PERLE_ERR_FAMILY = 14,         /* the board's core family is not supported by this library */
  PERLE_ERR_BUS = 15,            /* an access was refused (SLVERR) or got no answer */
  PERLE_ERR_TIMEOUT = 16,        /* the board did not finish in time */
  PERLE_ERR_BOARD_FLAG = 17,     /* the board flagged an error for operands that are valid */
  PERLE_ERR_FAULT = 18,          /* the board's result is wrong; it was not released */
  PERLE_ERR_UNSUPPORTED = 19,    /* this kind of board cannot do that */
  PERLE_ERR_MODULUS_EVEN = 20,   /* even modulus */
  PERLE_ERR_MODULUS_ZERO = 21,   /* modulus 0 */
  PERLE_ERR_MODULUS_ONE = 22,    /* modulus 1 */
  PERLE_ERR_WIDTH = 23,          /* modulus, or a key's prime or exponent, wider than the board */
  PERLE_ERR_OPERAND_RANGE = 24,  /* operand not below the modulus */
  PERLE_ERR_EXPONENT_EMPTY = 25, /* exponent of zero bytes */
  PERLE_ERR_EXPONENT_WIDE = 26,  /* exponent wider than `e_bits`, than the board's exponent register, or
                                    than allowed for the public exponent of a key */
  PERLE_ERR_MODE = 27,           /* undefined mode of exponentiation */
  PERLE_ERR_KEY_FORMAT = 30,     /* not a key in PEM or DER */
  PERLE_ERR_PASSPHRASE_NEEDED = 31, /* the key is encrypted and no passphrase was given */
  PERLE_ERR_PASSPHRASE = 32,        /* wrong passphrase */
  PERLE_ERR_KEY_TYPE = 33,          /* a key of another type than plain RSA (RSA-PSS, EC …) */
  PERLE_ERR_KEY_MULTIPRIME = 34,    /* RSA key of more than two primes */
  PERLE_ERR_KEY_INCONSISTENT = 35,  /* the numbers of the key do not match */
  PERLE_ERR_KEY_PUBLIC = 36,        /* private operation with a public key */
  PERLE_ERR_KEY_WRONG = 37,         /* the key gives wrong results, in software too: see perle_rsa_private */
  PERLE_ERR_PADDING = 40,           /* undefined padding, or one that this operation does not use */
  PERLE_ERR_HASH = 41,              /* unknown hash, or no hash where one is required */
  PERLE_ERR_DIGEST_LENGTH = 42,     /* the digest does not have the length of the hash */
  PERLE_ERR_MESSAGE_LENGTH = 43, /* message too long for key and padding, or (no padding) not as long as n */
  PERLE_ERR_SIGNATURE = 44,      /* the signature does not verify */
  PERLE_ERR_DECRYPT = 45,        /* decryption failed: one code for every cause */
  PERLE_ERR_QUEUE_FULL = 50      /* the batch is full */
} perle_status;

/* Name ("PERLE_ERR_WIDTH") and short description of a status; "?" if it is undefined. Never NULL. */
PERLE_API const char* perle_status_name(int status);
PERLE_API const char* perle_strerror(int status);
/* Details of the error of this thread's last call; empty if it succeeded. Never NULL, never contains a
 * secret. */
PERLE_API const char* perle_last_error(void);
/* PERLE_API_VERSION of the loaded library. */
PERLE_API unsigned perle_api_version(void);

/* ---- boards ------------------------------------------------------------------------------------------ */

typedef struct perle_boards perle_boards; /* one or more boards of equal shape, or a system */

/* Functions by which the library accesses your own board. Unless stated otherwise they return 0 on success,
 * 1 if the access was refused, 2 if there was no answer. */
typedef struct perle_backend {
  size_t size;                                           /* sizeof(perle_backend) */
  int (*read)(void* ctx, uint32_t addr, uint64_t* data); /* one register or bank word */
  int (*write)(void* ctx, uint32_t addr, uint64_t data);
  /* Run the board's clock for `cycles` cycles, or until its interrupt if until_irq is not 0; adds the number
   * of cycles to *passed. NULL: the board has a free-running clock; it is polled, and time limits are in
   * wall-clock time. */
  int (*advance)(void* ctx, uint64_t cycles, int until_irq, uint64_t* passed);
  /* Reset the board: all its contents are lost, and a pending access ends. NULL: not possible. Called after
   * every failure, and when a board is found busy or unresponsive on opening. */
  int (*reset)(void* ctx);
  long (*param)(void* ctx, const char* name); /* a parameter of the core, -1 if unknown. NULL: none */
  size_t (*snapshot)(void* ctx, char* json,
                     size_t cap); /* registers as JSON; returns the size needed, zero included. NULL: none */
  int (*trace)(void* ctx,
               const char* path); /* start (path) or end (NULL) a trace; 4: not possible. NULL: none */
  void (*close)(void* ctx);       /* NULL: nothing to do */
  uint64_t (*cycles)(void* ctx);  /* clock cycles since opening. NULL: not available */
} perle_backend;

/* Open the boards of a specification. N (of boards) and T are numbers from 1 to 64, by default 1:
 *
 *   sim:FAMILY:CONFIG[,lanes=T][,boards=N]
 *       simulated boards from the cache: its file boards/FAMILY-CONFIG.so, or boards/FAMILY-CONFIG-lT.so for
 *       more than one lane. The cache is $PERLE_CACHE, else $XDG_CACHE_HOME/perle, else ~/.cache/perle
 *   sim:/PATH.so[,boards=N]
 *       simulated boards from that shared object, which must have this library's version of perle_sim.h
 *   uart:/DEVICE[,baud=N]
 *       a real board: LiteX's UARTBone on a serial line; by default 115200 baud
 *   etherbone:HOST[:PORT]
 *       a real board: LiteEth's Etherbone over UDP; by default port 1234
 *   uio:/DEVICE
 *       a real board whose registers are mapped into memory by Linux's userspace I/O
 *
 * Lanes are boards that share one multiplier and one clock. Each lane counts as a board of the set;
 * concurrent operations on several lanes keep a pipelined multiplier busy. For other kinds of boards see
 * perle_boards_attach, for systems perle_boards_on_system.
 * Errors: _SPEC, _BOARD_ABSENT, _BOARD_LOAD, _BOARD_ID, _FAMILY, _BUS. */
PERLE_API perle_status perle_boards_open(const char* spec, perle_boards** set);

/* Check the syntax of a specification and whether its file or device exists; nothing is opened.
 * Errors: _SPEC, _BOARD_ABSENT. */
PERLE_API perle_status perle_spec_check(const char* spec);

/* Open your own boards: board i is accessed by the functions of `backend`, which is copied, with ctx[i].
 * Takes ownership of every ctx: `close` is called for each when the set is closed, and if opening fails,
 * except with _ARGUMENT. 1 <= count <= 64.
 * Errors: _BOARD_ID, _FAMILY, _BUS. */
PERLE_API perle_status perle_boards_attach(const perle_backend* backend, void* const* ctx, size_t count,
                                           perle_boards** set);

/* Zeroize the boards, close them, free the set; with open batches this is done when the last batch is closed.
 * NULL is ignored. */
PERLE_API void perle_boards_close(perle_boards* set);

typedef struct perle_board_info {
  char family[32];        /* "orup" */
  uint32_t family_id;     /* number of the family. For a system only family (of its first board),
                             word_bits, count and simulated are set; all else is 0 */
  uint32_t config_hash;   /* hash of the configuration that was built */
  uint32_t width;         /* bits of the widest modulus supported */
  uint32_t operand_bits;  /* bits of an operand; RSA moduli need only `width` */
  uint32_t word_bits;     /* 32 or 64 */
  uint32_t window_bits;   /* exponent bits per window in PERLE_MODE_WINDOW */
  uint32_t exponent_bits; /* bits of the longest exponent: operand_bits rounded up to whole words */
  uint32_t count;         /* boards in the set */
  uint32_t simulated;     /* 1: default time limits are in cycles, 0: in wall-clock time */
} perle_board_info;

PERLE_API perle_status perle_boards_info(const perle_boards* set, perle_board_info* info);

/* Set the timeouts of one operation on a board. `milliseconds` of wall-clock time: 0 is the default, no limit
 * for simulated boards and 30 s for others. `cycles`, for simulated boards only: 0 is the default, a multiple
 * of what the operation needs. An operation that exceeds a limit fails with _TIMEOUT. A system has no
 * timeouts: _UNSUPPORTED unless both are 0. */
PERLE_API perle_status perle_boards_set_timeout(perle_boards* set, uint64_t milliseconds, uint64_t cycles);

/* How results of perle_montmul, perle_mulmod and perle_modexp are checked. (RSA results are always fully
 * checked.)
 * FULL (default): software computes the result too, in constant time in the modes for secrets; a different
 * result of the board is refused with _FAULT. For products this costs little; for powers it takes the host as
 * long as computing the power in software.
 * RANGE: only results out of range are refused. For measurements, and for callers that check results
 * themselves. The constants of a modulus are then loaded for every operation, because without the check it
 * would go unnoticed if they changed on the board; with FULL they stay on the board between operations.
 * Serial lines (uart:) detect no transmission errors; sets of them ignore RANGE and use FULL. */
typedef enum perle_check { PERLE_CHECK_RANGE = 0, PERLE_CHECK_FULL = 1 } perle_check;
PERLE_API perle_status perle_boards_set_check(perle_boards* set, int check);

/* Zeroize operands, exponents, moduli and results on every board; waits for boards in use. */
PERLE_API perle_status perle_boards_zeroize(perle_boards* set);

typedef struct perle_board_stats {
  uint64_t operations; /* commands that succeeded */
  uint64_t cycles;     /* board cycles of these */
  uint64_t bus_writes; /* bus accesses */
  uint64_t bus_reads;
  uint64_t bytes_written; /* word_bits/8 per access */
  uint64_t bytes_read;
  uint64_t modulus_loads; /* how often a modulus and its constants were loaded */
  uint64_t faults;        /* wrong results, unexpected flags, failed accesses */
  uint64_t timeouts;
  uint64_t resets;      /* resets; a reset of several lanes is counted for each of them */
  uint64_t recoveries;  /* returns to service after a failure: reset, zeroized, self-test passed */
  uint64_t retirements; /* removals from service: the self-test failed, or operations soon after it */
  uint64_t key_errors;  /* results that were wrong because the key is wrong (_KEY_WRONG); not in `faults` */
} perle_board_stats;

/* Statistics of board `index` since opening or perle_boards_stats_reset. Accesses and operations of
 * self-tests are not counted.
 *
 * After any failure a board is reset (if it can be), zeroized, and tested with a power whose result is known,
 * before its next operation. If the test fails, the board is retired and the other boards of the set are
 * used. A retired board is tested again after one second, then after twice as long each time, up to 64
 * seconds; and at every operation while no other board works. Lanes share one reset: after a failure of one
 * lane, all lanes finish their operations, and are then reset and tested together. */
PERLE_API perle_status perle_boards_stats(const perle_boards* set, size_t index, perle_board_stats* stats);
PERLE_API perle_status perle_boards_stats_reset(perle_boards* set);

/* Direct access to board `index`, for debugging; waits until the board is idle. After a write, the library
 * loads the modulus again before the next operation. _UNSUPPORTED if this kind of board cannot do it. */
PERLE_API perle_status perle_board_read(perle_boards* set, size_t index, uint32_t addr, uint64_t* data);
PERLE_API perle_status perle_board_write(perle_boards* set, size_t index, uint32_t addr, uint64_t data);
PERLE_API perle_status perle_board_advance(perle_boards* set, size_t index, uint64_t cycles, int until_irq,
                                           uint64_t* passed);
/* Registers as zero-terminated JSON. With json = NULL, *len is the size needed, including the zero. */
PERLE_API perle_status perle_board_snapshot(perle_boards* set, size_t index, char* json, size_t size,
                                            size_t* len);
/* Start (path) or end (path = NULL) a waveform trace. It contains all operands: never trace a real key. */
PERLE_API perle_status perle_board_trace(perle_boards* set, size_t index, const char* path);

/* ---- modular arithmetic ------------------------------------------------------------------------------ */

typedef struct perle_mod perle_mod; /* a modulus with its constants */

/* Cost of an operation. `cycles`: sum over all boards. `elapsed`: cycles from start to end, less than
 * `cycles` if boards worked in parallel. On a system (perle_boards_on_system) both are 0, as each board has
 * its own clock; there `time_ps` is the modelled time in picoseconds, of boards, host and bus. It is 0
 * otherwise. */
typedef struct perle_cost {
  uint64_t cycles;
  uint64_t elapsed;
  uint64_t time_ps;
} perle_cost;

/* Prepare a modulus M: odd, 3 <= M < 2^width. It may be used with all boards of the same shape as those of
 * `set`, and may outlive the set.
 * Errors: _MODULUS_EVEN, _MODULUS_ZERO, _MODULUS_ONE, _WIDTH. */
PERLE_API perle_status perle_mod_new(perle_boards* set, const uint8_t* m, size_t m_len, perle_mod** mod);
PERLE_API void perle_mod_free(perle_mod* mod); /* zeroizes it; NULL is ignored */

/* Montgomery product z = x·y·R^-1 mod M, not fully reduced: x, y and z are below a bound that depends on the
 * family (orup: 2·Mt, which exceeds M) and is given, like R, in the README of perle/cores/FAMILY. z has
 * ceil(operand_bits/8) bytes. Errors: _OPERAND_RANGE,
 * _BUFFER, _FAULT. */
PERLE_API perle_status perle_montmul(perle_boards* set, const perle_mod* mod, const uint8_t* x, size_t x_len,
                                     const uint8_t* y, size_t y_len, uint8_t* out, size_t out_size,
                                     size_t* out_len, perle_cost* cost);

/* z = x·y mod M for x, y < M; z has as many bytes as M. Errors: _OPERAND_RANGE, _BUFFER, _FAULT. */
PERLE_API perle_status perle_mulmod(perle_boards* set, const perle_mod* mod, const uint8_t* x, size_t x_len,
                                    const uint8_t* y, size_t y_len, uint8_t* out, size_t out_size,
                                    size_t* out_len, perle_cost* cost);

typedef enum perle_mode {
  PERLE_MODE_WINDOW = 0, /* fixed window: time depends on e_bits only (in scalable also on the public length
                            of M). For secret exponents */
  PERLE_MODE_BINARY = 1, /* left-to-right binary: time depends on the exponent's ones. For public exponents */
  PERLE_MODE_PAPER = 2,  /* binary over all operand_bits of the exponent; the host does the final reduction */
  PERLE_MODE_LADDER = 3  /* Montgomery ladder: time depends on e_bits only; two products per bit */
} perle_mode;

/* z = x^e mod M for x < M; z has as many bytes as M. `e_bits` is the public width of the exponent: e <
 * 2^e_bits, and 0 means 8·e_len, including leading zero bytes. With 0, a secret exponent without its leading
 * zero bytes reveals its length: state e_bits, or pad e to a public length. e_bits may be at most
 * exponent_bits (operand_bits in PERLE_MODE_PAPER). The time limit is that of perle_boards_set_timeout.
 * Errors: _OPERAND_RANGE, _EXPONENT_EMPTY, _EXPONENT_WIDE, _MODE, _BUFFER, _FAULT. */
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
