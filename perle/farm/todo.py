# SPDX-License-Identifier: Apache-2.0
"""Messages that wait for a worker, and results that wait for those before them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from perle.host import PerleError
from perle.host.batch import Done

DEADLY = 2
"""A message whose workers died so often is given out alone."""


@dataclass
class Item:
    """A message in its place; which workers failed it, how, and how many died while they had it."""

    tag: int
    message: bytes
    failed_by: set[str] = field(default_factory=set)
    error: PerleError | None = None
    deaths: int = 0


class Todo:
    """What has not been done yet: new messages are read when they are wanted, others come back."""

    def __init__(self, messages: Iterable[bytes]) -> None:
        self._new = (Item(tag, message) for tag, message in enumerate(messages))
        self._next: Item | None = None
        self._back: deque[Item] = deque()
        self.returned = 0

    def take(self, worker: str, count: int) -> list[Item]:
        """Return at most so many messages, none that this worker failed, those that came back first."""
        mine = [one for one in self._back if worker not in one.failed_by]
        if mine and mine[0].deaths >= DEADLY:
            count = 1
        taken = [one for one in mine if one.deaths < DEADLY or one is mine[0]][:count]
        for one in taken:
            self._back.remove(one)
        while len(taken) < count:
            if self.empty or self._next is None:
                break
            taken.append(self._next)
            self._next = None
        return taken

    def give_back(self, items: Iterable[Item]) -> None:
        """Have messages done again, before new ones."""
        returned = sorted(items, key=lambda one: one.tag, reverse=True)
        self.returned += len(returned)
        self._back.extendleft(returned)

    def hopeless(self, workers: set[str]) -> list[Item]:
        """Take out the messages that came back and that each of these workers has failed."""
        found = [one for one in self._back if workers <= one.failed_by]
        for one in found:
            self._back.remove(one)
        return found

    @property
    def empty(self) -> bool:
        """Whether nothing waits for a worker; reads one message more where that is not known."""
        if self._next is None:
            self._next = next(self._new, None)
        return self._next is None and not self._back


class InOrder:
    """Results as they come, given on in the order of their tags, each once."""

    def __init__(self) -> None:
        self._kept: dict[int, Done] = {}
        self._next = 0

    def add(self, done: Done) -> None:
        """Take a result; one that is there already is an error of the caller."""
        assert done.tag >= self._next
        assert done.tag not in self._kept
        self._kept[done.tag] = done

    def ready(self) -> Iterator[Done]:
        """Yield those whose turn it is."""
        while (done := self._kept.pop(self._next, None)) is not None:
            self._next += 1
            yield done
