# SPDX-License-Identifier: Apache-2.0
"""The order of issue: every block product once, none before its operands are ready, no port used twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.cores.tile import model, schedule
from perle.cores.tile.schedule import CONTEXTS, Operation, Tile


@pytest.mark.parametrize("n", [3, 4, 11, 20])
def test_a_product_is_all_its_operations_once(n: int) -> None:
    program = schedule.order(n)
    assert len(program) == len(set(program)) == n * n + n + 3
    products = [one for one in program if not one.nothing]
    # M̂ has no block N − 1, but q_{N−1} is still multiplied by 0, as that operation writes it
    assert len(products) == model.operations({"Width": 54 * n - 56, "RadixBits": 18}) + 1
    pairs = [one for one in products if not one.diagonal]
    assert all(one.c == one.i + one.j + one.quotient for one in pairs)
    assert len(products) - len(pairs) == 2 * n
    assert all(one.c == one.i + one.quotient for one in products if one.diagonal)
    assert [one.c for one in program] == sorted(one.c for one in program)


@pytest.mark.parametrize("n", [3, 4, 11])
def test_a_column_ends_with_what_can_be_subtracted(n: int) -> None:
    """A column ends with a pair or without a product: after a diagonal there is no time to add the window."""
    for c in range(2 * n):
        issued = list(schedule.column(n, c))
        assert not issued[-1].diagonal
        assert all(not one.nothing for one in issued[:-1])


@pytest.mark.parametrize("n", [3, 11])
def test_the_newest_quotient_block_is_read_last_in_its_column(n: int) -> None:
    for c in range(2 * n):
        newest = [one.quotient and one.j == c - 1 for one in schedule.column(n, c) if not one.nothing]
        assert newest == sorted(newest)
        # the block is written in the cycle of its diagonal and can be read from memory after that
        last = [one for one in schedule.column(n, c) if one.quotient and one.j == c - 1 and not one.nothing]
        assert all(one.diagonal == (at == 0) for at, one in enumerate(last) if c <= n)


class Watched(Tile):
    """A tile that records operations and writes, and checks their cycles."""

    def __init__(self, n: int) -> None:
        super().__init__([n] * CONTEXTS)
        self.ends: dict[tuple[int, int, int], int] = {}
        self.before = 0

    def run(self, until: int) -> None:
        """Advance cycle by cycle."""
        while self.now < until:
            written = sum(len(one.taken) for one in self.contexts)
            one = self.contexts[self.now % CONTEXTS]
            at, issued = one.at, self.issued
            super().run(self.now + 1)
            operation = one.program[at] if at is not None and self.issued > issued else None
            if sum(len(each.taken) for each in self.contexts) > written:
                assert operation is None or operation.diagonal, "a pair uses all ports"
            if operation is not None:
                self._check(operation, at, one.done - (one.at is None or one.at == 0))
            assert self.reserved[-1] <= schedule.PLACES

    def _check(self, operation: Operation, at: int | None, product: int) -> None:
        now, number = self.now - 1, (self.now - 1) % CONTEXTS
        taken, last = self.contexts[number].taken, self.contexts[number].last
        if operation.quotient and not operation.nothing:
            assert now >= self.ends[number, product, operation.j] + schedule.QUOTIENT
        elif not operation.nothing and product > 0:
            assert now > taken[product - 1, operation.j]
        if at == last[operation.c]:
            self.ends[number, product, operation.c] = now


@pytest.mark.parametrize("n", [3, 5])
def test_nothing_is_read_before_it_is_there(n: int) -> None:
    tile = Watched(n)
    for number in range(CONTEXTS):
        for _ in range(9):
            tile.request(number, 5 * number)
    tile.run(4000)
    assert [one.done for one in tile.contexts] == [9] * CONTEXTS


@pytest.mark.parametrize("n", [11, 20, 39])
def test_two_turns_of_a_product_are_left_empty(n: int) -> None:
    """Those at the first quotient blocks; results are written during diagonals of other contexts."""
    found = schedule.rate(n, products=2)
    assert found.cycles == pytest.approx(n * n + n + 5, abs=0.1)
    assert found.waiting < schedule.PLACES


def test_contexts_that_start_together_wait_for_ports() -> None:
    """Their results come together, when no context has diagonals: the queue fills but does not overflow."""
    tile = Watched(20)
    for number in range(CONTEXTS):
        tile.request(number, 0)
    tile.run(2000)
    assert [one.done for one in tile.contexts] == [1] * CONTEXTS
    assert tile.most_waiting > 8


def _rows(heading: str) -> list[list[str]]:
    """Return the rows of the README's table whose heading begins with `heading`."""
    page = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    _, _, rest = page.partition(f"| {heading}")
    body = rest.split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in body]


def test_the_readme_counts_what_the_model_does() -> None:
    rows = _rows("bits of the modulus")
    assert len(rows) == 4
    for row in rows:
        params = {"Width": int(row[0]), "RadixBits": 18}
        n = model.blocks(params)
        counts = n, model.operations(params), model.multiplier_cycles(params), 2 * (model.DIGITS * n) ** 2
        assert row[1:] == [f"{count:,}" for count in counts]


def test_the_readme_has_the_rates_of_the_schedule() -> None:
    rows = _rows("bits | operations")
    assert len(rows) == 4
    for row in rows:
        n = model.blocks({"Width": int(row[0]), "RadixBits": 18})
        found = schedule.rate(n, products=2)
        alone = schedule.finish(n, [(0, 0)])[0]
        cells = f"{len(schedule.order(n)):,}", f"{found.cycles:,.1f}", f"{found.used:.1%}", f"{alone:,}"
        assert row[1:] == list(cells)
