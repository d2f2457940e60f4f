# SPDX-License-Identifier: Apache-2.0
"""The same cycles for all secrets in constant time; a mode that is not is told as one that should be."""

from __future__ import annotations

from perle.cores.registry import resolve
from perle.trust import leakage

W64 = resolve("orup:w64")


def test_constant_time_is_constant() -> None:
    found = leakage.measure(W64, 1, seconds=60, trials=8)
    assert found.failures == 0
    assert [found.counts[f"{name}: different"] for name in leakage.CONSTANT] == [1, 1, 1]
    assert found.counts["binary: different"] > 1
    assert found.counts["window: least"] > 1000


def test_what_varies_is_told() -> None:
    found = leakage.measure(W64, 1, seconds=60, trials=8, constant=(*leakage.CONSTANT, "binary"))
    assert found.failures == 1
    assert found.failed[0].startswith("binary took")


def test_what_is_always_the_same_shows_nothing() -> None:
    found = leakage.measure(W64, 1, seconds=60, trials=3, constant=("ladder", "rsa", "binary"))
    assert any("window always took" in text for text in found.failed)
