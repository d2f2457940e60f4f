/* SPDX-License-Identifier: Apache-2.0
 *
 * Many private RSA operations at a time, by one caller; part of perle.h, include that one.
 *
 * A batch takes operations (submit) and gives them back in the order in which they end (poll). Every half of
 * an operation is work of its own, which goes to whichever board or lane of the set is free; so that two
 * operations keep four lanes busy. One thread drives them all: boards are loaded, looked at and read in poll,
 * and in nothing else. Between two calls boards of hardware run on, simulated ones stand still.
 *
 * What holds for perle_rsa_private holds here: constant time, another blinding for every operation, s^e = c
 * checked in software before anything is released, exponents overwritten on the board, and the limits of
 * perle_boards_set_timeout for each half. More than there:
 *
 * Boards that fail   a half that a board did not finish goes to another one, until every board has failed it;
 *                    then the operation ends with the last error. A wrong result is computed anew, blinded
 *                    anew, once, on other boards than those that were wrong, if there are any; but not if
 *                    software gets a wrong one too: then the key is refused, and no board is to blame. A
 * board that failed recovers first (perle_boards_stats); one that fails twice in a row rests while others
 * work, and is tried again after 64 halves.
 *
 * Other callers      share the set: a board that a batch uses is theirs again when a poll has collected its
 *                    half. So somebody has to poll while others wait for boards: a thread that does both
 *                    waits for itself. Boards that others wait for are given to them first.
 *
 * Lifetime           boards stay open, whatever is closed first, until their batches are closed; a key that
 *                    is freed is zeroized when its last operation has ended.
 */
#ifndef PERLE_BATCH_H
#define PERLE_BATCH_H

#ifndef PERLE_H
#error "include perle.h"
#endif

#include "perle_rsa.h"

typedef struct perle_batch perle_batch;

/* A batch on all boards of the set. `capacity` operations may be in it, from submit until they are reported:
 * 1 to 65536, or 0 for four a board. Errors: _UNSUPPORTED (a system). */
PERLE_API perle_status perle_batch_open(perle_boards* set, size_t capacity, perle_batch** batch);

/* Waits for what runs on boards that cannot be reset, resets the others, zeroizes and frees. What was not
 * reported is lost, its `out` all zero. NULL is ignored. In a process that did not open it (after fork) it
 * frees and touches no board. */
PERLE_API void perle_batch_close(perle_batch* batch);

/* Take the operation z = c^d mod n for later. `flags` as in perle_rsa_private. `in` is read now and not
 * needed any more; `out` may lie over it. `out` has room for `out_size` bytes, at least as many as n has; it
 * is all zero until the poll that reports the operation, has to stay until then, and is no other operation's.
 * For a signature, `in` is what perle_rsa_encode makes. No board is touched: this never takes long. Errors:
 * _QUEUE_FULL (nothing was taken: poll first), and at once _KEY_PUBLIC, _KEY_WRONG, _WIDTH, _OPERAND_RANGE,
 * _BUFFER, _UNSUPPORTED as for perle_rsa_private. */
PERLE_API perle_status perle_batch_submit(perle_batch* batch, const perle_key* key, unsigned flags,
                                          const uint8_t* in, size_t in_len, uint8_t* out, size_t out_size,
                                          uint64_t tag);

/* How an operation ended. */
typedef struct perle_batch_done {
  uint64_t tag;      /* as submitted */
  uint64_t cycles;   /* board cycles of its halves together, repeated ones included */
  size_t length;     /* bytes in `out`: those of n, or 0 after an error */
  int status;        /* a perle_status: PERLE_OK, a board error, _KEY_WRONG, _MEMORY or _CRYPTO */
  uint32_t repeats;  /* halves that had to be run again */
  char message[160]; /* what exactly was wrong; empty after PERLE_OK. Never a secret */
} perle_batch_done;

/* Drive the boards until at least one operation has ended, or `milliseconds` are over, or nothing is in the
 * batch; report as many as have ended, the first first, at most `room`. *count is their number: 0 after the
 * time, or with nothing to wait for. 0 milliseconds: look once, never wait. Errors are those of the call;
 * those of operations are in `done`. */
PERLE_API perle_status perle_batch_poll(perle_batch* batch, uint64_t milliseconds, perle_batch_done* done,
                                        size_t room, size_t* count);

typedef struct perle_batch_stats {
  uint64_t pending;     /* operations in the batch */
  uint64_t running;     /* halves that are on boards now */
  uint64_t succeeded;   /* operations that ended well */
  uint64_t failed;      /* operations that ended with an error */
  uint64_t repeated;    /* halves that had to be run again */
  uint64_t busy_cycles; /* board cycles of all halves together */
  uint64_t cycles;      /* clock cycles from a board's first start to its last answer, transfers included; of
                           the board with the most. 0 where boards do not tell their clock.
                           busy_cycles / cycles is how many halves were under way at a time */
  uint64_t refused;     /* of the failed: those of keys that give wrong results (PERLE_ERR_KEY_WRONG) */
} perle_batch_stats;

PERLE_API perle_status perle_batch_get_stats(perle_batch* batch, perle_batch_stats* stats);

#endif
