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

COPY = r"u_bus\.gen_tile\[\d+\]\."
MULTIPLIERS, MEMORIES = 6, 8


def netlist(path: Path, *copies: int) -> Path:
    """Write owners of so many copies, with multipliers and memories, in another order; and what has none."""
    names = {"u_other.u_mul": "MULT18X18D", "u_other.u_mem": "DP16KD"}
    for owner, count in enumerate(copies):
        for copy in (f"u_core{owner}.u_bus.gen_tile[{i}]" for i in range(count)):
            names |= {f"{copy}.u_mul{n}": "MULT18X18D" for n in range(MULTIPLIERS)}
            names |= {f"{copy}.u_mem{n}": "DP16KD" for n in range(MEMORIES)}
        names |= {f"u_core{owner}.u_mul": "MULT18X18D", f"u_core{owner}.u_mem": "DP16KD"}
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
        *((LFE5U_85F, copies) for copies in ((1,), (6,), (6, 6, 6), (7, 7, 7), (4, 4, 4, 4, 4))),
        *((LFE5U_45F, copies) for copies in ((1,), (5, 4), (5, 5), (11,))),
        *((LFE5U_25F, copies) for copies in ((1,), (4,))),
    ],
    ids=lambda one: getattr(one, "title", str(one)),
)
def test_each_copy_is_near_its_centre_and_no_site_is_taken_twice(
    device: Device, copies: tuple[int, ...], tmp_path: Path
) -> None:
    grid = device.grid
    regions.lay(netlist(tmp_path / "in.json", *copies), "top", tmp_path / "out.json", COPY, grid)
    found = places(tmp_path / "out.json")
    assert len(found) == sum(copies) * (MULTIPLIERS + MEMORIES) + 2 * len(copies)
    assert len(set(found.values())) == len(found)
    sites = {(x, y, name.split("/")[-1]) for x, y, name in (*grid.multipliers, *grid.memories)}
    assert set(found.values()) <= sites
    for owner, (centres, own) in enumerate(regions.stripes(grid, list(copies))):
        for number, centre in enumerate(centres):
            one = [at for name, at in found.items() if f"core{owner}.u_bus.gen_tile[{number}]." in name]
            assert len(one) == MULTIPLIERS + MEMORIES
            assert max(abs(x - centre.x) + abs(y - centre.y) for x, y, _ in one) < 50
        x, y, _ = found[f"u_core{owner}.u_mem"]
        assert own.left <= x < own.right
        assert y == grid.owner_row


def test_owners_are_beside_each_other() -> None:
    """Three engines of six tiles that fill a device: all of an engine in its third of the columns."""
    found = regions.stripes(LFE5U_85F.grid, [6, 6, 6])
    assert [(own.left, own.right) for _, own in found] == [(0, 42), (42, 84), (84, 126)]
    assert all(own.left < one.x < own.right for copies, own in found for one in copies)
    for copies, own in found:
        inside, outside = int(own.left), int(own.right)
        assert all(one.distance((inside, 82, "")) < one.distance((outside, one.y, "")) for one in copies)


def test_centres_next_to_each_other_in_order_are_next_to_each_other() -> None:
    for counts in ([18], [6, 6, 6], [7, 7, 7]):
        for copies, _ in regions.stripes(LFE5U_85F.grid, counts):
            assert len({(one.x, one.y) for one in copies}) == len(copies)
            for one, other in pairwise(copies):
                assert abs(one.x - other.x) <= 22
                assert abs(one.y - other.y) <= 30


def test_more_than_there_is_room_for_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="more multipliers or block memories than the device has"):
        regions.lay(netlist(tmp_path / "in.json", 13, 14), "top", tmp_path / "out.json", COPY, LFE5U_85F.grid)


def test_results_know_by_what_rules_they_were_placed(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [Wanted(resolve("tile:w64"), part, chosen("ecp5_8")[0], 1) for part in ("mul", "engine")]
    assert [bool(run.prepared().placing) for run in runs] == [False, True]
    before = [run.identity() for run in runs]
    monkeypatch.setattr(regions, "rules", lambda _: ("other rules",))
    assert [run.identity() != each for run, each in zip(runs, before, strict=True)] == [False, True]
