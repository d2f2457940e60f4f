# SPDX-License-Identifier: Apache-2.0
"""Devices of one family: each has its own limits, and its own engines that fill it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from perle.cores.registry import resolve
from perle.cores.tile.engine import model
from perle.report.choose.candidates import Basis
from perle.report.choose.choice import Choice, choose, share
from perle.report.choose.commands import build
from perle.report.choose.pace import pace
from perle.report.choose.question import Operation, Question
from perle.results import names
from tests.asked import cells
from tests.stores import Given, store

LARGE, MIDDLE, SMALL = "ecp5_8", "ecp5_45_8", "ecp5_25_8"
TILES = {LARGE: 18, MIDDLE: 9, SMALL: 4}
GIVEN: Given = {
    **{("tile:w1024", f"{target}/engines"): cells(14_000, 150, dsp=25.0, bram=43.0) for target in TILES},
    ("stream:w512", f"{SMALL}/engine"): cells(7000, 190, dsp=61.0, bram=38.0),
    ("stream:w512", f"{MIDDLE}/engine"): cells(7000, 190, dsp=61.0, bram=38.0),
}


def ask(folder: Path, target: str, bits: int) -> Choice:
    return choose(Question(Operation.rsa_crt, bits, (target,)), store(folder, GIVEN))


def test_what_a_device_has_is_the_limit(tmp_path: Path) -> None:
    found = ask(tmp_path, SMALL, 1024)
    assert [one.candidate.point.core for one in found.fits] == ["tile:w1024"]
    [near] = found.near
    assert near.candidate.point.core == "stream:w512"
    assert near.why == "multipliers 61 is 33 (118 %) above 28, all of the device"
    assert {one.candidate.point.core for one in ask(tmp_path, MIDDLE, 1024).fits} == {
        "stream:w512",
        "tile:w1024",
    }


def test_a_share_is_of_the_device() -> None:
    figures = {names.LUTS: 12_144.0, names.DSP: 7.0}
    assert share(figures, SMALL) == share(figures, "ecp5_25_6") == pytest.approx(0.5)
    assert share(figures, LARGE) == pytest.approx(12_144 / 83_640)


def test_engines_do_as_much_as_the_device_has_tiles(tmp_path: Path) -> None:
    """Each tile issues a turn every four cycles, less the losses by loading, with these lanes."""
    config, lanes = resolve("tile:w1024"), {LARGE: (24, 24, 24), MIDDLE: (20, 16), SMALL: (16,)}
    for target, tiles in TILES.items():
        each = model.turns(config.params) * 2 * 1297 / tiles
        interval = pace(config, "engines", Operation.rsa_crt, 2048, target).interval
        assert each <= interval < 1.04 * each
        best = ask(tmp_path / target, target, 2048).best
        assert best is not None
        assert best.candidate.figures["rate"] == pytest.approx(150e6 / interval)
        told = build(best.candidate)
        assert [f"--lanes {count} " in one for one, count in zip(told, lanes[target], strict=True)] == [
            True
        ] * len(told)


def test_cells_are_those_of_another_device_and_clocks_nearly(tmp_path: Path) -> None:
    """The clock's error is derived from two parts on both devices, whose clocks differ by 5 and 20 %."""
    given: Given = {
        ("orup:w64", LARGE): cells(900, 200, dsp=5.0),
        ("orup:w64", SMALL): cells(900, 210, dsp=5.0),
        ("orup:w128", LARGE): cells(1500, 150, dsp=9.0),
        ("orup:w128", SMALL): cells(1500, 180, dsp=9.0),
        ("stream:w256", LARGE): cells(3000, 190, dsp=33.0),
        ("orup:w256", LARGE): cells(2700, 140, dsp=17.0),
        ("orup:w256", "ecp5_6"): cells(1, 1),
        ("orup:w256", "lifcl40_9"): cells(1, 1),
    }
    found = choose(Question(Operation.mul, 256, (SMALL,)), store(tmp_path, given))
    [one] = [judged.candidate for judged in found.unmeasured]
    assert (one.point.core, one.point.target, one.basis) == ("orup:w256", SMALL, Basis.predicted)
    assert (one.figures[names.LUTS], one.figures[names.DSP], one.clock_mhz) == (2700, 17, 140)
    assert one.errors["rate"] == pytest.approx(0.2)
    assert names.LUTS not in one.errors
    assert one.sources == "w256 on ecp5_8"
    assert [judged.candidate.point.core for judged in found.near] == ["stream:w256"]  # 33 of 28 multipliers
    few = {key: value for key, value in given.items() if key != ("orup:w128", SMALL)}
    assert choose(Question(Operation.mul, 256, (SMALL,)), store(tmp_path / "few", few)).unmeasured == ()


def test_devices_of_a_family() -> None:
    assert names.siblings(SMALL) == (LARGE, MIDDLE)
    assert names.siblings("ecp5_6") == ("ecp5_45_6", "ecp5_25_6")
    assert names.siblings("lifcl40_9") == names.siblings("ihp130") == names.siblings("xc7") == ()
    assert [names.device(one) for one in (LARGE, SMALL, "xc7")] == ["ecp5", "ecp5_25", "xc7"]


def test_an_engine_of_the_usual_size_is_the_same_everywhere() -> None:
    config = resolve("stream:w512")
    found = {target: pace(config, "engine", Operation.rsa_crt, 1024, target) for target in TILES}
    assert len({dataclasses.astuple(one) for one in found.values()}) == 1
