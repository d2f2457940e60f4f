# SPDX-License-Identifier: Apache-2.0
"""Messages that wait for a worker, and results that wait for earlier ones."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from perle.host import PerleError
from perle.host.batch import Done

DEADLY = 2
"""A message during which this many workers died is sent alone, not in a chunk with others."""


@dataclass
class Item:
    """A message and its index; which workers failed it, the last error, and how many died with it."""

    tag: int
    message: bytes
    failed_by: set[str] = field(default_factory=set)
    error: PerleError | None = None
    deaths: int = 0


class Todo:
    """Messages to do: new ones, read when needed, and returned ones."""

    def __init__(self, messages: Iterable[bytes]) -> None:
        self._new = (Item(tag, message) for tag, message in enumerate(messages))
        self._next: Item | None = None
        self._back: deque[Item] = deque()
        self.returned = 0

    def take(self, worker: str, count: int) -> list[Item]:
        """Return at most `count` messages, returned ones first, and none that this worker failed."""
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
        """Return messages, which are given out again before new ones."""
        returned = sorted(items, key=lambda one: one.tag, reverse=True)
        self.returned += len(returned)
        self._back.extendleft(returned)

    def hopeless(self, workers: set[str]) -> list[Item]:
        """Remove and return the returned messages that all of these workers have failed."""
        found = [one for one in self._back if workers <= one.failed_by]
        for one in found:
            self._back.remove(one)
        return found

    @property
    def empty(self) -> bool:
        """Whether no message waits for a worker; reads one more message if necessary."""
        if self._next is None:
            self._next = next(self._new, None)
        return self._next is None and not self._back


class InOrder:
    """Puts results in the order of their tags."""

    def __init__(self) -> None:
        self._kept: dict[int, Done] = {}
        self._next = 0

    def add(self, done: Done) -> None:
        """Take a result; a second one for the same tag is an error of the caller."""
        assert done.tag >= self._next
        assert done.tag not in self._kept
        self._kept[done.tag] = done

    def ready(self) -> Iterator[Done]:
        """Yield the results whose predecessors were all yielded."""
        while (done := self._kept.pop(self._next, None)) is not None:
            self._next += 1
            yield done
