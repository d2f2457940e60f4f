# SPDX-License-Identifier: Apache-2.0
"""Many private RSA operations at a time on boards, driven by one caller: the binding of `perle_batch.h`.

    with Boards("sim:orup:w512,lanes=4") as boards, Batch(boards) as batch:
        for digest in digests:
            batch.submit(key, key.encode(digest))
        for done in batch.finished():
            print(done.tag, done.data.hex())

Nothing happens outside of `poll` and `finished`: a simulated board stands still meanwhile.
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
"""How long a wait is away from Python at a time: Ctrl-C is heard after that."""
ROOM = 64
MAX_TAG = (1 << 64) - 1


class QueueFullError(PerleError):
    """The batch has as many operations as it takes (PERLE_ERR_QUEUE_FULL): poll first."""


@dataclass(frozen=True)
class Done:
    """How an operation ended: its result, or else the error; board cycles of its halves; halves run again."""

    tag: int
    data: bytes
    error: PerleError | None
    cycles: int
    repeats: int


@dataclass(frozen=True)
class BatchStats:
    """What a batch has done.

    `cycles` is of the board whose clock went on the most, from its first start to its last answer, transfers
    included; `busy_cycles` are of all halves together. `refused` of the failed operations had a key that
    gives wrong results in software too.
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
        """How many halves were on boards at a time; 0 where boards do not tell their clock."""
        return self.busy_cycles / self.cycles if self.cycles else 0.0


@dataclass(frozen=True)
class _Submitted:
    """An operation in a batch: where its result goes, and the caller's tag."""

    out: CData
    tag: int


class _Poll:
    """Where a thread's poll puts what has ended, until the thread has it."""

    def __init__(self) -> None:
        self.done = ffi.new("perle_batch_done[]", ROOM)
        self.count = ffi.new("size_t*")
        self.found: dict[int, Done] = {}
        self.kept = 0


class Batch(Handle):
    """Takes operations and gives them back in the order in which they end; see perle_batch.h.

    `capacity` operations may be in it, 1 to 65536; the default is four for each board or lane. Boards and
    keys may be closed before it: they live until their last operation has ended. `close` drops what was not
    reported.
    """

    CLOSED = "the batch is closed"

    def __init__(self, boards: Boards, capacity: int = 0) -> None:
        if capacity < 0:
            raise ValueError("a batch takes 1 to 65536 operations")
        self._own(library(), "perle_batch_open", boards, capacity, closing="perle_batch_close")
        self._numbers = itertools.count()
        self._unused: list[int] = []  # numbers of operations that were not taken
        self._submitted: dict[int, _Submitted] = {}
        self._dropped: set[int] = set()  # those of them whose results nobody wants
        self._polls: dict[int, _Poll] = {}

    def submit(self, key: Key, data: bytes, *, tag: int | None = None, blinding: bool = True) -> int:
        """Take data^d mod n for later, and return its tag: the given one, or 0, 1, 2, … in turn.

        Raises QueueFullError where nothing was taken, and what `Key.private` raises of key and data.
        """
        if tag is not None and not 0 <= tag <= MAX_TAG:
            raise ValueError(f"a tag is a number from 0 to 2^64 - 1, not {tag}")
        out, number = ffi.new("uint8_t[]", key.size), self._number()
        chosen = number if tag is None else tag
        given = (0 if blinding else NO_BLINDING, data, len(data), out, len(out), number)
        self._submitted[number] = _Submitted(out, chosen)  # it has to live until it is reported
        try:
            self._lib.call("perle_batch_submit", self, key, *given)
        except (PerleError, TypeError, ValueError) as error:
            # It was not taken. After an exception of another kind, such as Ctrl-C's, it may have been.
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
        """Drive the boards until at least one operation has ended, and return those that have, in that order.

        Returns an empty list after so many seconds (None: no limit, 0: look once), or with none in the batch.
        What ends while an exception of a signal's handler leaves it is returned by this thread's next poll.
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
        """Yield operations as they end, until none is in the batch; more may be submitted meanwhile."""
        while found := self.poll():
            yield from found

    def powers(self, key: Key, messages: Iterable[bytes]) -> Generator[Done]:
        """Take data^d mod n of every message, and yield operations as they end; tags are 0, 1, 2, … in turn.

        Messages are taken when there is room. One that is refused ends with its error, like one that fails.
        ValueError where the batch has other operations. Results of a generator that is closed before its end,
        or ended by an exception, are dropped.
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
        # A signal's exception may come between any two lines: what is done so far is in `mine`.
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
        """What it has done up to now."""
        return record(BatchStats, self._lib.value("perle_batch_get_stats", self))
