# SPDX-License-Identifier: Apache-2.0
"""The array of nedjah2002 Fig. 7, cell by cell and cycle by cycle, and the one row that it is projected to.

n is the operands' width. Cell (i, j), row i and column j of 0 … n, works in cycle t = 2i + j. It passes its
sum to cell (i + 1, j − 1), and its carry, a_i and q_i to cell (i, j + 1). All are used a cycle later, so that
there is one register on every connection. Column 0 computes q_i; its sum is zero.

Projection: cells of one column never work in the same cycle, and one of them works in every second cycle. So
one row of n + 1 columns can execute all rows: in cycle t column j is cell ((t − j)/2, j) if t − j is even.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from perle.cores.bit_systolic.model import add, bits, made_beforehand

Cell = tuple[int, int]
"""Row and column of a cell of the array."""


@dataclass(frozen=True)
class Wires:
    """Outputs of a cell: its sum to the next row; carry, a and q to the next column."""

    s: int = 0
    carry: int = 0
    a: int = 0
    q: int = 0


@dataclass(frozen=True)
class Operands:
    """The bits of A, B, M and M + B, n + 1 of each."""

    a: list[int]
    b: list[int]
    m: list[int]
    mb: list[int]

    @classmethod
    def of(cls, n: int, m: int, x: int, y: int) -> Operands:
        """Return the bits of operands of n bits."""
        b, modulus = bits(y, n + 1), bits(m, n + 1)
        return cls(bits(x, n + 1), b, modulus, made_beforehand(n, b, modulus))


def works_in(cell: Cell) -> int:
    """Return the cycle in which a cell works."""
    i, j = cell
    return 2 * i + j


def cell_of(column: int, cycle: int, n: int) -> Cell | None:
    """Return the cell that a column of the row executes in a cycle; None if it is idle."""
    i, odd = divmod(cycle - column, 2)
    return (i, column) if not odd and 0 <= i <= n else None


def work(j: int, n: int, s: int, left: Wires, operands: Operands) -> Wires:
    """Return the outputs of column j for its bit of S and the outputs of column j − 1 (column 0: for a)."""
    if j == 0:
        q = s ^ (left.a & operands.b[0])
        return Wires(0, s, left.a, q)
    chosen = (operands.mb if left.q else operands.b) if left.a else (operands.m if left.q else [0] * (n + 1))
    total, carry = add(s, chosen[j], left.carry)
    return Wires(total, carry, left.a, left.q)


def array(n: int, operands: Operands) -> Iterator[dict[Cell, Wires]]:
    """Yield the cells of the whole array that work in each cycle, with their outputs."""
    before: dict[Cell, Wires] = {}
    made: dict[Cell, Wires] = {}
    for cycle in range(3 * n + 1):
        now = {}
        for i in range(n + 1):
            for j in range(n + 1):
                if works_in((i, j)) != cycle:
                    continue
                # the last column's own carry is its bit of S, two cycles later
                s = made[i - 1, n].carry if i and j == n else before[i - 1, j + 1].s if i else 0
                left = before[i, j - 1] if j else Wires(a=operands.a[i])
                now[i, j] = work(j, n, s, left, operands)
        made |= now
        yield now
        before = now


def row(n: int, operands: Operands) -> Iterator[dict[Cell, Wires]]:
    """Yield the same for the projected row, which has one set of registers per column."""
    column = [Wires()] * (n + 1)
    top = 0
    for cycle in range(3 * n + 1):
        now, after = {}, list(column)
        for j in range(n + 1):
            cell = cell_of(j, cycle, n)
            if cell is None:
                continue
            s = top if j == n else column[j + 1].s
            left = column[j - 1] if j else Wires(a=operands.a[cell[0]])
            now[cell] = after[j] = work(j, n, s, left, operands)
        yield now
        column = after
        if (last := cell_of(n, cycle, n)) is not None:
            top = now[last].carry


def result(n: int, cycles: Iterator[dict[Cell, Wires]]) -> int:
    """Return the product: the sums of the last row, bit j from column j + 1."""
    made = {cell: wires for now in cycles for cell, wires in now.items()}
    return sum(made[n, j + 1].s << j for j in range(n))
