# SPDX-License-Identifier: Apache-2.0
"""The ECP5's devices: they have what is said of them, by nextpnr's own word, at the places that are named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from perle.measure.conftest import place_and_route
from perle.measure.ecp5_grid import DEVICES, Device
from perle.results import names

CLOCK = 2


def full(path: Path, device: Device) -> Path:
    """Write a netlist that takes every multiplier and every block memory, each at its place."""
    kinds = {"MULT18X18D": device.grid.multipliers, "DP16KD": device.grid.memories}
    clocks = {"MULT18X18D": ("CLK0",), "DP16KD": ("CLKA", "CLKB")}
    pins = {"MULT18X18D": ("A0", "P0"), "DP16KD": ("DIA0", "DOA0")}
    registered = {"MULT18X18D": {"REG_INPUTA_CLK": "CLK0", "REG_OUTPUT_CLK": "CLK0"}, "DP16KD": {}}
    cells: dict[str, dict[str, Any]] = {}
    for kind, sites in kinds.items():
        taken, given = pins[kind]
        for _, _, site in sites:
            net = 3 + len(cells)
            ports = {**dict.fromkeys((*clocks[kind], taken), "input"), given: "output"}
            cells[site] = {
                "hide_name": 0,
                "type": kind,
                "parameters": registered[kind],
                "attributes": {"BEL": site},
                "port_directions": ports,
                "connections": {**{key: [CLOCK] for key in clocks[kind]}, taken: [net], given: [net + 1]},
            }
    outside = {"clk": ("input", CLOCK), "x": ("input", 3), "z": ("output", 3 + len(cells))}
    top = {
        "attributes": {"top": 1},
        "ports": {name: {"direction": way, "bits": [bit]} for name, (way, bit) in outside.items()},
        "cells": cells,
        "netnames": {},
    }
    path.write_text(json.dumps({"creator": "test", "modules": {"top": top}}), encoding="utf-8")
    return path


@pytest.mark.parametrize("device", DEVICES, ids=lambda one: one.title)
def test_a_device_has_so_many_of_each_and_at_these_places(device: Device, tmp_path: Path) -> None:
    """nextpnr refuses a place that is not there, or is of another kind."""
    there = names.CAPACITY[device.name]
    assert len({*device.grid.multipliers}) == there[names.DSP]
    assert len({*device.grid.memories}) == there[names.BRAM]
    place_and_route(full(tmp_path / "in.json", device), tmp_path / "run", device)
    report = json.loads((tmp_path / "run" / "report.json").read_text(encoding="utf-8"))
    found = {kind: one["available"] for kind, one in report["utilization"].items()}
    cells = {
        names.LUTS: "TRELLIS_COMB",
        names.FF: "TRELLIS_FF",
        names.DSP: "MULT18X18D",
        names.BRAM: "DP16KD",
    }
    assert {name: found[cell] for name, cell in cells.items()} == there
    for cell in (cells[names.DSP], cells[names.BRAM]):
        assert report["utilization"][cell]["used"] == found[cell]


def test_copies_are_in_the_device_and_fewer_come_first() -> None:
    for grid in (device.grid for device in DEVICES):
        assert max(x for x, _, _ in (*grid.multipliers, *grid.memories)) < grid.width
        assert all(len(numbers) == len(grid.copy_rows) for numbers in grid.copies)
        assert [*map(sum, grid.copies)] == sorted({*map(sum, grid.copies)})
