# SPDX-License-Identifier: Apache-2.0
"""How OpenSTA's report of power is read: no instance is left out."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from perle.flow import opensta
from perle.flow.tools import ToolError

HEAD = "  Internal   Switching     Leakage       Total\n     Power       Power       Power       Power\n"


def row(*watts: str, name: str = "u_b/g0") -> str:
    """Return an instance's row, as printed."""
    return "".join(f" {one}" for one in watts) + f" {name}\n"


GOOD = row("2.0000000000e-06", "1.0000000000e-06", "5.0000000000e-09", "3.0050000000e-06")
LESS = row("-4.0000000000e-07", "0.0000000000e+00", "1.0000000000e-09", "-3.9900000000e-07", name="u_b/g1")


def power(report: str, monkeypatch: pytest.MonkeyPatch, folder: Path, only: str = "u_b/*") -> opensta.Power:
    """Return the power in a report of OpenSTA, which is not run."""
    monkeypatch.setattr(opensta, "sta", lambda *_, **__: HEAD + report)
    return opensta.power(Path("lib"), [], "top", {}, folder, only=only, timeout=1)


def test_all_rows_are_added_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Also those of less than nothing: a library's internal energy of an edge may be negative."""
    found = power(f"INSTANCES 2\n{GOOD}{LESS}", monkeypatch, tmp_path)
    assert found.internal == pytest.approx((2e-6 - 4e-7) / 2)
    assert found.switching == pytest.approx(1e-6)
    assert found.leakage == pytest.approx(6e-9)
    total = "Total 2.0000000000e-06 1.0000000000e-06 5.0000000000e-09 3.0050000000e-06 100.0%\n"
    assert power(total, monkeypatch, tmp_path, "").switching == pytest.approx(1e-6)


@pytest.mark.parametrize("number", ["nan", "-nan", "inf", "-inf"])
def test_what_is_no_number_is_an_error(number: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bad = row("1.0000000000e-06", number, "1.0000000000e-09", number, name="u_b/g7")
    with pytest.raises(ToolError, match="power of u_b/g7 is no number"):
        power(f"INSTANCES 2\n{GOOD}{bad}", monkeypatch, tmp_path)
    with pytest.raises(ToolError, match="power of Total is no number"):
        power(f"Total 1.0e-06 {number} 1.0e-09 {number} 100.0%\n", monkeypatch, tmp_path, "")


@pytest.mark.parametrize("report", ["", GOOD, GOOD + row("1.0e-06", "one", "1.0e-09", "1.0e-06")])
def test_an_instance_that_is_not_reported_is_an_error(
    report: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(ToolError, match=r"report_power has \d rows for 2 instances"):
        power(f"INSTANCES 2\n{report}", monkeypatch, tmp_path)


@pytest.mark.parametrize(
    ("wires", "said"),
    [
        (opensta.Estimate.LIBRARY, []),
        (opensta.Estimate.NONE, ["set_wire_load_model -name Zero"]),
        (Path("work/wires.spef"), ["set_wire_load_model -name Zero", "read_spef wires.spef"]),
    ],
)
def test_wires_are_estimated_or_left_out_or_those_of_a_placement(
    wires: opensta.Wires, said: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    scripts: list[list[str]] = []

    def sta(script: list[str], *_: object, **__: object) -> str:
        scripts.append(script)
        return "   8.25   slack (MET)"

    monkeypatch.setattr(opensta, "sta", sta)
    found = opensta.timing(Path("cells.lib"), [Path("g.v")], "top", tmp_path, wires=wires, timeout=1)
    assert found.period_ns == 1.75
    assert [line for line in scripts[0] if "wire" in line] == said


@pytest.mark.parametrize("told", ["Warning: wires.spef, line 7 net n5 not found.", "Error: t.tcl, 3 no lib"])
def test_parasitics_of_another_netlist_are_an_error(
    told: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(opensta, "system_tool", lambda *_: Path("sta"))
    monkeypatch.setattr(opensta, "run", lambda *_, **__: SimpleNamespace(stdout=f"read\n{told}\n"))
    with pytest.raises(ToolError, match=told[:30]):
        opensta.sta([], tmp_path, "timing", timeout=1)
