# SPDX-License-Identifier: Apache-2.0
"""Points generated on demand: the same as the listed ones of a space, and each can be found again."""

from __future__ import annotations

import pytest

from perle.cores.registry import UnknownCoreError, resolve_any
from perle.explore.points import START, Points, of_space
from perle.explore.space import Grid, Space, SpaceError, all_configs

ORUP = Grid("orup", {"Width": (64, 128), "RadixBits": (17, 16, 20), "QuotientDelay": (0, 1)})
SCALABLE = Grid("scalable", {"Elements": (8, 16)}, ("r2_w16_p8_n256", "r4_w16_p8_n256"))
STREAM = Grid("stream", {"Width": (64,), "RadixBits": (17, 18), "Fold": (1, 2)})


def listed(points: Points) -> list[str]:
    found = []
    for number in range(points.size):
        try:
            found.append(points.config(points.numbered(number)).spec)
        except UnknownCoreError:
            found.append("")
    return found


def test_they_are_those_of_the_listed_space() -> None:
    space = Space((ORUP, SCALABLE, STREAM), ("ecp5_8",))
    made = [name for points in of_space(space) for name in listed(points) if name]
    configs, left = all_configs(space)
    assert sorted(made) == sorted(one.spec for one in configs)
    assert sum(points.size for points in of_space(space)) == len(made) + len(left)
    assert {points.width: points.size for points in of_space(space)} == {64: 10, 128: 6, 256: 4}


def test_a_configuration_is_found_again() -> None:
    for points in of_space(Space((ORUP, SCALABLE, STREAM), ("ecp5_8",))):
        for number in range(points.size):
            place = points.numbered(number)
            genes = points.described(place)
            assert points.place(genes) == place
            assert all(0 <= genes[name] < count for name, count in points.genes.items())
            try:
                config = points.config(place)
            except UnknownCoreError:
                continue
            assert place in points.places(config)
        with pytest.raises(IndexError):
            points.numbered(points.size)


@pytest.mark.parametrize(
    "core", ["orup:w64+ChainSegments=2", "orup:w64+RadixBits=15", "orup:w256", "lowlat:w64"]
)
def test_what_is_not_of_the_space(core: str) -> None:
    [points, _] = of_space(Space((ORUP,), ("ecp5_8",)))
    assert list(points.places(resolve_any(core))) == []


def test_equal_values_share_a_gene_and_starts_of_one_point_are_both_found() -> None:
    [points] = of_space(
        Space((ORUP.__class__("orup", {"Width": (64,), "RadixBits": (16, 17)}), STREAM), ("x",))
    )
    assert points.genes == {START: 2, "RadixBits": 2, "RadixBits#1": 2, "Fold": 2}
    [points] = of_space(Space((SCALABLE, Grid("scalable", {"Elements": (8,)})), ("x",)))
    assert points.genes == {START: 3, "Elements": 2, "Elements#1": 1}
    assert len(list(points.places(resolve_any("scalable:r2_w16_p8_n256")))) == 2
    assert points.text((0, 1)).startswith("scalable:r2_w16_p8_n256 Width=256 ")


def test_a_space_of_more_points_than_can_be_listed() -> None:
    sizes = {"Width": (256,), "WordWidth": (8, 16, 32), "Elements": tuple(range(1, 257)), "Kind": (0, 1, 2)}
    [points] = of_space(Space((Grid("scalable", sizes),), ("xc6v",)))
    assert points.size == 3 * 256 * 3
    four = ("LeafWidth", "LimbWidth", "SplitLeaf", "Fold")
    grid = Grid("karatsuba", {name: tuple(range(100)) for name in four})
    [points] = of_space(Space((grid,), ("xc6v",)))
    assert points.size == 10**8
    assert points.numbered(12_345_678) == (0, 12, 34, 56, 78)


def test_a_space_that_makes_no_sense() -> None:
    wrong = Grid("orup", {"Widht": (1,)})
    for grid, said in ((Grid("orp"), "no core family"), (wrong, "no parameter Widht")):
        with pytest.raises(SpaceError, match=said):
            of_space(Space((grid,), ("ecp5_8",)))
