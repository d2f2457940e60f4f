# SPDX-License-Identifier: Apache-2.0
"""A run as one worker sees it: the boards it may use and, as long as it lasts, the key."""

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
"""How long a key stays on a worker that nobody gives work, as when the client was killed."""


@dataclass(frozen=True)
class Answer:
    """How the messages of a chunk ended, in that order; `known`: the run has its key here."""

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
        """Take the key. WrappingError, and PerleError of a key that is wrong or too wide for the boards."""
        with self._lock:
            if self._wrapping is None:
                return
            key = self._wrapping.key(wrapped)
            self._wrapping = None
            try:
                with Batch(self.boards) as batch:  # asks whether boards take it; nothing runs without a poll
                    batch.submit(key, b"\2")
            except BaseException:
                key.close()
                raise
            self._key = key

    def work(self, messages: Iterable[bytes]) -> Answer:
        """Form the private powers of all messages, on all boards."""
        with self._working() as key:
            if key is None:
                return UNKNOWN
            begin = time.monotonic()
            try:
                with Batch(self.boards) as batch:
                    left = takewhile(lambda _: not self._ended, messages)
                    done = tuple(batch.powers(key, left))
            except ValueError:  # key and boards were closed meanwhile
                if self._ended:
                    return UNKNOWN
                raise
            return Answer(done, time.monotonic() - begin)

    def end(self) -> None:
        """Zeroize the key, and close the boards that are the run's own; work that is under way ends soon."""
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
        """Primes stay in boards for the next operation of the key: there will be none."""
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
