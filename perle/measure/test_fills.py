# SPDX-License-Identifier: Apache-2.0
"""Engines that fill a device: of a device that is known, within what it has, and no tile more would fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from perle.cores.core_toml import Placed
from perle.cores.registry import Config, families, load, resolve
from perle.cores.tile.engine import model
from perle.cores.tile.model import CONTEXTS
from perle.results import names
from perle.results.identity import stale
from perle.results.parts import Member, filling, members
from tests.stores import made_up

FILLED = [
    (device, family.config(name))
    for family in families().values()
    if family.engine is not None
    for device, entries in family.engine.fills.items()
    for name in entries
]
TILE = families()["tile"]
FILLING = [config.name for device, config in FILLED if (device, config.family) == ("ecp5", TILE)]


def fits(device: str, several: Sequence[Member]) -> bool:
    """Return whether tiles' engines fit, by multipliers and block memories; LUTs only tools know."""
    there = names.CAPACITY[device]
    multipliers = sum(model.multipliers(one.engine_lanes) for one in several)
    memories = sum(model.block_memories(one.config.params, one.engine_lanes) for one in several)
    return multipliers <= there[names.DSP] and memories <= there[names.BRAM]


@pytest.mark.parametrize(("device", "config"), FILLED, ids=lambda one: getattr(one, "spec", one))
def test_they_fit_their_device(device: str, config: Config) -> None:
    assert filling(config)
    several = members(config, "engines", f"{device}_8")
    assert several == members(config, "engines", f"{device}_6")
    assert config in [one.config for one in several]
    if config.family.name == "tile":
        assert fits(device, several)
        assert all(one.lanes % CONTEXTS == 0 for one in several)


@pytest.mark.parametrize(
    ("spec", "device"), [("tile:w1024", "ecp5_25"), ("tile:w1024", "ecp5_45"), ("tile:w2048", "ecp5")]
)
def test_one_more_tile_does_not_fit(spec: str, device: str) -> None:
    """On any of the engines."""
    several = members(resolve(spec), "engines", f"{device}_8")
    for i, one in enumerate(several):
        more = replace(one, lanes=one.lanes + CONTEXTS)
        assert not fits(device, (*several[:i], more, *several[i + 1 :]))


@pytest.mark.parametrize("name", [one for one in TILE.configs if one not in FILLING])
def test_three_engines_fit_the_largest_device(name: str) -> None:
    """By multipliers and block memories, whether they are co-placed or not."""
    config = resolve(f"tile:{name}")
    three = (Member(config),) * 3
    assert fits("ecp5", three)
    assert [one.engine_lanes for one in three] == [CONTEXTS * model.ENGINE_TILES] * 3
    assert members(config, "engines") in (three, three[:1])


def test_elsewhere_they_are_those_beside_the_configuration() -> None:
    config = resolve("tile:w1024")
    assert members(config, "engines", "ecp5_8") == members(config, "engines") == (Member(config),) * 3
    assert members(config, "engine", "ecp5_25_8") == (Member(config),)
    assert not filling(resolve("tile:w256"))
    assert not filling(resolve("orup:w512"))


def test_a_result_holds_for_the_lanes_it_was_measured_with(monkeypatch: pytest.MonkeyPatch) -> None:
    one = made_up("tile:w1024", "ecp5_25_8", {"fmax_mhz": 150.0}, part="engines")
    assert stale(one) == []
    own = resolve("tile:w1024").family.engine
    assert own is not None
    fewer = {"w1024": tuple(Placed(each.config, 12) for each in own.fills["ecp5_25"]["w1024"])}
    monkeypatch.setitem(own.fills, "ecp5_25", fewer)
    assert stale(one) == ["other parameters"]


def test_what_core_toml_says_of_them(tmp_path: Path) -> None:
    text = (families()["tile"].folder / "core.toml").read_text(encoding="utf-8")
    path = tmp_path / "core.toml"
    path.write_text(text.replace("{ lanes = 20 }, { lanes = 16 }", '{ config = "w512", lanes = 8 }'))
    own = load(path).engine
    assert own is not None
    [one] = own.fills["ecp5_45"]["w1024"]
    assert (one.config, one.lanes) == ("w512", 8)
    path.write_text(text.replace("{ lanes = 20 }, { lanes = 16 }", "{ tiles = 8 }"))
    with pytest.raises(ValueError, match="tiles"):
        load(path)
