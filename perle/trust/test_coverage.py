# SPDX-License-Identifier: Apache-2.0
"""A workload that executes everything has no holes; one that does nothing has, and they are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from perle.cores.registry import families
from perle.flow.places import PACKAGE
from perle.flow.tools import ToolError
from perle.trust import coverage, coverage_host, coverage_python, coverage_rtl
from perle.trust.covered import Counts, read
from perle.trust.records import Run
from perle.trust.watched import shapes

FAMILY = "iterative"
NONE = "perle_iterative_segmented.sv: if (bit_q) count_q <= count_q - CountBits'(1);: never true"


def test_a_family_is_executed_whole() -> None:
    found = coverage_rtl.compare(FAMILY, 1)
    assert found.failed == []
    assert found.counts["lines executed"] == found.counts["lines"] > 100
    assert found.counts["ways executed"] == found.counts["ways"] > 50
    assert coverage.row(found)[0] == "120 of 120"


def test_no_operation_leaves_holes() -> None:
    found = coverage_rtl.compare(FAMILY, 1, shapes(FAMILY)[:1], most=0)
    assert found.counts["operations"] == 0
    assert any(text.endswith(NONE) for text in found.failed)
    assert found.failures > 20
    assert found.counts["toggles executed"] < found.counts["toggles"] / 4


def test_a_wrong_result_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage_rtl, "expected", lambda *_: -1)
    found = coverage_rtl.compare(FAMILY, 1, shapes(FAMILY)[:1], most=1)
    assert any("M = 0x3" in text for text in found.failed)


def test_reasons_and_holes_go_together() -> None:
    mine = Run("coverage", "some", 1)
    told = coverage_rtl.judge(mine, {"a.sv: x": "a.sv:3", "a.sv: y": "a.sv:4"}, {"a.sv: x": "why", "z": ""})
    assert told == ["`a.sv:3: x`: why"]
    assert mine.failed == [
        "a.sv:4 is not executed, without a reason: a.sv: y",
        "a reason for what is executed or gone: z",
    ]


def test_decisions_of_a_line_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "a.sv"
    path.write_text("assign z = a ? b : c ? d : e;  // why\n", encoding="utf-8")
    ways = {f"a.sv:1:{column} {way}": column - 14 for column in (14, 20) for way in ("true", "false")}
    named = coverage_rtl.holes(Counts(ways=ways), [path])
    text = "a.sv: assign z = a ? b : c ? d : e;"
    assert list(named) == [f"{text}: never false of decision 1", f"{text}: never true of decision 1"]


def test_points_are_read(tmp_path: Path) -> None:
    path, source = tmp_path / "coverage.dat", tmp_path / "a.sv"

    def point(kind: str, what: str, count: int, more: str = "") -> str:
        where = f"\x01f\x02{source}\x01l\x025\x01n\x027"
        return f"C '{where}\x01t\x02{kind}\x01page\x02m\x01o\x02{what}{more}' {count}"

    rows = ["# head", point("branch", "if", 3, "\x01S\x025-6,9"), point("branch", "else", 0)]
    path.write_text("\n".join([*rows, point("toggle", "q[1]:0->1", 2)]), encoding="utf-8")
    found = read(path, [source], "w8")
    assert found.lines == {"a.sv:5": 3, "a.sv:6": 3, "a.sv:9": 3}
    assert found.ways == {"a.sv:5:7 true": 3, "a.sv:5:6 false": 0}
    assert found.toggles == {"w8 m q[1]:0->1": 2}
    assert read(path, [tmp_path / "b.sv"]) == Counts()


@pytest.mark.parametrize("family", families())
def test_every_family_tells_its_holes(family: str) -> None:
    reasons, share = coverage_rtl.said(family)
    assert 0 < share <= 100
    assert all(reasons.values())


def test_every_further_shape_is_of_a_family() -> None:
    assert set(coverage_rtl.MORE) <= set(families())


def document(*lines: tuple[int, int]) -> str:
    counted = [{"line_number": number, "count": count} for number, count in lines]
    name = str(coverage_host.SOURCES / "rsa" / "a.hpp")
    return json.dumps({"files": [{"file": name, "lines": counted}, {"file": "/usr/x.h", "lines": counted}]})


def test_lines_of_headers_are_added_up() -> None:
    found: coverage_host.Lines = {}
    coverage_host.read("a warning\n" + document((3, 0), (4, 0)), found)
    coverage_host.read(document((3, 2), (9, 0)), found)
    assert found == {"rsa/a.hpp": {3: 2, 4: 0, 9: 0}}
    assert list(coverage_host.ranges([9, 4, 5, 6])) == ["4-6", "9"]
    assert list(coverage_host.told({**found, "rsa/b.cpp": {1: 1}})) == ["src/rsa: a.hpp 1 of 3"]


@pytest.mark.parametrize(
    ("floors", "failed"),
    [
        ({"rsa": 66.0}, []),
        ({"rsa": 67.0}, ["src/rsa: 2 of 3 lines, 67.0% wanted"]),
        ({}, ["no share is wanted of src/rsa"]),
        ({"rsa": 50.0, "gone": 1.0}, ["src/gone: 0 of 0 lines, 1.0% wanted"]),
    ],
)
def test_a_share_of_lines_is_wanted(floors: dict[str, float], failed: list[str]) -> None:
    mine = Run("coverage", "libperle", 1)
    assert coverage_host.judge(mine, {"rsa/a.cpp": {1: 1, 2: 5, 3: 0}}, floors) == {
        "lines": 3,
        "lines executed": 2,
    }
    assert mine.failed == failed


def test_python_is_counted_and_what_few_tests_execute_is_too_little() -> None:
    few = coverage_python.compare("results", 1, only="test_commands")
    assert 0 < few.counts["lines executed"] < few.counts["lines"]
    assert 0 < few.counts["ways executed"] < few.counts["ways"]
    [said] = few.failed
    assert said.endswith(f"lines and decisions, {coverage_python.FLOORS['results']}% wanted")
    [holes] = few.settings["holes"]
    assert "view.py" in holes
    assert "test_view.py" not in few.settings["missed"]
    assert set(coverage.remarks(few)) == {f"executed in part: {holes}"}


def test_a_file_that_no_test_executes_needs_a_reason() -> None:
    def file(lines: int, executed: int) -> dict[str, dict[str, int]]:
        summary = {"num_statements": lines, "covered_lines": executed}
        return {"summary": summary | {"num_branches": 0, "covered_branches": 0}}

    found = {"a.py": file(9, 0), "b.py": file(9, 1), "__init__.py": file(0, 0)}
    assert list(coverage_python.unexplained(found, {"a.py": "why"})) == []
    assert list(coverage_python.unexplained(found, {"b.py": "why"})) == [
        "nothing of a.py is executed, without a reason",
        "a reason for b.py, which is executed or gone",
    ]


def test_tests_beside_a_package_and_files_with_reasons_are_there() -> None:
    for package in coverage_python.FLOORS:
        assert all(path.is_file() for path in coverage_python.beside(package))
        folder = PACKAGE / package
        assert all((folder / name).is_file() for name in coverage_python.ELSEWHERE.get(package, {}))


def test_tests_that_are_not_there_are_no_coverage() -> None:
    with pytest.raises(ToolError, match="exit status 5"):
        coverage_python.count("results", only="no_such_test")
