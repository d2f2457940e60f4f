# SPDX-License-Identifier: Apache-2.0
"""Suggestions of a study: no point twice, all points in the end, and fewer that cannot be built."""

from __future__ import annotations

import pytest

pytest.importorskip("optuna", reason="no optuna: make setup")
from perle.explore.how import Method
from perle.explore.points import Place, Points, of_space
from perle.explore.space import Grid, Space
from perle.explore.study import Study


def points(**values: tuple[int, ...]) -> Points:
    [found] = of_space(Space((Grid("orup", {"Width": (64,), **values}),), ("ecp5_8",)))
    return found


SMALL = points(RadixBits=(9, 10, 11), ChainSegments=(1, 2, 3, 4))
LARGE = points(RadixBits=tuple(range(3, 19)), ChainSegments=tuple(range(1, 17)))


@pytest.mark.parametrize("method", Method)
def test_every_point_once(method: Method) -> None:
    study = Study(SMALL, method, 12, 2, seed=3)
    found = [study.take((0, 1, 2))]
    study.tell(found[0], [1.0, 2.0])
    for _ in range(11):
        place = study.ask()
        assert place is not None
        found.append(place)
        study.tell(place, [float(place[1]), float(-place[2])])
    assert sorted(found) == sorted(SMALL.numbered(number) for number in range(12))
    assert study.ask() is None


@pytest.mark.parametrize("method", Method)
def test_answers_may_be_late_or_never_come(method: Method) -> None:
    study = Study(LARGE, method, 40, 2, seed=1)
    waiting: list[Place] = []
    for number in range(40):
        place = study.ask()
        assert place is not None
        assert place not in waiting
        waiting.append(place)
        if number % 4 == 3:
            study.tell_lost(waiting.pop(0))
            study.tell(waiting.pop(), [float(place[1]), float(place[2])])


@pytest.mark.parametrize("method", Method)
def test_what_cannot_be_built_is_suggested_less(method: Method) -> None:
    """Half of the points cannot be built, independently of their costs."""
    wrong = 0
    for seed in range(4):
        study = Study(LARGE, method, 60, 2, seed)
        for number in range(60):
            place = study.ask()
            assert place is not None
            if place[1] < 8:
                study.tell_infeasible(place)
                wrong += number >= 20
            else:
                study.tell(place, [float(place[2]), -float(place[2])])
    assert wrong < 0.4 * 4 * 40
