/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of perle.h; include that. Many private RSA operations in flight, driven by one thread.
 *
 * A batch accepts operations (submit) and returns them in the order in which they complete (poll). An
 * operation has two halves, one per prime (one without CRT numbers). Each half runs on any free board or lane
 * of the set, so that two operations keep four lanes busy. All work is done in poll: boards are loaded,
 * started and read there only. Between two calls of poll, hardware boards continue to run; simulated boards
 * stand still.
 *
 * As for perle_rsa_private: constant time, new blinding for every operation, s^e = c checked in software
 * before a result is released, exponents overwritten on the board, and the timeouts of
 * perle_boards_set_timeout, which apply to each half. In addition:
 *
 * Failing boards     a half that a board did not finish is run on another board. When every board has failed
 *                    it, the operation ends with the last error. After a wrong result the operation is run
 *                    once more, with new blinding, on boards other than those that were wrong; if there are
 *                    none, or it is wrong again, it ends with _FAULT. If software gets a wrong result too,
 *                    the key is refused with _KEY_WRONG and no board is blamed. A board that failed is reset
 *                    and tested before its next use (perle_boards_stats). A board that fails twice in a row
 *                    is not used while others work, until 64 more halves have completed.
 *
 * Other callers      may use the set at the same time. A board returns to the set when a poll has collected
 *                    its half, so some thread must keep polling while others wait for boards; the thread that
 *                    polls must not wait for a board of the set itself. Waiting callers get boards before the
 *                    batch does.
 *
 * Lifetime           boards stay open until all their batches are closed, even if the set is closed first. A
 *                    key that is freed is zeroized when its last operation has completed.
 */
#ifndef PERLE_BATCH_H
#define PERLE_BATCH_H

#ifndef PERLE_H
#error "include perle.h"
#endif

#include "perle_rsa.h"

typedef struct perle_batch perle_batch;

/* Open a batch on all boards of the set. `capacity` is the number of operations that may be in it, from
 * submit until poll returns them: 1 to 65536, or 0 for four per board. Errors: _UNSUPPORTED (a system). */
PERLE_API perle_status perle_batch_open(perle_boards* set, size_t capacity, perle_batch** batch);

/* Close and free a batch. Boards that are running a half are reset; lanes, and boards without a reset, are
 * waited for. Operations that were not returned are lost; their `out` is all zero. NULL is ignored. In a
 * process that did not open the batch (after fork) no board is accessed. */
PERLE_API void perle_batch_close(perle_batch* batch);

/* Queue the operation z = c^d mod n. `flags` as in perle_rsa_private; `tag` is any number and is returned
 * with the result. `in` is read before the call returns. `out` has `out_size` bytes, at least as many as n;
 * it is all zero until the poll that returns the operation, must stay valid until then, and must not be the
 * `out` of another operation; it may overlap `in`. To sign, pass the message from perle_rsa_encode as `in`.
 * No board is accessed: the call returns quickly. Errors: _QUEUE_FULL (the operation was not queued: poll
 * first), and _KEY_PUBLIC, _KEY_WRONG, _WIDTH, _OPERAND_RANGE, _BUFFER, _UNSUPPORTED as for
 * perle_rsa_private. */
PERLE_API perle_status perle_batch_submit(perle_batch* batch, const perle_key* key, unsigned flags,
                                          const uint8_t* in, size_t in_len, uint8_t* out, size_t out_size,
                                          uint64_t tag);

/* Result of an operation. */
typedef struct perle_batch_done {
  uint64_t tag;      /* as submitted */
  uint64_t cycles;   /* board cycles of all its halves, including repeated ones */
  size_t length;     /* bytes written to `out`: the length of n, or 0 after an error */
  int status;        /* a perle_status: PERLE_OK, a board error, _KEY_WRONG, _MEMORY or _CRYPTO */
  uint32_t repeats;  /* halves that were run again */
  char message[160]; /* details of the error; empty after PERLE_OK. Never a secret */
} perle_batch_done;

/* Drive the boards until at least one operation has completed, `milliseconds` have passed, or the batch is
 * empty. Writes at most `room` completed operations to `done`, in order of completion, and their number to
 * *count: 0 after a timeout or if the batch is empty. With milliseconds = 0 the call does not wait,
 * except that a board that has failed is reset and tested first (two seconds at most). `room` is
 * at least 1. The returned status is that of the call; those of operations are in `done`. */
PERLE_API perle_status perle_batch_poll(perle_batch* batch, uint64_t milliseconds, perle_batch_done* done,
                                        size_t room, size_t* count);

typedef struct perle_batch_stats {
  uint64_t pending;     /* operations in the batch */
  uint64_t running;     /* halves now on boards */
  uint64_t succeeded;   /* operations that succeeded */
  uint64_t failed;      /* operations that failed */
  uint64_t repeated;    /* halves that were run again */
  uint64_t busy_cycles; /* board cycles of all halves */
  uint64_t cycles;      /* clock cycles from a board's first start to its last answer, including transfers;
                           the maximum over the boards. 0 if the boards do not report their clock.
                           busy_cycles / cycles is the average number of halves in flight */
  uint64_t refused;     /* those of `failed` whose key gives wrong results (PERLE_ERR_KEY_WRONG) */
} perle_batch_stats;

PERLE_API perle_status perle_batch_get_stats(perle_batch* batch, perle_batch_stats* stats);

#endif
