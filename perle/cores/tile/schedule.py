# SPDX-License-Identifier: Apache-2.0
"""The order in which a tile issues the block products of modular products; defines the cycle counts.

Four contexts, each with products of its own, issue in turn, one cycle each, whether there is something to
issue or not. So a context uses its own sums again four cycles later, and a quotient block four turns after
its column. In a column, operations that need the newest quotient block are issued last. Nothing depends on a
value.

Memories X (x, q) and Y (y, m̂) have two ports each. A pair reads two blocks of both. A diagonal leaves port B
of both free, as q_t is written by the port that reads it. There, and in turns without an operation, blocks of
results are written to the memories, in the order in which they were computed, at most one in two cycles.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from perle.cores.tile.model import pairs

CONTEXTS = 4
QUOTIENT = 16
"""Cycles from the last operation of a column to the first operation that uses its quotient block."""
MADE = 15
"""Cycles from the last operation of a column to the first one in which its result block can be written."""
SEEN = 6
"""Cycles from the one in which a result block is granted a port to the first operation that reads it."""
COMPLETE = 3
"""Cycles from the one in which the last block is granted a port to the one in which its context is idle."""
PLACES = 16
"""Maximum number of result blocks that are being computed or are waiting for a memory port."""


class Operation(NamedTuple):
    """A block product of column `c`, of quotient blocks or of operands; i = j on the diagonal.

    A column that has no pair, or a diagonal last, ends with an operation without a product (i = j = −1).
    """

    c: int
    i: int
    j: int
    quotient: bool

    @property
    def diagonal(self) -> bool:
        """Whether it reads one block of each memory."""
        return self.i == self.j >= 0

    @property
    def nothing(self) -> bool:
        """Whether it has no product and only ends its column."""
        return self.i < 0


def order(n: int) -> list[Operation]:
    """Return the N² + N + 3 operations of a product in the order of their issue."""
    return [one for c in range(2 * n) for one in column(n, c)]


def column(n: int, c: int) -> Iterator[Operation]:
    """Return the operations of a column: those of operands, of older quotient blocks, of the newest one."""
    yield from (Operation(c, i, j, False) for i, j in pairs(n, c))
    if c < n:
        yield Operation(c, c, c, False)
    yield from (Operation(c, i, j, True) for i, j in pairs(n, c - 1) if j != c - 1)
    if 1 <= c <= n:
        yield Operation(c, c - 1, c - 1, True)
    if 2 <= c <= n:
        yield Operation(c, 0, c - 1, True)
    elif c in (0, 1, 2 * n - 1):
        yield Operation(c, -1, -1, True)


@dataclass
class _Context:
    """State of a context with products of N blocks, and of the result of its last product."""

    n: int
    requests: deque[int] = field(default_factory=deque)
    at: int | None = None
    ended: int = 0
    done: int = 0
    taken: dict[tuple[int, int], int] = field(default_factory=dict)
    finished: int = 0

    def __post_init__(self) -> None:
        self.program = order(self.n)
        self.last = {one.c: at for at, one in enumerate(self.program)}


@dataclass(frozen=True)
class Rate:
    """Average cycles per product, share of cycles that issue an operation, most blocks in the queue."""

    cycles: float
    used: float
    waiting: int


def rate(n: int, products: int = 4) -> Rate:
    """Issue products of N blocks continuously in every context; return the rate over `products` in each.

    Contexts start a quarter of a product apart, so that results of one are written during diagonals of
    others. Counting starts after two products of every context.
    """
    tile = Tile([n] * CONTEXTS)
    operations = len(order(n))
    whole = CONTEXTS * operations
    for number in range(CONTEXTS):
        for _ in range(products + 8):
            tile.request(number, number * whole // CONTEXTS)
    tile.run(3 * whole)
    begun = tile.issued
    tile.run((3 + products) * whole)
    used = (tile.issued - begun) / (products * whole)
    return Rate(operations / used, used, tile.most_waiting)


def finish(n: int | Sequence[int], requests: Iterable[tuple[int, int]]) -> list[int]:
    """Return the cycle in which each context becomes idle, for requests (context, cycle of acceptance).

    The requests of a context are in order. `n`: blocks of all products, or of those of each context. The tile
    was idle.
    """
    tile = Tile([n] * CONTEXTS if isinstance(n, int) else n)
    for number, cycle in requests:
        tile.request(number, cycle)
    while any(one.requests or one.at is not None for one in tile.contexts) or tile.waiting:
        tile.run(tile.now + 1)
    return [one.finished for one in tile.contexts]


class Tile:
    """The issue of a tile, cycle by cycle; cycle t is the turn of context t mod 4."""

    def __init__(self, n: Sequence[int]) -> None:
        self.contexts = [_Context(blocks) for blocks in n]
        self.waiting: deque[tuple[int, int, tuple[int, int]]] = deque()
        self.now = self.issued = self.most_waiting = 0
        self.took = -2
        self.reserved = deque([0, 0, 0], maxlen=3)

    def request(self, number: int, cycle: int) -> None:
        """Request a product in a context, accepted in that cycle."""
        self.contexts[number].requests.append(cycle)

    def run(self, until: int) -> None:
        """Advance to that cycle, without issuing in it."""
        while self.now < until:
            self._cycle(self.now)
            self.now += 1

    def _cycle(self, now: int) -> None:
        """Issue an operation if possible, and write a block of a result if ports are free."""
        one = self.contexts[now % CONTEXTS]
        operation = None if one.at is None else one.program[one.at]
        if operation and not self._can(one, operation, now):
            operation = None
        self.reserved.append(self.reserved[-1])
        renews = operation is not None and operation.diagonal and operation.quotient and operation.c == one.n
        if (operation is None or operation.diagonal) and not renews and self.waiting:
            self._write(now)
        if operation is not None:
            self._issue(one, operation, now)
        if one.at is None and one.requests and one.requests[0] < now:
            one.requests.popleft()
            one.at = 0
        self.most_waiting = max(self.most_waiting, len(self.waiting))

    def _write(self, now: int) -> None:
        there, number, block = self.waiting[0]
        if there > now or now == self.took + 1:
            return
        self.took = now
        self.waiting.popleft()
        self.reserved[-1] -= 1
        self.contexts[number].taken[block] = now
        self.contexts[number].finished = now + COMPLETE

    def _issue(self, one: _Context, operation: Operation, now: int) -> None:
        assert one.at is not None
        self.issued += 1
        if one.at == one.last[operation.c]:
            one.ended = now
            if operation.c >= one.n:
                self.reserved[-1] += 1
                self.waiting.append((now + MADE, now % CONTEXTS, (one.done, operation.c - one.n)))
        one.at += 1
        if one.at == len(one.program):
            one.at, one.done = None, one.done + 1

    def _can(self, one: _Context, operation: Operation, now: int) -> bool:
        """Whether a context's next operation has all its inputs, and a place in the queue for its block."""
        if operation.quotient:
            if operation.diagonal:
                return now >= one.ended + QUOTIENT
            # full_o is two cycles old, so that one place more is left free
            ends = one.at == one.last[operation.c] and operation.c >= one.n
            return not (ends and self.reserved[1] >= PLACES - 1)
        if operation.c >= one.n or one.done == 0:
            return True
        return now >= one.taken.get((one.done - 1, operation.c), now) + SEEN
