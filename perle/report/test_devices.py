# SPDX-License-Identifier: Apache-2.0
"""The table of the smaller devices: rates of the measured engines, and what did not fit and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.cores.registry import resolve
from perle.cores.tile.engine import model
from perle.report import devices, engine_load, readme
from perle.results import Store, metrics, names
from perle.results.parts import Member
from perle.results.view import View
from tests.stores import made_up

CELLS = {"lut": 9000.0, "carry": 500.0, "ff": 8000.0, "bram": 43.0, "dsp": 25.0}
SMALL, MIDDLE = "ecp5_25_8", "ecp5_45_8"


def rows(folder: Path) -> list[dict[str, str]]:
    store = Store(folder)
    store.put(made_up("tile:w1024", SMALL, {**CELLS, "fmax_mhz": 150.0}, part="engines"))
    store.put(made_up("tile:w512", SMALL, {**CELLS, "fmax_mhz": 150.0}, part="engines"))
    store.put(made_up("tile:w1024", MIDDLE, {**CELLS, "fmax_mhz": 150.0}, part="engines"))
    store.put(made_up("stream:w512", MIDDLE, {**CELLS, "fmax_mhz": 210.0}, part="engine"))
    store.put(made_up("lowlat:w512", MIDDLE, {**CELLS, "fmax_mhz": 100.0}, part="exp"))
    store.put(made_up("lowlat:w512", MIDDLE, {**CELLS, "fmax_mhz": 100.0}))  # a multiplier is no system
    store.put(made_up("tile:w512", "ecp5_8", {**CELLS, "fmax_mhz": 150.0}, part="engines"))
    store.put(made_up("orup:w512", SMALL, {}, part="exp", error="LFE5U-25F: too small: 32 of 28 multipliers"))
    found = [dict(zip(devices.COLUMNS, row, strict=True)) for row in devices.rows(View(store))]
    assert all(list(one) == list(devices.COLUMNS) for one in found)
    return found


def test_systems_of_a_device_by_keys_and_rates(tmp_path: Path) -> None:
    found = rows(tmp_path)
    assert [(one["core"], one["system"]) for one in found] == [
        ("`stream:w512`", "engine, 14 lanes"),
        ("`lowlat:w512`", "exponentiator"),
        ("`tile:w1024`", "engines, 20 and 16 lanes"),
        ("`tile:w512`", "engine, 16 lanes"),
        ("`tile:w1024`", "engine, 16 lanes"),
        ("`orup:w512`", "exponentiator; too small: 32 of 28 multipliers"),
    ]
    assert found[-1]["per second"] == found[-1]["MHz (placed)"] == "–"
    assert [one["LUT"] for one in found[:-1]] == ["10,000"] * 5
    assert {one["device"] for one in found} == {MIDDLE, SMALL}  # as made-up runs call them


def test_rates_are_of_as_many_tiles_as_the_device_has(tmp_path: Path) -> None:
    """Nine tiles on one device and four on the other; loading reduces the rate slightly."""
    config, found = resolve("tile:w1024"), rows(tmp_path)
    per_tile = 150e6 / (2 * 1297 * model.turns(config.params))
    for row, tiles in ((found[2], 9), (found[4], 4)):
        assert 0.98 * tiles * per_tile < float(row["per second"].replace(",", "")) <= tiles * per_tile


def test_the_clock_is_at_most_what_multipliers_are_rated_for(tmp_path: Path) -> None:
    [one] = [row for row in rows(tmp_path) if row["core"] == "`stream:w512`"]
    own = resolve("stream:w512").family.engine
    assert own is not None
    found = engine_load.work(Member(resolve("stream:w512")), own, 512).operation
    assert one["MHz (placed)"] == "200 (210)"
    assert float(one["per second"].replace(",", "")) == pytest.approx(
        metrics.rate(found, metrics.period(names.RATED_MHZ["ecp5"])), abs=0.5
    )


def test_the_page_has_the_table(tmp_path: Path) -> None:
    assert readme.devices_table(View(Store(tmp_path))).count("\n") == 2
    assert any("devices" in renders for renders in readme.tables().values())
