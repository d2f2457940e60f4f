# SPDX-License-Identifier: Apache-2.0
"""The same cycles for all secrets in constant time; a mode that is not is told as one that should be.

Activity tells of a base, and of a blinded one nothing; bases that are not blinded would be told.
"""

from __future__ import annotations

from math import inf, isclose

import pytest

from perle.cores.registry import resolve
from perle.trust import leakage, toggles
from perle.trust.records import Run

W64 = resolve("orup:w64")


def test_constant_time_is_constant() -> None:
    found = leakage.measure(W64, 1, seconds=60, trials=8, traces=0)
    assert found.failures == 0
    assert [found.counts[f"{name}: different"] for name in leakage.CONSTANT] == [1, 1, 1]
    assert found.counts["binary: different"] > 1
    assert found.counts["window: least"] > 1000


def test_what_varies_is_told() -> None:
    found = leakage.measure(W64, 1, seconds=60, trials=8, constant=(*leakage.CONSTANT, "binary"), traces=0)
    assert found.failures == 1
    assert found.failed[0].startswith("binary took")


def test_what_is_always_the_same_shows_nothing() -> None:
    found = leakage.measure(W64, 1, seconds=60, trials=3, constant=("ladder", "rsa", "binary"))
    assert any("window always took" in text for text in found.failed)


def test_the_t_of_two_samples() -> None:
    """Means 2 and 4 with variances of 1 each, three numbers each; constants that differ; that do not."""
    kinds = [toggles.Sums([0] * 3, [0] * 3) for _ in range(2)]
    for trace in ((1, 5, 7), (2, 5, 7), (3, 5, 7)):
        kinds[0].add(trace)
    for trace in ((3, 6, 7), (4, 6, 7), (5, 6, 7)):
        kinds[1].add(trace)
    found = toggles.welch(*kinds)
    assert isclose(found[0], 2 / (2 / 3) ** 0.5)
    assert found[1:] == [inf, 0.0]
    assert toggles.limit(1) == pytest.approx(3.29, abs=0.01)


def test_activity_tells_of_a_base_and_of_a_blinded_one_nothing() -> None:
    mine = Run(leakage.NAME, W64.spec, 1)
    counts = leakage.activity(mine, W64, 400)
    assert mine.failed == []
    assert counts["toggles: |t| plain"] > 10
    assert counts["toggles: |t| blinded"] < counts["toggles: |t| by chance"]


def test_bases_that_are_not_blinded_are_told() -> None:
    mine = Run(leakage.NAME, W64.spec, 1)
    leakage.activity(mine, W64, 200, blinding=False)
    assert [text.partition(":")[0] for text in mine.failed] == ["activity on blinded bases tells of the base"]


def test_activity_in_which_nothing_is_seen_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toggles, "limit", lambda _: 1000.0)
    mine = Run(leakage.NAME, W64.spec, 1)
    leakage.activity(mine, W64, 40)
    assert any("no difference can be seen in the activity" in text for text in mine.failed)
