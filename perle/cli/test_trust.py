# SPDX-License-Identifier: Apache-2.0
"""`perle trust` tells what is recorded, and exits with 1 where something failed."""

from __future__ import annotations

import json
from pathlib import Path

from perle.cli.io.errors import Code
from perle.trust.records import Records, Run
from tests.cli_run import invoke, refused


def kept(folder: Path, *failed: str) -> None:
    run = Run("faults", "orup:w64 rsa single", 1)
    for text in failed:
        run.fail(text)
    Records(folder).put(run.end({"trials": 3, "right": 3, "after: at once": 3}, [Path(__file__)]))


def test_summary(tmp_path: Path) -> None:
    kept(tmp_path)
    told = json.loads(invoke("trust", "--summary", "--json", "--records", tmp_path).stdout)
    assert told["failures"] == 0
    assert [one["case"] for one in told["runs"]] == ["orup:w64 rsa single"]
    assert told["runs"][0]["stale"] == []
    assert "orup:w64 rsa single" in invoke("trust", "--summary", "--records", tmp_path).stdout


def test_a_failure_is_named_and_ends_with_1(tmp_path: Path) -> None:
    kept(tmp_path, "wrong: trial 7")
    done = invoke("trust", "--summary", "--records", tmp_path, code=Code.WRONG)
    assert "failed: orup:w64 rsa single: wrong: trial 7" in done.stdout


def test_unknown_parts_and_families_are_refused(tmp_path: Path) -> None:
    assert "no part 'magic'" in refused(Code.USAGE, "trust", "magic", "--records", tmp_path)
    assert "no core family" in refused(Code.USAGE, "trust", "faults", "--family", "magic")


def test_a_campaign_is_kept(tmp_path: Path) -> None:
    invoke("trust", "leakage", "--family", "orup", "--seconds", "1", "--records", tmp_path)
    found = Records(tmp_path).load()
    assert [(one.part, one.case, one.failures) for one in found] == [("leakage", "orup:w64", 0)]
