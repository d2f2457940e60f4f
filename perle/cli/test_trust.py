# SPDX-License-Identifier: Apache-2.0
"""`perle trust` shows the records, and exits with 1 if something failed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from perle.cli import trust
from perle.cli.io.errors import Code
from perle.trust.enough import INPUTS
from perle.trust.every import PARTS
from perle.trust.formal import FORMAL
from perle.trust.fuzz import TARGETS, made_of, settings
from perle.trust.parts import Part, Task, Wanted
from perle.trust.records import Records, Run
from tests.cli_run import invoke, refused


def kept(folder: Path, *failed: str) -> None:
    run = Run("faults", "orup:w64 in a test", 1)
    for text in failed:
        run.fail(text)
    Records(folder).put(run.end({"trials": 3, "right": 3, "after: at once": 3}, [Path(__file__)]))


def shown(folder: Path, *words: str) -> str:
    """Return what `perle trust --summary` prints for records that are not all there."""
    return invoke("trust", *words, "--summary", "--records", folder, code=Code.WRONG).stdout


def test_summary(tmp_path: Path) -> None:
    kept(tmp_path)
    told = json.loads(shown(tmp_path, "--json"))
    assert told["failures"] == 0
    assert [one["case"] for one in told["runs"]] == ["orup:w64 in a test"]
    assert told["runs"][0]["stale"] == []
    assert "orup:w64 in a test" in shown(tmp_path)


def test_what_never_ran_and_what_did_too_little_is_named(tmp_path: Path) -> None:
    """A store without anything is no evidence, and neither is a campaign that a time limit ended."""
    said = shown(tmp_path, "fuzz").splitlines()
    assert [line for line in said if line] == [f"never run: fuzz: {case}" for case in TARGETS.values()]
    told = json.loads(shown(tmp_path, "--json"))
    assert {one["part"] for one in told["missing"]} == {part.name for part in PARTS}
    for target, case in TARGETS.items():
        run = Run("fuzz", case, 1, **settings(target))
        Records(tmp_path).put(run.end({"seeds": 3, "changed": INPUTS[case]}, made_of(target)))
    invoke("trust", "fuzz", "--summary", "--records", tmp_path)
    short = Run("fuzz", "key files", 1).end({"seeds": 3, "changed": 7}, made_of("key"))
    Records(tmp_path).put(short)
    assert f"incomplete: fuzz: key files: 7 of {INPUTS['key files']:,} changed" in shown(tmp_path, "fuzz")


def test_the_page_has_no_other_records_than_those_of_the_checkout(tmp_path: Path) -> None:
    assert "leave --records out" in refused(Code.USAGE, "trust", "--page", "--records", tmp_path)


def test_stale_runs_are_named(tmp_path: Path) -> None:
    """One of a source that the package does not have any more, and a current one."""
    source = tmp_path / "gone.py"
    source.write_text("gone = 1\n", encoding="utf-8")
    for case, file in (("orup:w64 in a test", source), ("orup:w64 rsa batch", Path(__file__))):
        Records(tmp_path).put(Run("faults", case, 1).end({"trials": 1, "right": 1}, [file]))
    said = shown(tmp_path).splitlines()
    assert [one for one in said if "stale" in one] == ["stale: faults: orup:w64 in a test"]
    assert "1 of 2 runs are of other than the current sources" in said


def test_tables_and_json_agree_on_what_is_stale(tmp_path: Path) -> None:
    """A proof with another setting: its files alone do not tell."""
    task = next(one for one in FORMAL.tasks(Wanted()) if one.basis is not None)
    assert task.basis is not None
    files, settings = task.basis()
    counts = {"proved": 1, "twin refuted": 1, "proof seconds": 1.0}
    Records(tmp_path).put(Run("formal", task.case, 0, **{**settings, "depth": 99}).end(counts, files))
    told = json.loads(shown(tmp_path, "--json"))
    assert told["runs"][0]["stale"] == ["setting depth has changed"]
    said = shown(tmp_path).splitlines()
    assert f"stale: formal: {task.case}" in said


def test_a_failure_is_named_and_ends_with_1(tmp_path: Path) -> None:
    kept(tmp_path, "wrong: trial 7")
    done = invoke("trust", "--summary", "--records", tmp_path, code=Code.WRONG)
    assert "failed: orup:w64 in a test: wrong: trial 7" in done.stdout


def test_unknown_parts_and_families_are_refused(tmp_path: Path) -> None:
    assert "no part 'magic'" in refused(Code.USAGE, "trust", "magic", "--records", tmp_path)
    assert "no core family" in refused(Code.USAGE, "trust", "faults", "--family", "magic")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Leave all parts without tasks, and return the names of those that were asked for them."""
    found: list[str] = []

    def of(part: Part) -> Part:
        def tasks(_: Wanted) -> list[Task]:
            found.append(part.name)
            return []

        return replace(part, tasks=tasks)

    monkeypatch.setattr(trust, "PARTS", tuple(of(part) for part in PARTS))
    return found


def test_software_is_asked_for_of_the_parts_that_can_tell_of_it(asked: list[str], tmp_path: Path) -> None:
    invoke("trust", "--family", "apps", "--records", tmp_path)
    assert asked == ["coverage", "mutation"]
    said = refused(Code.USAGE, "trust", "gates", "mutation", "--family", "boards", "--records", tmp_path)
    assert "boards is no family of cores; only these parts examine it: mutation" in said
    assert "no core family" in refused(Code.USAGE, "trust", "gates", "--family", "boards")


def test_an_installed_package_leaves_out_what_needs_its_tests(
    asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trust, "INSTALLED", True)
    done = invoke("trust", "--records", tmp_path)
    assert "left out: coverage, mutation, secrets, threads, fuzz, compat: needs a checkout" in done.stderr
    assert asked == [
        *("formal", "exhaustive", "gates", "routed", "parameters", "faults", "leakage", "bus", "vectors")
    ]
    for words in (("fuzz",), ("formal", "secrets"), ("--family", "libperle")):
        said = refused(Code.USAGE, "trust", *words, "--records", tmp_path)
        assert "needs a checkout: the tests are not installed" in said


def test_a_campaign_is_kept(tmp_path: Path) -> None:
    invoke("trust", "leakage", "--family", "orup", "--seconds", "1", "--records", tmp_path)
    found = Records(tmp_path).load()
    assert [(one.part, one.case, one.failures) for one in found] == [("leakage", "orup:w64", 0)]
