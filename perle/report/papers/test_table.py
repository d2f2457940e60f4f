# SPDX-License-Identifier: Apache-2.0
"""Rows, orders and reasons: computed from numbers, and different when these are."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from msgspec.structs import replace

from perle.papers import load
from perle.report.papers.table import (
    TOLERANCE,
    Compared,
    Figure,
    Measured,
    Page,
    alike,
    combined,
    contradicted,
    counts,
    exact,
    excess,
    missing,
    near,
    order,
    ordering,
    row,
)
from perle.results import Store
from perle.results.view import View
from tests import house
from tests.stores import made_up, view


def figures(**values: float | None) -> dict[str, Figure]:
    return {name: Figure(value, "here") for name, value in values.items()}


def test_orders() -> None:
    assert order({"a": 3, "b": 1, "c": 2}) == "b < c < a"
    assert order({"a": 100, "b": 104}) == "a ≈ b"
    assert order({"a": 100, "b": 106}) == "a < b"


def test_the_same_order_needs_no_reason() -> None:
    found = ordering("area", {"r4": 1.0, "r2": 2.0}, figures(r4=10, r2=13))
    assert (found.printed, found.measured, found.same, found.reason) == ("r4 < r2", "r4 < r2", True, "")


def test_a_turned_order_says_what_turned_it() -> None:
    printed = {"r4": 4.0, "r2": 6.0}
    area = ({"r4": 2.0, "r2": 2.0}, figures(r4=2.0, r2=1.9))
    delay = ({"r4": 2.0, "r2": 3.0}, figures(r4=2.0, r2=1.0))
    found = ordering("area · delay", printed, figures(r4=4.0, r2=1.9), {"area": area, "delay": delay})
    assert found.same is False
    assert found.reason.startswith("ours orders r2 < r4, the paper r4 < r2: ")
    assert "r4/r2 is 2.11 here, 0.67 printed" in found.reason
    assert "mostly by delay (2.00 here, 0.67 printed)" in found.reason


def test_a_factor_that_was_not_measured_explains_nothing() -> None:
    area = ({"r4": 2.0, "r2": 2.0}, figures(r4=2.0, r2=None))
    found = ordering("area · delay", {"r4": 4.0, "r2": 6.0}, figures(r4=4.0, r2=1.9), {"area": area})
    assert found.reason.endswith("r4/r2 is 2.11 here, 0.67 printed")


def test_a_tie_that_is_none_here_is_a_difference() -> None:
    printed = {"r4": 64.0, "r2": 66.0}
    assert ordering("ADP", printed, figures(r4=64, r2=66)).same
    found = ordering("ADP", printed, figures(r4=64, r2=96))
    assert found.same is False
    assert "ours orders r4 < r2, the paper r4 ≈ r2" in found.reason


def test_what_is_missing_decides_nothing() -> None:
    found = ordering("area", {"r4": 1.0, "r2": 2.0}, figures(r4=None, r2=3))
    assert (found.same, found.measured, found.reason) == (None, None, "no figure of r4: the rows tell why")
    printed = {"r4": 1.0, "r2": 2.0, "r8": 3.0}
    assert ordering("area", printed, figures(r4=None, r2=3, r8=2)).measured == "r8 < r2"
    assert alike("both", figures(a=1, b=None), figures(a=1, b=2)).same is None


def test_two_quantities_order_alike_or_not() -> None:
    assert alike("both", figures(a=1, b=2), figures(a=10, b=30)).same
    found = alike("both", figures(a=1, b=2), figures(a=30, b=10))
    assert found.same is False
    assert found.reason == "a < b and b < a: a/b is 0.50 and 3.00"


def test_combining() -> None:
    assert combined(lambda a, b: a * b, Figure(2, "x"), Figure(3, "y")) == Figure(6, "x + y")
    assert combined(lambda a, b: a * b, Figure(2, "x"), exact(3)) == Figure(6, "x")
    assert combined(lambda a: 2 * a, exact(3)).value == 6
    lacking = combined(lambda a, b: a * b, missing("first"), Figure(None, "y", ("first", "second")))
    assert (lacking.value, lacking.missing) == (None, ("first", "second"))


def test_rows_have_both_numbers_units_and_devices() -> None:
    claim = load("carter2012")["area_r4_p8"]
    found = row(claim, Figure(2e5, "IHP"), scale=1e-6, printed_on="130 nm", note="why")
    assert (found.label, found.printed, found.unit) == (claim.what, 0.141, "mm2")
    assert found.measured == pytest.approx(0.2)
    assert (found.printed_on, found.measured_on) == ("130 nm", "IHP")
    assert found.note == "why"
    assert isinstance(found, Compared)
    nothing = row(claim, missing("not measured: perle measure x"), note="why")
    assert nothing.measured is None
    assert nothing.note == "not measured: perle measure x; why"


def test_measured_figures_and_why_there_are_none(tmp_path: Path) -> None:
    core = "orup:w256"
    seen = view(
        tmp_path / "a", {(core, "ecp5_8"): {"fmax_mhz": 125.0}, (core, "ihp130"): {"period_ns_typ": 3.0}}
    )
    measured = Measured(seen)
    assert measured(core, "ecp5_8", "fmax_mhz") == Figure(125.0, "the device ecp5_8")
    assert measured.period(core, "ecp5_8").value == 8
    assert measured.period(core, "ihp130").value == 3
    assert measured(core, "ecp5_8", "lut").missing == ("ecp5_8 does not measure lut",)
    absent = measured.period(core, "ecp5_6")
    assert absent.missing == ("not measured: perle measure orup:w256 --target ecp5_6",)
    elsewhere = measured.period("orup:w512", "ecp5_8")
    assert (elsewhere.value, elsewhere.device) == (None, "the device ecp5_8")  # as another point has it
    store = Store(tmp_path / "b")
    store.put(made_up(core, "ecp5_8", {}, error="nextpnr: no"))
    assert "nextpnr: no" in Measured(View(store)).period(core, "ecp5_8").missing[0]
    cell = "u_core.u_exit.u_sum.sum_q_TRELLIS_FF_Q_19664"
    store.put(made_up(core, "ecp5_8", {}, error=f"Unable to place cell '{cell}', no 'TRELLIS_FF' left"))
    said = Measured(View(store)).period(core, "ecp5_8").missing[0]
    assert said.endswith("failed: Unable to place cell '…', no 'TRELLIS_FF' left")


@pytest.mark.parametrize("stale", [{}, {"perle_orup_mul.sv": "another"}])
def test_other_hardware_is_not_measured(tmp_path: Path, stale: dict[str, str]) -> None:
    store = Store(tmp_path)
    store.put(replace(made_up("orup:w256", "ecp5_8", {"lut": 1.0}), files=stale))
    assert Measured(View(store))("orup:w256", "ecp5_8", "lut").value is None


def test_what_a_paper_concludes_holds_within_a_fifth_of_its_ratios() -> None:
    printed = {"a": 100.0, "b": 101.0}  # the paper's tie
    near, far = (
        ordering("cost", printed, figures(a=100, b=119)),
        ordering("cost", printed, figures(a=100, b=123)),
    )
    assert (near.same, near.measured, far.same) == (True, "a < b", False)
    assert near.reason.endswith("within 20% of what is printed")
    page = Page("paper.table", "", (), (near, far))
    assert contradicted([page]) == [f"paper.table, cost: {far.reason}"]


def test_near_is_a_fifth_of_the_printed_number_to_either_side() -> None:
    assert [near(100, ours) for ours in (79, 80, 83, 120, 121)] == [False, True, True, True, False]
    page = " ".join((house.ROOT / "docs/metrics.md").read_text(encoding="utf-8").split())
    assert f"|measured / printed − 1| ≤ {TOLERANCE}" in page


def test_a_ratio_is_that_of_the_larger_number_whichever_comes_first() -> None:
    """Equal here, 1.3 times in print: 0.81 of what is printed, and 1.24 times if it were the other way up."""
    for printed in ({"a": 130.0, "b": 100.0}, {"b": 100.0, "a": 130.0}):
        assert ordering("cost", printed, figures(a=104.9, b=100)).same
        assert ordering("cost", printed, figures(a=103.9, b=100)).same is False


def test_a_reversed_order_is_not_the_same_however_near() -> None:
    """1.06 printed and 0.94 here differ by less than a fifth, and say the opposite."""
    printed = {"a": 106.0, "b": 100.0}
    turned = ordering("cost", printed, figures(a=94, b=100))
    assert (turned.printed, turned.measured, turned.same) == ("b < a", "a < b", False)
    assert "within" not in turned.reason
    assert contradicted([Page("paper.table", "", (), (turned,))])
    assert ordering("cost", printed, figures(a=98, b=100)).same  # equal here, not in print
    assert ordering("cost", {"a": 98.0, "b": 100.0}, figures(a=106, b=100)).same  # and the other way round


@pytest.mark.parametrize(
    ("ours", "same"),
    [(36.0, True), (9.0, True), (8.0, False), (63.0, True), (64.0, False), (-10.0, False)],
)
def test_a_printed_excess_is_compared_as_a_ratio(ours: float, same: bool) -> None:
    claim = load("carter2012")["edp_r4b_over_r4"]
    found = excess(claim, Figure(ours))
    assert (found.printed, found.measured, found.same) == ("+36 %", f"{ours:+.1f} %", same)
    assert f"{1 + ours / 100:.2f} here, 1.36 printed" in found.reason
    assert found.reason.endswith("of what is printed") is same


def test_counts_are_equal_or_they_differ() -> None:
    printed = {"R2": 594.0, "R4": 1306.0}
    same = counts("cycles", printed, dict(printed))
    assert (same.printed, same.measured, same.same, same.reason) == ("594, 1,306", "594, 1,306", True, "")
    other = counts("cycles", printed, printed | {"R4": 1307.0})
    assert (other.measured, other.same) == ("594, 1,307", False)
    assert other.reason == "other than printed for: R4"


def test_an_excess_on_the_other_side_of_a_tie_is_none() -> None:
    claim = dataclasses.replace(load("carter2012")["edp_r4b_over_r4"], value=6)
    assert excess(claim, Figure(-4.0)).same
    assert excess(claim, Figure(-6.0)).same is False
    unknown = excess(claim, missing("not measured"))
    assert (unknown.measured, unknown.same) == (None, None)


def test_a_cause_counts_where_its_quantity_is_ordered_as_printed() -> None:
    printed, ours = {"a": 1.0, "b": 2.0}, figures(a=3, b=1)
    shown = ordering("cost", printed, ours, cause=("by parts", figures(a=4, b=5)))
    assert (shown.same, shown.cause) == (False, "by parts: a < b")
    for count in (figures(a=5, b=4), {"a": missing("no run"), "b": exact(1)}):
        assert ordering("cost", printed, ours, cause=("by parts", count)).cause == ""
    assert ordering("cost", printed, figures(a=1, b=2), cause=("by parts", figures(a=4, b=5))).cause == ""
    assert contradicted([Page("paper.table", "", (), (shown,))]) == []
    assert contradicted([Page("paper.table", "", (), (ordering("cost", printed, ours),))])


def test_a_cause_counts_for_all_pairs_or_for_none() -> None:
    """a is above b and c here, below both in print: a count that puts a below b alone explains nothing."""
    printed, ours = {"a": 1.0, "b": 2.0, "c": 3.0}, figures(a=9, b=1, c=2)
    assert ordering("cost", printed, ours, cause=("by parts", figures(a=4, b=5, c=6))).cause
    assert ordering("cost", printed, ours, cause=("by parts", figures(a=4, b=5, c=3))).cause == ""


def test_a_conclusion_that_cannot_be_drawn_is_none_of_the_papers() -> None:
    unknown = ordering("cost", {"a": 1.0, "b": 2.0}, figures(a=None, b=2))
    page = Page("paper.table", "", (), (unknown, excess(load("carter2012")["edp_r4b_over_r4"], missing("x"))))
    assert len(contradicted([page])) == 2
    assert contradicted([page])[0] == "paper.table, cost: no figure of a: the rows tell why"
