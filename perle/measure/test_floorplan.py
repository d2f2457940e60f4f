# SPDX-License-Identifier: Apache-2.0
"""Floorplanned multipliers: each next to the one before it, on sites that exist."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from perle.cores.registry import resolve
from perle.flow import nextpnr
from perle.flow.tools import ToolError
from perle.flow.yosys import Netlist
from perle.measure import floorplan, harness
from perle.measure.conftest import place_and_route
from perle.measure.ecp5_grid import DEVICES, LFE5U_25F, LFE5U_85F, Device
from perle.measure.runner import Wanted
from perle.measure.target import Job, chosen
from perle.measure.targets import ecp5

CLOCK = 2
GRID = LFE5U_85F.grid
SITES = len(GRID.multipliers)


def netlist(path: Path, names: list[str], module: str = "top") -> Path:
    """Write multipliers in a row, each squaring one bit of the one before, in an order that is not theirs."""
    cells = {
        name: {
            "hide_name": 0,
            "type": floorplan.CELL,
            "parameters": {"REG_INPUTA_CLK": "CLK0", "REG_INPUTB_CLK": "CLK0", "REG_OUTPUT_CLK": "CLK0"},
            "attributes": {},
            "port_directions": {"CLK0": "input", "A0": "input", "B0": "input", "P0": "output"},
            "connections": {"CLK0": [CLOCK], "A0": [3 + i], "B0": [3 + i], "P0": [4 + i]},
        }
        for i, name in enumerate(names)
    }
    ports = {"clk": {"direction": "input", "bits": [CLOCK]}, "x": {"direction": "input", "bits": [3]}}
    ports["z"] = {"direction": "output", "bits": [3 + len(names)]}
    top = {"attributes": {"top": 1}, "ports": ports, "cells": dict(sorted(cells.items())), "netnames": {}}
    path.write_text(json.dumps({"creator": "test", "modules": {module: top}}))
    return path


def places(path: Path, module: str = "top") -> dict[str, str]:
    cells = json.loads(path.read_text())["modules"][module]["cells"]
    return {name: cell["attributes"]["BEL"] for name, cell in cells.items() if "BEL" in cell["attributes"]}


def where(place: str) -> tuple[int, int]:
    x, y, _ = place.split("/")
    return int(x[1:]), int(y[1:])


@pytest.mark.parametrize("stripe", [1, 2, 21, 39, 52])
@pytest.mark.parametrize("device", DEVICES, ids=lambda one: one.title)
def test_the_path_takes_every_place_once_and_makes_short_steps(device: Device, stripe: int) -> None:
    taken = list(floorplan.path(device.grid, stripe))
    assert sorted(taken) == sorted(name for _, _, name in device.grid.multipliers)
    if len(device.grid.multiplier_rows) % 2 == 0:  # there a stripe ends where it began
        taken = taken[: 2 * stripe]
    for one, other in pairwise(map(where, taken)):
        steps = abs(one[0] - other[0]), abs(one[1] - other[1])
        assert (steps[0] <= 6 and steps[1] == 0) or steps == (0, 24), (one, other)


def test_names_are_taken_as_numbers_and_lines_follow_each_other(tmp_path: Path) -> None:
    names = [f"u_{core}.gen[{i}].u_mul" for core in ("a", "b") for i in range(12)]
    floorplan.lay(netlist(tmp_path / "in.json", names), "top", tmp_path / "out.json", "u_a", GRID)
    found = places(tmp_path / "out.json")
    assert [found[name] for name in names] == list(floorplan.path(GRID, 4))[:24]


def test_more_than_there_are_is_an_error(tmp_path: Path) -> None:
    source = netlist(tmp_path / "in.json", [f"m{i}" for i in range(SITES + 1)])
    with pytest.raises(ValueError, match="157 multipliers, of which the device has 156"):
        floorplan.lay(source, "top", tmp_path / "out.json", "", GRID)
    with pytest.raises(ValueError, match="157 multipliers, of which the device has 28"):
        floorplan.lay(source, "top", tmp_path / "out.json", "", LFE5U_25F.grid)


def test_the_device_has_these_places(tmp_path: Path) -> None:
    """nextpnr refuses a place that is not there, or is of another kind."""
    source = netlist(tmp_path / "in.json", [f"m{i}" for i in range(SITES)])
    floorplan.lay(source, "top", tmp_path / "out.json", "", GRID)
    found = place_and_route(tmp_path / "out.json", tmp_path / "run", LFE5U_85F)
    assert found.slowest > 50
    assert found.used[floorplan.CELL] == SITES


def test_only_lines_are_placed_so_and_their_results_know_by_what(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cores = [("orup:w64", "mul"), ("stream:w64", "mul"), ("stream:w64", "exp"), ("lowlat:w64", "mul_pair")]
    runs = [Wanted(resolve(name), part, chosen("ecp5_8")[0], 1) for name, part in cores]
    assert [bool(run.prepared().placing) for run in runs] == [False, True, False, True]
    before = [run.identity() for run in runs]
    monkeypatch.setattr(floorplan, "rules", lambda _: ("other rules",))
    assert [run.identity() != each for run, each in zip(runs, before, strict=True)] == [
        bool(run.prepared().placing) for run in runs
    ]


@pytest.fixture
def routed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """Let every core be the netlist of the test's folder; return the places of all that is routed."""
    (tmp_path / "stat.json").write_text('{"design": {"num_cells_by_type": {}}}')
    (tmp_path / "work").mkdir()
    found: list[dict[str, str]] = []

    def route(source: Path, *given: object, **options: object) -> nextpnr.Routed:
        del given, options
        found.append(places(source, harness.TOP))
        return nextpnr.Routed({"clk": 100.0}, {}, ())

    monkeypatch.setattr(ecp5, "core_netlist", lambda *_: Netlist(tmp_path))
    monkeypatch.setattr(ecp5, "whole_netlist", lambda *_: Netlist(tmp_path))
    monkeypatch.setattr(nextpnr, "route", route)
    return found


def run(spec: str, work: Path) -> None:
    one = Wanted(resolve(spec), "mul", chosen("ecp5_8")[0], 1)
    one.target.run(Job(one.config, one.part, one.prepared(), one.seed, work, 60))


@pytest.mark.parametrize(("spec", "floorplanned"), [("stream:w64", True), ("orup:w64", False)])
def test_what_is_placed_and_routed(
    spec: str, floorplanned: bool, tmp_path: Path, routed: list[dict[str, str]]
) -> None:
    names = [f"u_core.gen[{i}].u_mul" for i in range(9)]
    netlist(tmp_path / "netlist.json", names, harness.TOP)
    run(spec, tmp_path / "work")
    assert routed == [dict(zip(names, floorplan.path(GRID, 3), strict=False)) if floorplanned else {}]


def test_a_chain_too_long_is_a_failure_of_the_run(tmp_path: Path, routed: list[dict[str, str]]) -> None:
    netlist(tmp_path / "netlist.json", [f"m{i}" for i in range(SITES + 1)], harness.TOP)
    with pytest.raises(ToolError, match="floorplan: 157 multipliers"):
        run("stream:w64", tmp_path / "work")
    assert not routed
