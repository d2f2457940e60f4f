# SPDX-License-Identifier: Apache-2.0
"""Checks the answers of workers, returns them in order, or gives their messages to other workers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from perle.farm.todo import InOrder, Item
from perle.host import Key, PerleError
from perle.host._headers import constants
from perle.host._lib import library
from perle.host.batch import Done

ELSEWHERE = {
    constants.PERLE_ERR_MEMORY,
    constants.PERLE_ERR_CRYPTO,
    constants.PERLE_ERR_WIDTH,
    *range(constants.PERLE_ERR_BOARD_ABSENT, constants.PERLE_ERR_UNSUPPORTED + 1),
}
"""Errors caused by a board or a machine, so that another worker may succeed; errors of messages and keys are
the same everywhere."""
MOST_DEATHS = 4
"""A message during which this many workers died is completed with an error."""


@dataclass(frozen=True)
class Verdict:
    """Result of a chunk: number of right answers, the messages for other workers, and the last error."""

    good: int
    again: list[Item]
    why: str


class Judge:
    """Checks results; every message ends exactly once."""

    def __init__(self, key: Key) -> None:
        self._key = key
        self._order = InOrder()
        self.good = self.failed = self.cycles = 0

    def ready(self) -> Iterator[Done]:
        """Yield the results of messages, in their order."""
        return self._order.ready()

    def judge(self, items: Sequence[Item], answer: Iterable[Done], worker: str) -> Verdict:
        """Take the answer to a chunk; its tags are indices of `items`. Messages without an answer failed."""
        left = dict(enumerate(items))
        good, why, again = 0, "", []
        for told in answer:
            item = left.pop(told.tag, None)
            if item is None:
                continue
            done = replace(self._checked(item, told), tag=item.tag)
            if done.error is not None and done.error.code in ELSEWHERE:
                why = str(done.error)
                item.error = done.error
                again.append(item)
            else:
                good += done.error is None
                self._end(done)
        again += left.values()
        for item in again:
            item.failed_by.add(worker)
        return Verdict(good, again, why or "no answer")

    def survive(self, items: Iterable[Item]) -> list[Item]:
        """Count the death of a worker with these messages; return those that may be given to another."""
        found = []
        for item in items:
            item.deaths += 1
            if item.deaths < MOST_DEATHS:
                found.append(item)
            else:
                self._give_up(item, _absent(f"{item.deaths} workers died that had it"))
        return found

    def give_up(self, items: Iterable[Item]) -> None:
        """End messages that every worker failed, with the last error."""
        for item in items:
            self._give_up(item, item.error or _absent("no worker has an answer"))

    def _give_up(self, item: Item, error: PerleError) -> None:
        self._end(Done(item.tag, b"", error, 0, 0))

    def _end(self, done: Done) -> None:
        self.good += done.error is None
        self.failed += done.error is not None
        self.cycles += done.cycles
        self._order.add(done)

    def _checked(self, item: Item, done: Done) -> Done:
        """Return a result if result^e is the message, otherwise an error: it may be corrupt."""
        if done.error is not None:
            return done
        try:
            right = int.from_bytes(self._key.public(None, done.data).data) == int.from_bytes(item.message)
        except PerleError:  # the result is longer than the modulus, or not below it
            right = False
        if right:
            return done
        wrong = library().error(constants.PERLE_ERR_FAULT, "a worker's result is wrong; it was not released")
        return replace(done, data=b"", error=wrong)


def _absent(message: str) -> PerleError:
    return library().error(constants.PERLE_ERR_BOARD_ABSENT, message)
