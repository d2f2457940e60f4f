# SPDX-License-Identifier: Apache-2.0
"""What reports see of a store: medians, of today's hardware only, and why there is nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from perle.cores.registry import resolve
from perle.results import Measurement, Store
from perle.results.identity import current
from perle.results.parts import part_files, together
from perle.results.view import Point, View
from tests.stores import made_up, view

CORE = "orup:w256"


def test_medians_and_devices(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for seed, clock in ((1, 100.0), (2, 130.0), (3, 110.0)):
        store.put(made_up(CORE, "ecp5_8", {"fmax_mhz": clock}, seed=seed))
    seen, point = View(store), Point(CORE, "ecp5_8")
    assert seen.metric(point, "fmax_mhz") == 110
    found = seen.spread(point, "fmax_mhz")
    assert found is not None
    assert (found.least, found.most, found.count) == (100, 130, 3)
    assert seen.device(point) == "the device ecp5_8"
    assert seen.metric(point, "lut") is None
    assert seen.metric(Point(CORE, "ecp5_8", "exp"), "fmax_mhz") is None
    assert seen.device(Point(CORE, "ecp5_6")) == "ecp5_6"


def test_what_takes_the_place_of_luts_counts_where_it_does(tmp_path: Path) -> None:
    cells = {"lut": 100.0, "carry": 10.0, "lutram": 3.0, "lutram_lut": 7.0}
    seen = view(
        tmp_path,
        {
            **{(CORE, target): cells for target in ("ecp5_8", "lifcl40_9", "xc6v", "xc3k")},
            (CORE, "ihp130"): {"area_um2": 1.0},
        },
    )
    for target in ("ecp5_8", "lifcl40_9"):
        assert seen.metric(Point(CORE, target), "luts") == 100 + 2 * 10 + 6 * 3
    for target in ("xc6v", "xc3k"):
        assert seen.metric(Point(CORE, target), "luts") == 107
    assert seen.metric(Point(CORE, "ihp130"), "luts") is None


def test_what_is_of_other_hardware_is_not_seen(tmp_path: Path) -> None:
    store = Store(tmp_path)
    today = made_up(CORE, "ecp5_8", {"lut": 1.0})
    gone = replace(today, core="nothing:w1", seed=4)
    store.put(replace(today, files=dict.fromkeys(today.files, "of yesterday"), seed=2))
    store.put(replace(today, files={}, settings={}, seed=3))
    store.put(replace(today, settings={"cores": [{"Width": 257}]}, seed=5))
    store.put(gone)
    assert View(store).runs(Point(CORE, "ecp5_8")) == []
    store.put(today)
    assert [one.seed for one in View(store).runs(Point(CORE, "ecp5_8"))] == [1]
    assert current([gone]) == []


def test_a_pair_is_made_of_what_each_of_it_is() -> None:
    config = resolve(CORE)
    for pair, each in (("mul_pair", "mul"), ("exp_pair", "exp")):
        assert part_files(config, pair) == part_files(config, each)
        assert together(config, pair) == (config, config)
    assert len(part_files(config, "exp")) > len(part_files(config, "mul"))


def test_failures_are_told(tmp_path: Path) -> None:
    store = Store(tmp_path)
    point = Point(CORE, "ecp5_8")
    store.put(made_up(CORE, "ecp5_8", {}, error="nextpnr: not done"))
    assert View(store).fault(point) == "nextpnr: not done"
    store.put(made_up(CORE, "ecp5_8", {"lut": 2.0}, seed=2))
    assert View(store).fault(point) == ""
    store.put(made_up(CORE, "ecp5_8", {"lut": 9.0}, seed=3, error="the sources changed"))
    assert View(store).metric(point, "lut") == 2


@pytest.mark.parametrize(
    ("point", "command"),
    [
        (Point(CORE, "ecp5_8"), "perle measure orup:w256 --target ecp5_8"),
        (Point(CORE, "ecp5_8", "exp"), "perle measure orup:w256 --target ecp5_8 --part exp"),
        (Point("gone:w256", "ecp5_8", "exp"), "perle measure gone:w256 --target ecp5_8 --part exp"),
        (Point("bus_mul:fixed512", "xcve", "board"), "perle measure bus_mul:fixed512 --target xcve"),
    ],
)
def test_commands(point: Point, command: str) -> None:
    assert point.command == command


def test_a_record_of_ones_own_is_read_in_place_of_a_shipped_one(tmp_path: Path) -> None:
    shipped = Store(tmp_path / "shipped")
    for seed in (1, 2):
        shipped.put(made_up(CORE, "ecp5_8", {"lut": 1.0}, seed=seed))
    before = (shipped.folder / "ecp5_8.jsonl").read_bytes()
    own = Store(tmp_path / "own", shipped.folder)
    own.put(made_up(CORE, "ecp5_8", {"lut": 5.0}, seed=2))
    assert {one.seed: one.metrics["lut"] for one in own.load()} == {1: 1, 2: 5}
    assert {one.seed: one.metrics["lut"] for one in own.load("ecp5_8")} == {1: 1, 2: 5}
    assert (shipped.folder / "ecp5_8.jsonl").read_bytes() == before


def test_a_record_that_is_a_link_is_replaced(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.write_text("")
    (tmp_path / "t.jsonl").symlink_to(mine)
    Store(tmp_path).put(Measurement("c", "p", "t", 1, {}, {}, "2026-01-01", 1.0))
    assert mine.read_text() == ""
    assert not (tmp_path / "t.jsonl").is_symlink()
    assert (tmp_path / "t.jsonl").stat().st_mode & 0o777 == 0o644
    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", "mine", "t.jsonl"]
