# SPDX-License-Identifier: Apache-2.0
"""The order of issue: every block product once, none before what it reads, ports never over-used."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.cores.tile import model, schedule
from perle.cores.tile.schedule import Operation, Tile


@pytest.mark.parametrize("n", [3, 4, 11, 20])
def test_a_product_is_all_its_operations_once(n: int) -> None:
    program = schedule.order(n)
    assert len(program) == len(set(program)) == model.operations({"Width": 54 * n - 56, "RadixBits": 18})
    pairs = [one for one in program if not one.diagonal]
    assert all(one.c == one.i + one.j + one.quotient for one in pairs)
    assert len(program) - len(pairs) == 2 * n - 1
    assert all(one.c == one.i + one.quotient for one in program if one.diagonal)
    assert [one.c for one in program] == sorted(one.c for one in program)


@pytest.mark.parametrize("n", [3, 11])
def test_the_newest_quotient_block_is_read_last_in_its_column(n: int) -> None:
    for c in range(2 * n):
        newest = [one.quotient and one.j == c - 1 for one in schedule.column(n, c)]
        assert newest == sorted(newest)
        # written in the cycle of its diagonal, read from the memory after that
        last = [one for one, new in zip(schedule.column(n, c), newest, strict=True) if new]
        assert all(one.diagonal == (at == 0) for at, one in enumerate(last) if c < n)


class Watched(Tile):
    """A tile that notes what is issued, and checks when."""

    def __init__(self, n: int, contexts: int, latency: int) -> None:
        super().__init__(n, contexts, latency)
        self.made: dict[tuple[int, int, int], int] = {}
        self.slots: dict[int, int] = {}
        self.now = 0

    def cycle(self, now: int) -> None:
        """Check that a block is written where ports are free."""
        self.now, before, queued = now, self.issued, len(self.waiting)
        at = [one.at for one in self.contexts]
        super().cycle(now)
        if self.issued == before:
            return
        issued = next(k for k, one in enumerate(self.contexts) if one.at != at[k])
        operation = self.program[at[issued]]
        if len(self.waiting) < queued:
            assert operation.diagonal, "a pair uses all ports"
        self._check(issued, operation)

    def _check(self, number: int, operation: Operation) -> None:
        done = self.contexts[number].done - (self.contexts[number].at == 0)
        if operation.quotient:
            assert self.now >= self.made[number, done, operation.j], "a quotient block is not there yet"
        last = [one for one in self.program if one.c == operation.c][-1]
        if operation == last and operation.c < self.n:
            self.made[number, done, operation.c] = self.now + self.latency


@pytest.mark.parametrize("contexts", [1, 2, 4])
def test_nothing_is_read_before_it_is_there(contexts: int) -> None:
    n, latency = 5, 24
    tile = Watched(n, contexts, latency)
    for now in range(4000):
        tile.cycle(now)
    assert min(one.done for one in tile.contexts) > 5


def test_one_context_waits_for_every_quotient_and_four_hide_it() -> None:
    """A context alone waits L cycles at nearly every one of N quotient blocks."""
    n = 11
    alone, four = schedule.rate(n, 1), schedule.rate(n, 4)
    assert alone.cycles > model.operations({"Width": 512, "RadixBits": 18}) + (n - 3) * schedule.LATENCY / 2
    assert four.used > 0.95
    assert four.cycles < 137
    assert schedule.rate(n, 4, latency=4).cycles <= four.cycles


def _rows(heading: str) -> list[list[str]]:
    """Return the rows of the README's table whose heading begins so."""
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
    assert len(rows) == 3
    for row in rows:
        n = model.blocks({"Width": int(row[0]), "RadixBits": 18})
        runs = ((2, 24), (3, 24), (4, 24), (4, 18))
        assert row[2:] == [f"{schedule.rate(n, *run, products=2).cycles:.1f}" for run in runs]
