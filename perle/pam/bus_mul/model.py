# SPDX-License-Identifier: Apache-2.0
"""Bit-exact model of the bus multiplier (shand1990), instruction by instruction; its cycles; its drivers.

Names: k = WordBits, N = k·Words. Figure 1 of the paper, with P of N + 1 bits:

    WriteA(x)  B_pre ← x; Select ← A            WriteB(x)  B_pre ← x; Select ← B
    WriteS(x)  P_final ← P_out; B ← B_pre; then P_out : P ← P + S·2^N and B enters A at its top   (Select = A)
                                        or P_out : P ← P + A·B + S·2^N                      (Select = B)
    ReadP      returns P_final

The row that starts at any word of A is itself such a row, since no bit depends on lower ones. So the model
keeps one P for each length that A may have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

Params = dict[str, int]
Access = tuple[bool, int, int]  # write, address, data (0 for reads)

WRITE_A, WRITE_B, WRITE_S, READ_P = range(4)
LENGTH_STEP = 2  # words: 64 bits


def length(params: Params, count: int) -> int:
    """Words of A after `count` WriteAs since the last WriteB."""
    if not params["Variable"]:
        return params["Words"]
    return min(params["Words"], -(-count // LENGTH_STEP) * LENGTH_STEP)


def lengths(params: Params) -> list[int]:
    """Every length of A, in words, that a configuration supports."""
    return sorted({length(params, count) for count in range(1, params["Words"] + 1)})


def step_cycles(params: Params) -> int:
    """Clock cycles per step: from the edge that accepts a WriteS to the first that can accept the next."""
    return params["WordBits"]


def latency_steps(words: int) -> int:
    """Return the number of steps from the WriteS of S_0 to the one after which ReadP returns P_0."""
    return words + 1


class Board:
    """The board as its host sees it: data and clock cycles of every access."""

    def __init__(self, params: Params) -> None:
        self.params = params
        self.bits, self.words = params["WordBits"], params["Words"]
        self.mask = (1 << self.bits) - 1
        self.cycles = 0
        self.reset()

    def reset(self) -> None:
        """Clear every register."""
        self.b_pre = self.a = self.p_out = self.p_final = 0
        self.select_a = False
        self.count = self.tap = self.words  # both in words; the output is that of P of length `tap`
        self.p = dict.fromkeys(lengths(self.params), 0)
        self.free = self.cycles - 1  # last cycle of the current step, the first that can accept a WriteS

    def advance(self, cycles: int) -> None:
        """Let clock cycles pass."""
        self.cycles += cycles

    @property
    def busy(self) -> bool:
        """Whether a step is in progress."""
        return self.cycles <= self.free

    def wait(self, write: bool, addr: int) -> int:
        """Cycles by which an access that begins now would be stretched: only WriteS is ever stretched."""
        return max(0, self.free - self.cycles) if write and addr == WRITE_S else 0

    def access(self, write: bool, addr: int, data: int = 0) -> int:
        """One access: returns what a read returns, 0 for a write."""
        self.cycles += self.wait(write, addr) + 1
        if not write:
            return self.p_final if addr == READ_P else 0
        data &= self.mask
        if addr == WRITE_A:
            self.count = min(self.count + 1, self.words) if self.select_a else 1
            self.b_pre, self.select_a = data, True
        elif addr == WRITE_B:
            self.b_pre, self.select_a = data, False
        elif addr == WRITE_S:
            self._step(data)
        return 0

    def _step(self, s: int) -> None:
        self.free = self.cycles - 1 + step_cycles(self.params)
        self.p_final = self.p_out
        if not self.select_a:
            self.tap = length(self.params, self.count)
        for words, p in self.p.items():
            total = p + (s << self.bits * words)
            if not self.select_a:
                total += (self.a >> self.bits * (self.words - words)) * self.b_pre
            if words == self.tap:
                self.p_out = total & self.mask
            self.p[words] = total >> self.bits
        if self.select_a:
            self.a = (self.a | self.b_pre << self.bits * self.words) >> self.bits


class Carry(Enum):
    """How a sequence handles C_out."""

    ABSENT = "absent"  # the caller knows that S + A·B does not overflow
    APART = "apart"  # a step with S = 0 separates it from the next product
    READ = "read"  # the same, and its word is read


@dataclass(frozen=True)
class Product:
    """S + A·B, B of n words, A of `words` (0: Words), S of n + words."""

    a: int
    b: int
    s: int
    n: int
    words: int = 0
    skip: int = 0  # low words of the product that are not read
    same_a: bool = False  # A is that of the previous product and is not loaded again

    def length(self, params: Params) -> int:
        """Words of A; ValueError for operands that do not fit."""
        words, bits = self.words or params["Words"], params["WordBits"]
        if words not in lengths(params) or self.n < 1 or not 0 <= self.skip <= self.n:
            raise ValueError(f"no sequence for {words} × {self.n} words, {self.skip} of them not read")
        for value, size in ((self.a, words), (self.b, self.n), (self.s, self.n + words)):
            if value < 0 or value >> bits * size:
                raise ValueError(f"an operand has more than {size} words")
        return words


@dataclass(frozen=True)
class _Row:
    """A row of Figure 2: possibly a WriteA or WriteB, a WriteS; and whether the output word is read."""

    buffer: tuple[int, int] | None
    s: int
    read: bool


def _split(value: int, bits: int, count: int) -> list[int]:
    return [value >> bits * i & ((1 << bits) - 1) for i in range(count)]


def _rows(params: Params, products: Sequence[Product], carry: Carry) -> Iterator[_Row]:
    bits, before = params["WordBits"], 0
    owed: list[bool] = []  # words of the previous product that are still in the row: whether to read each
    for product in products:
        words = product.length(params)
        if product.same_a and words != before:
            raise ValueError("there is no such A in the row")
        # All pending words must be shifted out before the tap moves with the first digit of B; and the word
        # of S to which C_out is added must be zero.
        extra = max(len(owed) - words, int(carry is not Carry.ABSENT)) if before else 0
        s = [0] * extra + _split(product.s, bits, product.n + words)
        a = _split(product.a, bits, words)
        buffers: list[tuple[int, int] | None] = [(WRITE_A, a[0]), *[None] * extra]
        buffers += [(WRITE_A, word) for word in a[1:]]
        if product.same_a:
            buffers = [(WRITE_B, 0), *[None] * (extra + words - 1)]
        owed += [False] * (len(buffers) - len(owed))
        yield from map(_Row, buffers, s, owed)
        for i, digit in enumerate(_split(product.b, bits, product.n)):
            yield _Row((WRITE_B, digit), s[len(buffers) + i], read=i >= product.skip)
        owed = [True] * (words + int(carry is Carry.READ))
        before = words
    flush: list[tuple[int, int] | None] = [(WRITE_B, 0), *[None] * len(owed)]
    yield from map(_Row, flush, [0] * len(flush), [*owed, False])


def pipelined(params: Params, products: Sequence[Product], carry: Carry = Carry.ABSENT) -> list[Access]:
    """Back-to-back products as in Figure 2, and a flush at the end; the reads return all words in order.

    The row of adders is empty before and after.
    """
    found: list[Access] = []
    read = False
    for row in _rows(params, products, carry):
        if row.buffer is not None:
            found.append((True, *row.buffer))
        found.append((True, WRITE_S, row.s))
        if read:
            found.append((False, READ_P, 0))
        read = row.read
    return found


def multiply_accumulate(params: Params, product: Product, carry: Carry = Carry.ABSENT) -> list[Access]:
    """One product by itself: load, multiply, WriteB 0 and as many more steps as its latency."""
    return pipelined(params, [product], carry)


def results(
    params: Params, products: Sequence[Product], reads: Iterable[int], carry: Carry = Carry.ABSENT
) -> list[int]:
    """Return the products, assembled from what was read: skipped words are zero, C_out is the top word."""
    words, found = iter(reads), []
    for product in products:
        size = product.n + product.length(params) + int(carry is Carry.READ)
        found.append(sum(next(words) << params["WordBits"] * i for i in range(product.skip, size)))
    if next(words, None) is not None:
        raise ValueError("more words than the products have")
    return found


def accesses(params: Params, n: int, carry: Carry, words: int = 0, *, same_a: bool = False) -> int:
    """Return the number of accesses that one more product, B of n words, costs in a pipelined sequence."""
    one = Product(0, 0, 0, n, words)
    more = Product(0, 0, 0, n, words, same_a=same_a)
    return len(pipelined(params, [one, one, more], carry)) - len(pipelined(params, [one, one], carry))


class Accessible(Protocol):
    """Anything that accepts accesses: this model, or the hardware behind an adapter."""

    def access(self, write: bool, addr: int, data: int = 0) -> int:
        """One access: returns what a read returns, 0 for a write."""


def play(board: Accessible, sequence: Iterable[Access]) -> list[int]:
    """Make the accesses one after the other; return what the reads return."""
    read = [(write, board.access(write, addr, data)) for write, addr, data in sequence]
    return [data for write, data in read if not write]
