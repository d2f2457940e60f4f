# SPDX-License-Identifier: Apache-2.0
"""Many private RSA operations in flight on boards, driven by one thread: the binding of `perle_batch.h`.

    with Boards("sim:orup:w512,lanes=4") as boards, Batch(boards) as batch:
        for digest in digests:
            batch.submit(key, key.encode(digest))
        for done in batch.finished():
            print(done.tag, done.data.hex())

Work is done only in `poll` and `finished`: simulated boards stand still otherwise.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass

from perle.flow.c_headers import CData
from perle.host._handle import Handle
from perle.host._headers import constants, ffi
from perle.host._lib import PerleError, library, record, string, taken
from perle.host.boards import Boards
from perle.host.key import NO_BLINDING, Key

__all__ = ["Batch", "BatchStats", "Done", "QueueFullError"]

QUEUE_FULL: int = constants.PERLE_ERR_QUEUE_FULL
SLICE_MS = 200
"""Maximum time in ms of one wait in C: Python can handle Ctrl-C only between such waits."""
ROOM = 64
MAX_TAG = (1 << 64) - 1


class QueueFullError(PerleError):
    """The batch is full (PERLE_ERR_QUEUE_FULL): poll first."""


@dataclass(frozen=True)
class Done:
    """Result of an operation: its data or error, the board cycles of its halves, and the halves run again."""

    tag: int
    data: bytes
    error: PerleError | None
    cycles: int
    repeats: int


@dataclass(frozen=True)
class BatchStats:
    """Statistics of a batch.

    `cycles` are clock cycles of a board from its first start to its last answer, including transfers; the
    maximum over the boards. `busy_cycles` is the sum over all halves. `refused` is the number of failed
    operations whose key gives wrong results in software too.
    """

    pending: int
    running: int
    succeeded: int
    failed: int
    repeated: int
    busy_cycles: int
    cycles: int
    refused: int

    @property
    def in_flight(self) -> float:
        """Average number of halves on boards; 0 if the boards do not report their clock."""
        return self.busy_cycles / self.cycles if self.cycles else 0.0


@dataclass(frozen=True)
class _Submitted:
    """An operation in a batch: the buffer of its result, and the caller's tag."""

    out: CData
    tag: int


class _Poll:
    """Buffer of a thread's polls: completed operations that it has not taken yet."""

    def __init__(self) -> None:
        self.done = ffi.new("perle_batch_done[]", ROOM)
        self.count = ffi.new("size_t*")
        self.found: dict[int, Done] = {}
        self.kept = 0


