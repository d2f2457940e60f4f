# SPDX-License-Identifier: Apache-2.0
"""Products and powers in numbers, and inverses, are those of Python's integers."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from perle.host import Boards, Mode, inverse, modexps, mulmods
from perle.verify.cases import edge_moduli

pytest_plugins = ["perle.host.fixtures"]

WIDTH = 1024


@pytest.fixture
def four(softboard: Path, monkeypatch: pytest.MonkeyPatch) -> Boards:
    """Return four software boards."""
    monkeypatch.setenv("SOFTBOARD", f"width={WIDTH}")
    return Boards(f"sim:{softboard},boards=4")


def test_products_and_powers_in_their_order(four: Boards) -> None:
    random = Random(1)
    with four:
        for m in edge_moduli(WIDTH):
            xs = [0, 1, m - 1, *(random.randrange(m) for _ in range(9))]
            ys = [m - 1, 0, m - 1, *(random.randrange(m) for _ in range(9))]
            found = mulmods(four, xs, ys, m)
            assert [one.value for one in found] == [x * y % m for x, y in zip(xs, ys, strict=True)]
            exponents = [random.getrandbits(60) for _ in xs]
            powers = modexps(four, xs, exponents, m, bits=60)
            assert [one.value for one in powers] == [pow(x, e, m) for x, e in zip(xs, exponents, strict=True)]
        assert all(one.operations > 0 for one in four.stats())
        [short] = modexps(four, [3], [5], m, mode=Mode.BINARY)
        assert short.value == 243


def test_sequences_of_different_lengths_are_refused(boards: Boards) -> None:
    for call in (mulmods, modexps):
        with pytest.raises(ValueError, match="shorter"):
            call(boards, [1, 2], [3], 101)
    assert mulmods(boards, [], [], 101) == []


def test_inverses(boards: Boards) -> None:
    random = Random(2)
    for m in (3, 101, (1 << 512) - 569, *edge_moduli(WIDTH)):
        for x in (1, 2, m - 1, random.randrange(1, m)):
            try:
                wanted = pow(x, -1, m)
            except ValueError:
                with pytest.raises(ValueError, match="common divisor"):
                    inverse(boards, x, m)
            else:
                found = inverse(boards, x, m)
                assert found.value == wanted
                assert found.cycles > 0
    with pytest.raises(ValueError, match="common divisor"):
        inverse(boards, 21, 49 * 11)
