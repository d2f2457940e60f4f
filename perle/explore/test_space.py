# SPDX-License-Identifier: Apache-2.0
"""The configurations of a space, their names, and those that cannot be built, with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.cores.registry import UnknownCoreError, any_family, resolve_any
from perle.explore.space import Grid, Screen, Space, SpaceError, configs, expand, read

ORUP = Grid("orup", {"Width": (64, 512), "RadixBits": (16, 17, 20), "QuotientDelay": (0, 1)})


def test_every_combination_has_a_name_that_resolves_to_it() -> None:
    found, left = configs(ORUP)
    assert len(found) == 8
    assert len(left) == 4
    for one in found:
        assert resolve_any(one.spec).params == one.params
    names = {one.name for one in found}
    # a listed configuration keeps its name, others are named after the most similar one
    scalable, _ = configs(Grid("scalable", {"Elements": (8, 16)}, ("r2_w16_p8_n256",)))
    assert [one.name for one in scalable] == ["r2_w16_p8_n256", "r2_w16_p16_n256"]
    assert {"w64", "w512", "w512_d1", "w64+RadixBits=16", "w512_d1+RadixBits=16"} <= names


def test_what_cannot_be_built_is_told_with_its_reason() -> None:
    _, left = configs(ORUP)
    assert left[0].what == "orup Width=64 RadixBits=20 QuotientDelay=0"
    assert left[0].reason == "orup: RadixBits = 20 is outside 3…18"
    runs, left = expand(Space((Grid("orup", {"Width": (64,)}),), ("ihp130",), part="engine"))
    assert runs == []
    assert [one.what for one in left] == ["orup:w64"]
    assert "no part 'engine'" in left[0].reason


def test_runs_are_configurations_by_targets_by_seeds() -> None:
    space = Space(
        (Grid("orup", names=("w64", "w64")), Grid("iterative", {"Width": (64,)})), ("ecp5", "xcve"), seeds=2
    )
    runs, left = expand(space)
    assert left == []
    assert [one.text for one in runs][:5] == [
        "orup:w64 (mul) on ecp5_6, seed 1",
        "orup:w64 (mul) on ecp5_6, seed 2",
        "orup:w64 (mul) on ecp5_8, seed 1",
        "orup:w64 (mul) on ecp5_8, seed 2",
        "orup:w64 (mul) on xcve",
    ]
    assert len(runs) == 10


def test_a_target_that_lacks_a_part_leaves_the_others() -> None:
    runs, left = expand(Space((Grid("orup", names=("w512",)),), ("ecp5_8", "xc6v"), part="exp_pair"))
    assert [one.text for one in runs] == ["orup:w512 (exp_pair) on ecp5_8, seed 1"]
    assert [one.what for one in left] == ["orup:w512"]
    runs, left = expand(Space((Grid("orup", names=("w512",)),), ("ecp5_8", "xc6v"), part="none"))
    assert (runs, len(left)) == ([], 1)


FILE = """
targets = ["ecp5_8"]
seeds = 3
[screen]
target = "xc6v"
near = 0.5
[[cores]]
family = "orup"
Width = 512
RadixBits = [16, 17]
[[cores]]
family = "scalable"
configs = ["r2_w16_p8_n256"]
"""


def test_a_file_says_the_same(tmp_path: Path) -> None:
    path = tmp_path / "space.toml"
    path.write_text(FILE)
    assert read(path) == Space(
        (Grid("orup", {"Width": (512,), "RadixBits": (16, 17)}), Grid("scalable", {}, ("r2_w16_p8_n256",))),
        ("ecp5_8",),
        seeds=3,
        screen=Screen("xc6v", 0.5),
    )


def test_clocks_are_an_axis(tmp_path: Path) -> None:
    path = tmp_path / "space.toml"
    path.write_text(f"clocks = [200, 250.0]\n{FILE}")
    assert read(path).targets == ("ecp5_8@200", "ecp5_8@250")
    runs, left = expand(Space((Grid("orup", names=("w64",)),), read(path).targets))
    assert [one.text for one in runs] == [f"orup:w64 (mul) on ecp5_8@{mhz}, seed 1" for mhz in (200, 250)]
    assert left == []
    with pytest.raises(SpaceError, match="ihp130 takes no clock"):
        expand(Space((Grid("orup", names=("w64",)),), ("ihp130@200",)))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("seeds = 3", "sedes = 3", "sedes"),
        ("seeds = 3", "clocks = [0]", "clocks"),
        ("seeds = 3", 'clocks = ["200"]', "clocks"),
        ("seeds = 3", 'seeds = "3"', "seeds"),
        ("seeds = 3", "seeds = 0", "seeds"),
        ("seeds = 3", "seeds = 101", "seeds"),
        ('targets = ["ecp5_8"]', "targets = []", "targets"),
        ("near = 0.5", "near = -1", "near"),
        ("near = 0.5", "near = nan", "near"),
        ("Width = 512", 'Width = "512"', "orup.Width: not a number"),
        ("Width = 512", "Width = []", "orup.Width: not a number"),
        ("Width = 512", "Width = true", "orup.Width: not a number"),
        ("Width = 512", "configs = []", "orup.configs: empty"),
        ("[screen]", "[screen", "line"),
        ('family = "orup"', "", "family"),
    ],
)
def test_a_file_that_makes_no_sense(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = tmp_path / "space.toml"
    path.write_text(FILE.replace(old, new, 1))
    with pytest.raises(SpaceError, match=r"space\.toml: ") as fault:
        read(path)
    assert said in str(fault.value)


@pytest.mark.parametrize(
    ("space", "said"),
    [
        (Space((Grid("orp"),), ("ecp5_8",)), "no core family 'orp'"),
        (Space((Grid("orup", {"Widht": (64,)}),), ("ecp5_8",)), "no parameter Widht"),
        (Space((Grid("orup", names=("w",)),), ("ecp5_8",)), "no configuration 'w'"),
        (Space((Grid("orup"),), ("ecp6",)), "no target 'ecp6'"),
    ],
)
def test_a_space_that_makes_no_sense(space: Space, said: str) -> None:
    with pytest.raises(SpaceError, match=said):
        expand(space)


@pytest.mark.parametrize(
    "name", ["w64+", "w64+RadixBits", "w64+RadixBits=x", "w64+Radix=16", "w64+RadixBits=99", "+Width=64"]
)
def test_changes_that_make_no_sense(name: str) -> None:
    with pytest.raises(UnknownCoreError):
        any_family("orup").config(name)
