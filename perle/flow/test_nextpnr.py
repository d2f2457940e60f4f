# SPDX-License-Identifier: Apache-2.0
"""Place and route: what its report says, and what is said when it fails or takes too long."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from perle.flow import nextpnr
from perle.flow.tools import ToolError


def step(kind: str, delay: float, cell: str, port: str) -> dict[str, Any]:
    there = {"cell": cell, "port": port, "loc": [0, 0]}
    return {"type": kind, "delay": delay, "from": there, "to": there}


def report() -> dict[str, Any]:
    slow = [
        step("clk-to-q", 0.5, "a_q", "Q"),
        step("routing", 1.25, "sum", "A"),
        step("logic", 0.25, "sum", "F"),
        step("routing", 2.0, "z_q", "DI"),
        step("setup", 0.0, "z_q", "DI"),
    ]
    fast = [step("clk-to-q", 0.5, "b_q", "Q"), step("setup", 0.5, "b_q", "DI")]
    return {
        "fmax": {
            "clk": {"achieved": 250, "constraint": 300},
            "other": {"achieved": 900.5, "constraint": 300},
        },
        "utilization": {
            "TRELLIS_COMB": {"used": 12, "available": 83640},
            "DCCA": {"used": 1, "available": 56},
        },
        "critical_paths": [
            {"from": "<async>", "to": "posedge clk", "path": [step("routing", 99.0, "pin", "O")]},
            {"from": "posedge other", "to": "posedge other", "path": fast},
            {"from": "posedge clk", "to": "posedge clk", "path": slow},
        ],
    }


def test_the_slowest_clock_and_its_path() -> None:
    routed = nextpnr.parse(report())
    assert routed.fmax == {"clk": 250.0, "other": 900.5}
    assert routed.slowest == 250.0
    assert routed.used == {"TRELLIS_COMB": 12, "DCCA": 1}
    assert routed.path == "a_q.Q → z_q.DI: 1 levels, 0.75 ns logic, 3.25 ns wires"


def test_wanted_clocks_and_paths_from_clock_to_clock() -> None:
    across = [step("clk-to-q", 0.5, "a_q", "Q"), step("routing", 3.5, "b_q", "DI")]
    found = report()
    found["critical_paths"].append({"from": "posedge clk", "to": "posedge other", "path": across})
    routed = nextpnr.parse(found)
    assert routed.wanted == {"clk": 300.0, "other": 300.0}
    assert routed.crossings == (nextpnr.Crossing("clk", "other", 4.0),)


def test_a_path_that_the_report_lacks_is_empty() -> None:
    assert nextpnr.parse({**report(), "critical_paths": []}).path == ""


def test_a_design_without_a_clock_is_refused() -> None:
    with pytest.raises(ToolError, match="no clock"):
        nextpnr.parse({**report(), "fmax": {}})


def netlist(path: Path, resets: list[int | str | None]) -> Path:
    cells = {
        f"f{k}": {"connections": {"Q": [9 + k]} | ({} if net is None else {"LSR": [net]})}
        for k, net in enumerate(resets)
    }
    names = {"all": {"bits": ["0", *range(2, 9 + len(resets))]}}
    path.write_text(json.dumps({"modules": {"top": {"cells": cells, "netnames": names}}}))
    return path


def test_the_reset_of_most_registers_goes_on_the_clock_network(tmp_path: Path) -> None:
    path = netlist(tmp_path / "n.json", [5, 5, 4, "0", "0", "0", None])
    nextpnr.reset_on_clock_network(path, "top")
    top = json.loads(path.read_text())["modules"]["top"]
    buffer = top["cells"].pop("reset_buffer")
    assert buffer["type"] == "DCCA"
    assert buffer["connections"] == {"CLKI": [5], "CE": ["1"], "CLKO": [16]}
    found = [cell["connections"].get("LSR") for cell in top["cells"].values()]
    assert found == [[16], [16], [4], ["0"], ["0"], ["0"], None]
    assert [16] in [one["bits"] for one in top["netnames"].values()]


def test_without_a_reset_nothing_changes(tmp_path: Path) -> None:
    path = netlist(tmp_path / "n.json", ["0", None])
    before = path.read_text()
    nextpnr.reset_on_clock_network(path, "top")
    assert path.read_text() == before


def route(netlist: Path, folder: Path, timeout: float = 300) -> nextpnr.Routed:
    return nextpnr.route(
        netlist,
        folder / "work",
        device="85k",
        package="CABGA756",
        speed=6,
        freq=100,
        seed=1,
        timeout=timeout,
    )


def test_a_netlist_that_it_cannot_read_is_a_failure_in_its_words(tmp_path: Path) -> None:
    bad = tmp_path / "netlist.json"
    bad.write_text("{")
    with pytest.raises(ToolError, match="exit status") as failed:
        route(bad, tmp_path)
    assert failed.value.tool == nextpnr.TOOL
    assert failed.value.message.startswith("Failed to parse JSON file")


@pytest.mark.parametrize(
    ("said", "told", "stacks"),
    [
        ("Info: one\nERROR: no place\n1 error", "no place", ["shallow"]),
        (
            "Caused by:\n    0: memory fault\n    1: wasm trap: out of bounds",
            "wasm trap: out of bounds",
            ["shallow", "deep"],
        ),
        ("nothing else", "exit status 1", ["shallow"]),
    ],
)
def test_the_cause_of_a_failure_comes_first(
    said: str, told: str, stacks: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []

    def run(cmd: list[str], **_: object) -> None:
        ran.append(cmd[0])
        raise ToolError(nextpnr.TOOL, f"exit status 1\n{said}")

    monkeypatch.setattr(nextpnr, "run", run)
    monkeypatch.setattr(nextpnr, "_ready", lambda deep: ["deep" if deep else "shallow"])
    with pytest.raises(ToolError) as failed:
        route(tmp_path / "netlist.json", tmp_path)
    assert failed.value.message.splitlines()[0] == told
    assert said in failed.value.message
    assert ran == stacks


@pytest.mark.parametrize("text", [None, "{", "{}"])
def test_a_report_that_is_not_as_expected_is_a_failure(
    text: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*_: object, **__: object) -> None:
        if text is not None:
            (tmp_path / "work" / "report.json").write_text(text)

    monkeypatch.setattr(nextpnr, "run", run)
    monkeypatch.setattr(nextpnr, "_ready", lambda _: [])
    with pytest.raises(ToolError, match="its report is not as expected"):
        route(tmp_path / "netlist.json", tmp_path)


def chain(path: Path, length: int) -> Path:
    """Write a netlist: a register whose next value comes through so many look-up tables in a row."""

    def cell(kind: str, parameters: dict[str, str], out: str, **pins: int) -> dict[str, Any]:
        return {
            "type": kind,
            "parameters": parameters,
            "port_directions": {pin: "output" if pin == out else "input" for pin in pins},
            "connections": {pin: [net] for pin, net in pins.items()},
        }

    cells = {f"inverter_{k}": cell("LUT4", {"INIT": "5555"}, "Z", A=3 + k, Z=4 + k) for k in range(length)}
    cells["register"] = cell("TRELLIS_FF", {"REGSET": "RESET"}, "Q", CLK=2, DI=3 + length, Q=3)
    ports = {"clk_i": {"direction": "input", "bits": [2]}, "z_o": {"direction": "output", "bits": [3]}}
    nets = {f"n{bit}": {"bits": [bit]} for bit in range(2, 4 + length)}
    module = {"attributes": {"top": "1"}, "ports": ports, "cells": cells, "netnames": nets}
    path.write_text(json.dumps({"modules": {"top": module}}))
    return path


@pytest.mark.wide
def test_a_deeper_stack_changes_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = chain(tmp_path / "chain.json", 200)
    before = route(source, tmp_path / "before")
    deep = nextpnr._ready(True)
    monkeypatch.setattr(nextpnr, "_ready", lambda _: deep)
    assert route(source, tmp_path / "after") == before
    assert before.used["TRELLIS_COMB"] == 200


def test_a_cell_that_the_device_lacks_is_named(tmp_path: Path) -> None:
    bad = tmp_path / "netlist.json"
    port = {"clk_i": {"direction": "input", "bits": [2]}}
    cell = {
        "type": "NO_SUCH_CELL",
        "parameters": {},
        "attributes": {},
        "port_directions": {"CLK": "input"},
        "connections": {"CLK": [2]},
    }
    module = {"attributes": {"top": "1"}, "ports": port, "cells": {"u_none": cell}, "netnames": {}}
    bad.write_text(json.dumps({"creator": "a test", "modules": {"t": module}}))
    with pytest.raises(ToolError, match="NO_SUCH_CELL"):
        route(bad, tmp_path)


def test_a_time_out_is_told(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"not done after 0\.01 s"):
        route(tmp_path / "netlist.json", tmp_path, timeout=0.01)