class Batch(Handle):
    """Accepts operations and returns them in order of completion; see perle_batch.h.

    `capacity` is the number of operations that may be in it, 1 to 65536; by default four per board or lane.
    Boards and keys may be closed before the batch: they are kept until their last operation has completed.
    `close` drops operations that were not returned.
    """

    CLOSED = "the batch is closed"

    def __init__(self, boards: Boards, capacity: int = 0) -> None:
        if capacity < 0:
            raise ValueError("a batch takes 1 to 65536 operations")
        self._own(library(), "perle_batch_open", boards, capacity, closing="perle_batch_close")
        self._numbers = itertools.count()
        self._unused: list[int] = []  # numbers of operations that were not accepted
        self._submitted: dict[int, _Submitted] = {}
        self._dropped: set[int] = set()  # operations whose results will be dropped
        self._polls: dict[int, _Poll] = {}

    def submit(self, key: Key, data: bytes, *, tag: int | None = None, blinding: bool = True) -> int:
        """Queue data^d mod n, and return its tag: the given one, or 0, 1, 2, … in turn.

        Raises QueueFullError if the batch is full, and the errors of `Key.private` for key and data.
        """
        if tag is not None and not 0 <= tag <= MAX_TAG:
            raise ValueError(f"a tag is a number from 0 to 2^64 - 1, not {tag}")
        out, number = ffi.new("uint8_t[]", key.size), self._number()
        chosen = number if tag is None else tag
        given = (0 if blinding else NO_BLINDING, data, len(data), out, len(out), number)
        self._submitted[number] = _Submitted(out, chosen)  # must exist until the operation is returned
        try:
            self._lib.call("perle_batch_submit", self, key, *given)
        except (PerleError, TypeError, ValueError) as error:
            # It was not accepted. After another exception, such as KeyboardInterrupt, it may have been.
            del self._submitted[number]
            self._unused.append(number)
            if isinstance(error, PerleError) and error.code == QUEUE_FULL:
                raise QueueFullError(error.code, error.name, error.message) from None
            raise
        return chosen

    def _number(self) -> int:
        try:
            return self._unused.pop()
        except IndexError:
            return next(self._numbers)

    def poll(self, seconds: float | None = None) -> list[Done]:
        """Drive the boards until at least one operation has completed; return those that have, in order.

        Returns an empty list after a timeout (None: no limit, 0: never wait), or if the batch is empty. If an
        exception of a signal handler ends a poll, this thread's next poll returns what had completed.
        """
        if seconds is not None and not seconds < float("inf"):
            raise ValueError(f"a time limit is finite: {seconds}")
        left = None if seconds is None else max(0, round(seconds * 1000))
        while True:
            step = SLICE_MS if left is None else min(left, SLICE_MS)
            found = self._poll(step)
            if left is not None:
                left -= step
            if found or left == 0 or not self.stats.pending:
                return found

    def finished(self) -> Iterator[Done]:
        """Yield operations as they complete, until the batch is empty; more may be submitted meanwhile."""
        while found := self.poll():
            yield from found

    def powers(self, key: Key, messages: Iterable[bytes]) -> Generator[Done]:
        """Compute data^d mod n of every message, and yield operations as they complete; tags are 0, 1, 2, ….

        Messages are taken when the batch has room. A message that is refused is yielded with its error, like
        an operation that fails. Raises ValueError if the batch is not empty. If the generator is closed
        early, or ended by an exception, its remaining results are dropped.
        """
        if self.stats.pending and set(self._submitted) - self._dropped:
            raise ValueError("the batch has operations: poll until it has none")
        try:
            for tag, message in enumerate(messages):
                while True:
                    try:
                        self.submit(key, message, tag=tag)
                    except QueueFullError:
                        yield from self.poll()
                        continue
                    except PerleError as error:
                        yield Done(tag, b"", error, 0, 0)
                    break
            yield from self.finished()
        except BaseException:
            self._dropped |= set(self._submitted)
            for poll in self._polls.values():
                poll.found.clear()
            raise

    def _poll(self, milliseconds: int) -> list[Done]:
        thread = threading.get_ident()
        mine = self._polls.get(thread) or self._polls.setdefault(thread, _Poll())
        if not mine.count[0]:
            self._lib.call("perle_batch_poll", self, milliseconds, mine.done, ROOM, mine.count)
        # A signal handler may raise between any two lines: progress is kept in `mine`.
        while mine.kept < mine.count[0]:
            one = mine.done[mine.kept]
            if one.tag in self._submitted:
                if one.tag not in self._dropped and mine.kept not in mine.found:
                    mine.found[mine.kept] = self._done(one)
                taken(self._submitted.pop(one.tag).out, 0)
            self._dropped.discard(one.tag)
            mine.kept += 1
        found, mine.found, mine.kept, mine.count[0] = list(mine.found.values()), {}, 0, 0
        return found

    def _done(self, raw: CData) -> Done:
        one = self._submitted[raw.tag]
        failed = raw.status != constants.PERLE_OK
        error = self._lib.error(raw.status, string(raw.message)) if failed else None
        return record(Done, raw, tag=one.tag, data=ffi.buffer(one.out)[: raw.length], error=error)

    @property
    def stats(self) -> BatchStats:
        """Statistics up to now."""
        return record(BatchStats, self._lib.value("perle_batch_get_stats", self))
