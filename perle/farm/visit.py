# SPDX-License-Identifier: Apache-2.0
"""The state of a run on a worker: the boards that it may use and, while it lasts, the key."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile

from perle.farm.wrapping import Unwrapping
from perle.host import Boards, Key
from perle.host.batch import Batch, Done

KEPT_SECONDS = 600.0
"""Seconds for which an idle worker keeps a key, for example after the client was killed."""


@dataclass(frozen=True)
class Answer:
    """The results of a chunk, in the order of its messages; `known`: this worker has the run's key."""

    done: tuple[Done, ...]
    seconds: float
    known: bool = True


UNKNOWN = Answer((), 0.0, known=False)


class Visit:
    """The boards and the key of a run. `borrowed` boards stay open when it ends."""

    def __init__(self, run: str, boards: Boards, *, borrowed: bool) -> None:
        self.boards, self._borrowed = boards, borrowed
        self._wrapping: Unwrapping | None = Unwrapping(run)
        self.public = self._wrapping.public
        self._key: Key | None = None
        self._lock = threading.Lock()
        self._busy, self._ended = 0, False
        self._timer: threading.Timer | None = None
        self._wait()

    def take(self, wrapped: bytes) -> None:
        """Take the key. WrappingError, or PerleError for a key that is invalid or too wide for boards."""
        with self._lock:
            if self._wrapping is None:
                return
            key = self._wrapping.key(wrapped)
            self._wrapping = None
            try:
                with Batch(self.boards) as batch:  # checks the key; nothing runs without a poll
                    batch.submit(key, b"\2")
            except BaseException:
                key.close()
                raise
            self._key = key

    def work(self, messages: Iterable[bytes]) -> Answer:
        """Run the private operation on all messages, on all boards."""
        with self._working() as key:
            if key is None:
                return UNKNOWN
            begin = time.monotonic()
            try:
                with Batch(self.boards) as batch:
                    left = takewhile(lambda _: not self._ended, messages)
                    done = tuple(batch.powers(key, left))
            except ValueError:  # key and boards may have been closed meanwhile
                if self._ended:
                    return UNKNOWN
                raise
            return Answer(done, time.monotonic() - begin)

    def end(self) -> None:
        """Zeroize the key, and close the boards unless they are borrowed; running operations end soon."""
        with self._lock:
            self._ended = True
            self._stop_waiting()
            self._wrapping = None
            if self._key is not None:
                self._key.close()
            if self._borrowed:
                self._zeroize()
            else:
                self.boards.close()

    def _zeroize(self) -> None:
        """Zeroize borrowed boards that are idle: they keep primes for the key's next operation."""
        if not self._busy:
            self.boards.zeroize()

    @contextmanager
    def _working(self) -> Iterator[Key | None]:
        with self._lock:
            self._busy += 1
            self._stop_waiting()
            key = None if self._ended else self._key
        try:
            yield key
        finally:
            with self._lock:
                self._busy -= 1
                if self._ended and self._borrowed:
                    self._zeroize()
                elif not self._ended and not self._busy:
                    self._wait()

    def _wait(self) -> None:
        self._timer = threading.Timer(KEPT_SECONDS, self.end)
        self._timer.daemon = True
        self._timer.start()

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
