# SPDX-License-Identifier: Apache-2.0
"""Copies of a module, each on sites that exist, are near to each other, and are taken once."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from perle.cores.registry import resolve
from perle.measure import regions
from perle.measure.ecp5_grid import LFE5U_25F, LFE5U_45F, LFE5U_85F, Device
from perle.measure.runner import Wanted
from perle.measure.target import chosen

COPY = r"gen_tile\[\d+\]\."
MULTIPLIERS, MEMORIES = 6, 8


def netlist(path: Path, copies: int) -> Path:
    """Write copies with multipliers and memories, and one of each that belongs to none, in another order."""
    names = {f"gen_tile[{i}].u_mul{n}": "MULT18X18D" for i in range(copies) for n in range(MULTIPLIERS)}
    names |= {f"gen_tile[{i}].u_mem{n}": "DP16KD" for i in range(copies) for n in range(MEMORIES)}
    names |= {"u_other.u_mul": "MULT18X18D", "u_other.u_mem": "DP16KD"}
    cells = {name: {"type": names[name], "attributes": {}} for name in sorted(names, reverse=True)}
    path.write_text(json.dumps({"modules": {"top": {"cells": cells}}}), encoding="utf-8")
    return path


def places(path: Path) -> dict[str, tuple[int, int, str]]:
    cells = json.loads(path.read_text(encoding="utf-8"))["modules"]["top"]["cells"]
    found = {}
    for name, cell in cells.items():
        if "BEL" in cell["attributes"]:
            x, y, site = cell["attributes"]["BEL"].split("/")
            found[name] = int(x[1:]), int(y[1:]), site
    return found


@pytest.mark.parametrize(
    ("device", "copies"),
    [
        *((LFE5U_85F, copies) for copies in (1, 4, 20, 22)),
        *((LFE5U_45F, copies) for copies in (1, 8, 9, 12)),
        *((LFE5U_25F, copies) for copies in (1, 4)),
    ],
    ids=lambda one: getattr(one, "title", one),
)
def test_each_copy_is_near_its_centre_and_no_site_is_taken_twice(
    device: Device, copies: int, tmp_path: Path
) -> None:
    grid = device.grid
    regions.lay(netlist(tmp_path / "in.json", copies), "top", tmp_path / "out.json", COPY, grid)
    found = places(tmp_path / "out.json")
    assert len(found) == copies * (MULTIPLIERS + MEMORIES)
    assert len(set(found.values())) == len(found)
    sites = {(x, y, name.split("/")[-1]) for x, y, name in (*grid.multipliers, *grid.memories)}
    assert set(found.values()) <= sites
    for number, centre in enumerate(regions.centres(grid, copies)):
        own = [at for name, at in found.items() if name.startswith(f"gen_tile[{number}].")]
        assert len(own) == MULTIPLIERS + MEMORIES
        assert max(abs(x - centre[0]) + abs(y - centre[1]) for x, y, _ in own) < 45


def test_centres_next_to_each_other_in_order_are_next_to_each_other() -> None:
    found = regions.centres(LFE5U_85F.grid, 20)
    assert len(set(found)) == 20
    for one, other in pairwise(found):
        assert abs(one[0] - other[0]) <= 22
        assert abs(one[1] - other[1]) <= 30


def test_more_than_there_is_room_for_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="23 copies, of which the device has room for 22"):
        regions.lay(netlist(tmp_path / "in.json", 23), "top", tmp_path / "out.json", COPY, LFE5U_85F.grid)


def test_results_know_by_what_rules_they_were_placed(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [Wanted(resolve("tile:w64"), part, chosen("ecp5_8")[0], 1) for part in ("mul", "engine")]
    assert [bool(run.prepared().placing) for run in runs] == [False, True]
    before = [run.identity() for run in runs]
    monkeypatch.setattr(regions, "rules", lambda _: ("other rules",))
    assert [run.identity() != each for run, each in zip(runs, before, strict=True)] == [False, True]
