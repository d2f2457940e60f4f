# SPDX-License-Identifier: Apache-2.0
"""The array of Fig. 7 computes the product, and the row is its projection, cell by cell."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from perle.cores.bit_systolic import model
from perle.cores.bit_systolic.array import Operands, array, cell_of, result, row, works_in
from perle.cores.registry import family


def params(n: int) -> model.Params:
    return family("bit_systolic").complete({"Width": n - 1})


@pytest.mark.parametrize("n", [3, 4, 5])
def test_every_product_of_every_odd_modulus(n: int) -> None:
    par = params(n)
    for m in range(3, 1 << (n - 1), 2):
        for x in range(2 * m):
            for y in range(2 * m):
                assert result(n, array(n, Operands.of(n, m, x, y))) == model.mont(par, m, x, y)


@pytest.mark.parametrize("n", [3, 4, 8, 17])
def test_the_row_is_the_array_projected(n: int) -> None:
    """In every cycle the columns have the outputs of the cells that they execute."""
    rng = Random(n)
    for _ in range(50):
        m = rng.randrange(3, 1 << (n - 1), 2)
        operands = Operands.of(n, m, rng.randrange(2 * m), rng.randrange(2 * m))
        assert list(row(n, operands)) == list(array(n, operands))


@pytest.mark.parametrize("n", [3, 4, 8])
def test_every_cell_works_once_and_no_two_of_a_column_at_once(n: int) -> None:
    cycles = list(array(n, Operands.of(n, 3, 5, 4)))
    cells = [cell for now in cycles for cell in now]
    assert sorted(cells) == [(i, j) for i in range(n + 1) for j in range(n + 1)]
    for cycle, now in enumerate(cycles):
        assert len({j for _, j in now}) == len(now)
        assert all(works_in(cell) == cycle and cell_of(cell[1], cycle, n) == cell for cell in now)
    # a column that works is idle in the next cycle, for a second product
    assert all(not {j for _, j in one} & {j for _, j in two} for one, two in pairwise(cycles))


def test_the_cycles_are_those_of_the_hardware() -> None:
    """Cycles from operands at the columns: one to add M + B, then the array's; bit n is a cycle later."""
    n = 9
    cycles = list(array(n, Operands.of(n, 201, 77, 130)))
    first = next(cycle for cycle, now in enumerate(cycles) if (n, 1) in now)
    assert 1 + first + 1 == model.first_bit_cycles(params(n))
    assert 1 + len(cycles) + 1 == model.last_bit_cycles(params(n))
    paper = family("bit_systolic").complete({"Width": n - 1, "Paper": 1})
    assert 1 + 1 + len(cycles) == model.mul_cycles(paper)


def test_a_broken_cell_is_seen() -> None:
    n, m = 4, 7
    operands = Operands.of(n, m, 9, 6)
    cycles = list(array(n, operands))
    wrong = [
        {cell: replace(one, s=1 - one.s) if cell == (n, 2) else one for cell, one in now.items()}
        for now in cycles
    ]
    assert result(n, iter(wrong)) != result(n, iter(cycles))
