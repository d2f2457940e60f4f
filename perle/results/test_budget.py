# SPDX-License-Identifier: Apache-2.0
"""Budgets: read, held against measurements, made of measurements; a moved digit is noticed."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from perle.results import Store, budget
from perle.results.budget import Budget, BudgetError
from perle.results.view import Point, View
from tests.stores import made_up, view

POINT = Point("orup:w256", "ecp5_8")
METRICS = {"lut": 1000.0, "ff": 500.0, "dsp": 17.0, "fmax_mhz": 100.0, "harness_lut": 77.0}


def written(folder: Path, text: str) -> Path:
    path = folder / "orup" / budget.FILE
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_proposed_budget_survives_its_file_and_holds(tmp_path: Path) -> None:
    seen = view(tmp_path, {("orup:w256", "ecp5_8"): METRICS})
    proposed = budget.proposed(POINT, seen)
    assert proposed is not None
    assert proposed.limits == {"lut": 1000, "ff": 500, "dsp": 17, "fmax_mhz": 95}
    [again] = budget.load("orup", written(tmp_path, budget.text([proposed])))
    assert again == proposed
    assert budget.every([tmp_path]) == [proposed]
    assert again.faults(METRICS) == []
    [verdict] = budget.stored([again], seen)
    assert verdict.measured
    assert not verdict.faults


@pytest.mark.parametrize(
    ("metric", "value", "said"),
    [
        ("lut", 1051.0, "± 5%"),
        ("lut", 949.0, "± 5%"),
        ("dsp", 18.0, "exactly 17"),
        ("dsp", 16.0, "exactly 17"),
        ("fmax_mhz", 94.9, "95 at least"),
    ],
)
def test_what_is_out_of_budget(tmp_path: Path, metric: str, value: float, said: str) -> None:
    one = budget.proposed(POINT, view(tmp_path / "a", {("orup:w256", "ecp5_8"): METRICS}))
    assert one is not None
    [fault] = one.faults(METRICS | {metric: value})
    assert fault.startswith(f"{metric} is {value:,g}")
    assert said in fault
    seen = view(tmp_path / "b", {("orup:w256", "ecp5_8"): METRICS | {metric: value}})
    assert budget.stored([one], seen)[0].faults == (fault,)


def test_within_the_tolerance_and_faster_is_well() -> None:
    one = Budget(POINT, {"lut": 1000, "fmax_mhz": 95, "period_ns_typ": 8}, 0.05)
    assert one.faults({"lut": 1050.0, "fmax_mhz": 300.0, "period_ns_typ": 2.0}) == []
    assert one.faults({"lut": 950.0, "fmax_mhz": 95.0, "period_ns_typ": 8.1}) == [
        "period_ns_typ is 8.1, the budget is 8 at most"
    ]
    assert one.faults({"lut": 1000.0, "fmax_mhz": 95.0}) == ["period_ns_typ was not measured"]


def test_the_worst_seed_sets_the_floor(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for seed, clock in ((1, 120.0), (2, 100.0), (3, 140.0)):
        store.put(made_up("orup:w256", "ecp5_8", METRICS | {"fmax_mhz": clock}, seed=seed))
    one = budget.proposed(POINT, View(store))
    assert one is not None
    assert one.limits["fmax_mhz"] == 95


def test_what_is_not_measured_is_no_fault_but_a_failure_is(tmp_path: Path) -> None:
    one = Budget(POINT, {"lut": 1000}, 0.05)
    [verdict] = budget.stored([one], view(tmp_path, {}))
    assert (verdict.measured, verdict.faults) == (False, ())
    store = Store(tmp_path)
    store.put(made_up("orup:w256", "ecp5_8", {}, error="yosys: no"))
    assert budget.stored([one], View(store))[0].faults == ("yosys: no",)
    assert budget.proposed(POINT, View(store)) is None


@pytest.mark.parametrize(
    "text",
    [
        "[w256.mul.ecp5_8]\nlut = 1\n",
        "tolerance = 0.05\n[w256.mul.ecp5_8]\nluts = 1\n",
        'tolerance = 0.05\n[w256.mul.ecp5_8]\nlut = "1"\n',
        "tolerance = 0.05\n[w256.mul.ecp5_8]\nlut = true\n",
        "tolerance = 0.05\n[w256.mul]\nlut = 1\n",
        "tolerance = 0.05\nw256 = 3\n",
    ],
)
def test_a_malformed_file_is_named(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(BudgetError, match=str(path)):
        budget.load("orup", path)


def test_the_files_there_are_can_be_read_and_are_as_they_are_written() -> None:
    for family, path in budget.files().items():
        budgets = budget.load(family, path)
        assert budgets
        assert budget.text(budgets) == path.read_text(encoding="utf-8")
        assert tomllib.loads(path.read_text(encoding="utf-8"))["tolerance"] == budget.TOLERANCE


def test_what_is_stored_keeps_its_budget() -> None:
    wrong = [one for one in budget.stored(budget.every(), View()) if one.faults]
    assert not wrong
