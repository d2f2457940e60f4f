# SPDX-License-Identifier: Apache-2.0
"""The record of what the cores' tests prove: gained, kept, taken back, void for other sources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from conftest import StatusRecorder, subject_of
from perle.cores.registry import Family, every, families
from perle.results import status

ORUP: Family = every()["orup"]
PASSED = {"setup passed", "call passed", "teardown passed"}


@pytest.fixture(autouse=True)
def _record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(status, "RECORD", tmp_path / "status.json")
    yield
    assert not set(status.recorded()) - {"orup"}


def ran(*tests: tuple[str, set[str]], changed: bool = False) -> str:
    """Return the status after a run of tests: the level that each proves, and how its phases ended."""
    recorder = StatusRecorder()
    for index, (level, verdict) in enumerate(tests):
        recorder.claims[f"{index}"] = ("orup", (level,))
        recorder.verdicts[f"{index}"] = verdict
    if changed:
        recorder.made_of["orup"] = ({}, {})
    recorder.pytest_sessionfinish()
    return status.status(ORUP)


def test_levels_add_up_over_runs_and_none_is_skipped() -> None:
    assert status.status(ORUP) == "sketch"
    assert ran(("timed", PASSED), ("costed", PASSED)) == "sketch"
    assert ran(("exact", PASSED), ("exact", PASSED)) == "costed"
    assert ran(("matched", PASSED)) == "matched"


def test_a_failure_takes_a_level_back_and_a_test_that_did_not_run_changes_nothing() -> None:
    assert ran(("exact", PASSED), ("timed", PASSED)) == "timed"
    assert ran(("timed", set())) == "timed"
    assert ran(("timed", {"setup skipped", "teardown passed"})) == "timed"
    assert ran(("timed", {"setup passed", "call failed", "teardown passed"}), ("timed", PASSED)) == "exact"
    assert ran(("exact", {"setup failed"})) == "sketch"


def test_a_level_needs_all_of_its_tests() -> None:
    assert ran(("exact", PASSED), ("exact", set())) == "sketch"
    assert ran(("exact", PASSED), ("exact", {"setup passed", "call skipped", "teardown passed"})) == "sketch"


def test_other_sources_are_a_sketch(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ran(("exact", PASSED), changed=True) == "sketch"
    assert ran(("exact", PASSED)) == "exact"
    monkeypatch.setattr(status, "made_of", lambda _: ({"model.py": "another"}, {"configs": {}}))
    assert status.status(ORUP) == "sketch"
    status.record(status.Subject(ORUP), {"timed"}, set())
    assert status.proved(status.Subject(ORUP)) == {"timed"}


def test_a_new_configuration_is_a_sketch_and_the_others_are_not() -> None:
    assert ran(("exact", PASSED)) == "exact"
    old, new = "w64", "w72"
    more = replace(ORUP, configs={**ORUP.configs, new: {"Width": 72}, "w128": {"Width": 120}})
    assert [status.status(more, config=name) for name in (old, new, "w128")] == ["exact", "sketch", "sketch"]
    assert status.stale(status.Subject(more)) == [
        "configuration w128 has changed", "configuration w72 is new",
    ]  # fmt: skip


def test_exponentiators_and_engines_have_a_status_of_their_own() -> None:
    subjects = status.subjects()
    assert [name for name in subjects if "/engine" in name] == ["stream/engine", "tile/engine"]
    assert {name for name in subjects if name.endswith("/exp")} == {f"{name}/exp" for name in families()}
    path = Path(str(subjects["stream"].family.folder)) / "engine" / "test_engine.py"
    assert subject_of(path) == "stream/engine"
    assert subject_of(path.parents[1] / "test_rtl.py") == "stream"
    assert subject_of(path.parents[1] / "test_exp.py") == "stream/exp"
    assert subject_of(Path(__file__)) is None


def test_a_form_that_models_share_is_part_of_each_proof() -> None:
    shared = "cores/quotient_simplified.py"
    having = {name for name, one in status.subjects().items() if shared in status.made_of(one)[0]}
    alone = {"orup", "lowlat", "stream", "tile", "carry_save"}
    assert having == alone | {f"{name}/exp" for name in alone} | {"stream/engine", "tile/engine"}


def test_a_contradicted_conclusion_takes_a_level_back() -> None:
    """Such a test is one that is expected to fail (`pytest.xfail`)."""
    assert ran(*((level, PASSED) for level in ("exact", "timed", "costed", "matched"))) == "matched"
    recorder = StatusRecorder()
    recorder.claims["a"] = ("orup", ("matched",))
    report = pytest.TestReport("a", ("", 0, ""), {}, "skipped", None, "call")
    report.wasxfail = "1 conclusion is not the paper's"
    recorder.pytest_runtest_logreport(report)
    recorder.pytest_sessionfinish()
    assert status.status(ORUP) == "costed"


def test_tests_of_other_processes_count() -> None:
    """What a process of pytest-xdist notes on collecting reaches the one that records."""
    recorder = StatusRecorder()
    for number in range(2):
        node = SimpleNamespace(workeroutput={"claims": {f"{number}": ("orup", ["exact"])}})
        recorder.pytest_testnodedown(node)
        recorder.verdicts[f"{number}"] = PASSED
    recorder.pytest_testnodedown(SimpleNamespace())  # one that broke down
    recorder.pytest_sessionfinish()
    assert status.status(ORUP) == "exact"
