# SPDX-License-Identifier: Apache-2.0
"""Recorded measurements match the papers: a metric in every comparable row, every conclusion as printed.

A family whose measurements contradict a conclusion of its paper does not have the level `matched`; the test
names the conclusion. Ratios that explain a difference do not change this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import pytest

from perle.report.papers import (
    carter2012,
    carter_figures,
    chow2010,
    chow_claim,
    chow_figure5,
    nedjah2002,
    tang2003,
)
from perle.report.papers.table import Measured, Page, contradicted
from perle.results.view import View
from tests.stores import Given, view

Table = Callable[[Measured], Page]

CARTER: tuple[Table, ...] = (
    *(carter2012.table1, carter2012.table2, carter2012.table3),
    *(partial(carter_figures.figure, number=number) for number in carter_figures.FIGURES),
)
TABLES: dict[str, tuple[Table, ...]] = {
    "orup": (tang2003.table_cycles, tang2003.table_resources, tang2003.table_comparison),
    "scalable": CARTER,
    "karatsuba": (chow2010.table1, chow2010.table2, chow_claim.page, chow_figure5.page),
    "iterative": (nedjah2002.table11,),
    "bit_systolic": (nedjah2002.table11,),
}
NOT_MEASURED = "not measured: perle measure", " does not measure "
FAILED = " failed: "


def lacking(pages: Iterable[Page]) -> list[str]:
    """Return the notes of rows whose measurement is missing, or lacks the metric."""
    notes = [one.note for page in pages for one in page.rows]
    return [note for note in notes if any(words in note for words in NOT_MEASURED)]


def _family(name: str, tables: tuple[Table, ...]) -> object:
    return pytest.param(tables, id=name, marks=pytest.mark.proves("matched", family=name))


@pytest.mark.parametrize("tables", [_family(name, tables) for name, tables in TABLES.items()])
def test_the_paper_is_matched(tables: tuple[Table, ...]) -> None:
    measured = Measured(View())
    pages = [table(measured) for table in tables]
    if notes := lacking(pages):
        pytest.skip(f"{len(notes)} rows have no measurement of today's sources, the first: {notes[0]}")
    # a run that its tool could not do is no match, and no difference that is explained
    failed = [one.note for page in pages for one in page.rows if FAILED in one.note]
    if failed:
        pytest.skip(f"{len(failed)} rows have a run that failed, the first: {failed[0]}")
    for page in pages:
        assert any(one.measured is not None for one in page.rows), page.name
    assert any(one.same is not None for page in pages for one in page.conclusions), "nothing is compared"
    if against := contradicted(pages):
        pytest.xfail(f"{len(against)} conclusions are not the paper's, the first: {against[0]}")


def test_a_row_without_its_metric_is_not_measured(tmp_path: Path) -> None:
    given: Given = {("orup:w512", f"ecp5_8/{part}"): {"fmax_mhz": 100.0} for part in ("exp", "exp_pair")}
    given[("orup:w1024", "ecp5_8/exp")] = {"fmax_mhz": 100.0}
    given[("orup:w1024", "xc2v/exp")] = {"dsp": 62.0}
    [note] = lacking([tang2003.table_resources(Measured(view(tmp_path, given)))])
    assert note.startswith("xc2v does not measure slices_min")
    given[("orup:w1024", "xc2v/exp")] = {"dsp": 62.0, "slices_min": 9000.0}
    assert lacking([tang2003.table_resources(Measured(view(tmp_path, given)))]) == []
