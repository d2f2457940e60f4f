# SPDX-License-Identifier: Apache-2.0
"""The order in which a tile issues the block products of a modular product; owner of its cycle counts.

One block product is issued in a cycle. Several contexts, each with a product of its own, take turns: the one
that waited longest of those that can. In a column, what needs the newest quotient block goes last. Nothing
depends on a value, so that time is constant.

Memories X (x, q) and Y (y, m̂) have two ports each. A pair reads two blocks of both. A diagonal leaves ports
free: x_t·y_t two, q_t·m̂_t too, for q_t comes from where it was made and is written in the same cycle. Through
these ports the blocks of results get into both memories; where none is free in time, a cycle is left empty.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from perle.cores.tile.model import pairs

LATENCY = 24
"""Cycles from the issue of a column's last block product to the use of its block, estimated from a probe."""
MOST_WAITING = 4
"""Blocks of results that may wait for a port before a cycle is left empty for one."""


class Operation(NamedTuple):
    """A block product of column `c`, of quotient blocks or of operands; i is j on the diagonal."""

    c: int
    i: int
    j: int
    quotient: bool

    @property
    def diagonal(self) -> bool:
        """Whether it reads one block of each memory."""
        return self.i == self.j


def order(n: int) -> list[Operation]:
    """Return the N² + N − 1 operations of a product in the order of their issue."""
    return [one for c in range(2 * n) for one in column(n, c)]


def column(n: int, c: int) -> Iterator[Operation]:
    """Return the operations of a column: those of operands, of older quotient blocks, of the newest one."""
    yield from (Operation(c, i, j, False) for i, j in pairs(n, c))
    if c < n:
        yield Operation(c, c, c, False)
    newest = []
    for i, j in pairs(n, c - 1):
        one = Operation(c, i, j, True)
        if j == c - 1:
            newest.append(one)
        else:
            yield one
    if 1 <= c < n:
        yield Operation(c, c - 1, c - 1, True)
    yield from newest


@dataclass
class _Context:
    """A sequence of products, each of which needs the result of the one before."""

    number: int
    waited: int
    at: int = 0
    done: int = 0
    quotients: list[int] = field(default_factory=list)
    written: dict[tuple[int, int], int] = field(default_factory=dict)


@dataclass(frozen=True)
class Rate:
    """Cycles per product in the long run, the share of cycles that issue, and the most blocks that waited."""

    cycles: float
    used: float
    waiting: int


def rate(n: int, contexts: int, latency: int = LATENCY, products: int = 4) -> Rate:
    """Issue products of N blocks in every context without an end; return the rate over `products` in each.

    Contexts start a share of a product apart, so that results of one are written during diagonals of others.
    What is issued counts once every context has had two products.
    """
    tile = Tile(n, contexts, latency)
    round_ = contexts * len(tile.program)
    for now in range(3 * round_):
        tile.cycle(now)
    begun = tile.issued
    for now in range(3 * round_, (3 + products) * round_):
        tile.cycle(now)
    used = (tile.issued - begun) / (products * round_)
    return Rate(len(tile.program) / used, used, tile.most_waiting)


class Tile:
    """The issue of a tile, cycle by cycle."""

    def __init__(self, n: int, contexts: int, latency: int) -> None:
        self.n, self.latency, self.program = n, latency, order(n)
        self.last = {one.c: at for at, one in enumerate(self.program)}
        self.contexts = [_Context(number, -number) for number in range(contexts)]
        self.waiting: deque[tuple[int, int, tuple[int, int]]] = deque()
        self.issued = self.most_waiting = 0

    def cycle(self, now: int) -> None:
        """Issue what can be issued, and write a block of a result where ports are free."""
        first = len(self.program)
        ready = [one for one in self.contexts if now >= one.number * first and self._can(one, now)]
        there = bool(self.waiting) and self.waiting[0][0] <= now
        crowded = there and len(self.waiting) > MOST_WAITING
        chosen = min(ready, key=lambda one: one.waited) if ready and not crowded else None
        operation = self.program[chosen.at] if chosen else None
        if there and (operation is None or operation.diagonal):
            _, number, block = self.waiting.popleft()
            self.contexts[number].written[block] = now + 1
        if chosen is not None and operation is not None:
            self.issued += 1
            self._issue(chosen, operation, now)
        self.most_waiting = max(self.most_waiting, len(self.waiting))

    def _issue(self, one: _Context, operation: Operation, now: int) -> None:
        one.waited, done = now, now + self.latency
        if one.at == self.last[operation.c]:
            if operation.c < self.n:
                one.quotients.append(done)
            # the last quotient block has no diagonal in which to be written
            if operation.c >= self.n - 1:
                self.waiting.append((done, one.number, (one.done, operation.c - self.n)))
        one.at += 1
        if one.at == len(self.program):
            # the last column is a carry alone
            self.waiting.append((done + 1, one.number, (one.done, self.n - 1)))
            one.at, one.quotients, one.done = 0, [], one.done + 1

    def _can(self, one: _Context, now: int) -> bool:
        """Whether all that the next operation of a context reads is there."""
        operation = self.program[one.at]
        if operation.quotient:
            if operation.diagonal:
                return now >= one.quotients[operation.j]
            return operation.j != operation.c - 1 or now > one.quotients[operation.j]
        return one.done == 0 or now >= one.written.get((one.done - 1, operation.j), now + 1)
