# SPDX-License-Identifier: Apache-2.0
"""A routed engine behaves as its sources; wrong results, and one with open wires, are found."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from perle.host import Boards, PerleError
from perle.host.boards import Mode, Result
from perle.soc import modules
from perle.trust import routed
from perle.trust.parts import Wanted
from tests.open_wires import without_a_factor_bit

pytest_plugins = ["perle.host.fixtures"]

CASE = routed.CASES[0]


@pytest.fixture
def path(softboard: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a software board as wide as the engine, with as many lanes."""
    monkeypatch.setenv("SOFTBOARD", f"width={CASE.core.config.width},lanes={CASE.lanes}")
    return softboard


def found(boards: Boards) -> tuple[int, list[str]]:
    return routed.differences(boards, CASE, Random(1))


def test_the_operations_are_right_on_a_right_board(path: Path) -> None:
    with Boards(path) as boards:
        count, wrong = found(boards)
        assert wrong == []
        assert count > 40
        assert min(one.operations for one in boards.stats()) > 0


class Wrong(Boards):
    """Boards with wrong products, which refuse powers of moduli below 8."""

    def mulmod(self, x: int, y: int, m: int) -> Result:
        right = super().mulmod(x, y, m)
        return Result(right.value ^ 1, right.cycles)

    def modexp(
        self, base: int, exponent: int, m: int, *, mode: Mode = Mode.WINDOW, bits: int | None = None
    ) -> Result:
        if m < 8:
            raise PerleError(-1, "PERLE_ERR_FAULT", "refused")
        return super().modexp(base, exponent, m, mode=mode, bits=bits)


def test_wrong_results_are_found(path: Path) -> None:
    with Wrong(path) as boards:
        count, wrong = found(boards)
    products, refused = [one for one in wrong if "·" in one], [one for one in wrong if "refused" in one]
    assert len(products) == (count - CASE.lanes * routed.ROUNDS) // 2
    assert len(refused) == 3
    assert len(wrong) == len(products) + len(refused)


def test_both_engines_are_cases() -> None:
    assert [one.case for one in routed.tasks(Wanted())] == [
        f"{name}:w64,lanes=4" for name in ("stream", "tile")
    ]
    assert [one.case for one in routed.tasks(Wanted("tile"))] == ["tile:w64,lanes=4"]
    assert list(routed.tasks(Wanted("orup"))) == []


@pytest.mark.wide
def test_a_netlist_with_open_wires_is_found(tmp_path: Path) -> None:
    pytest.importorskip("litex", reason=modules.INSTALL)
    broken = without_a_factor_bit(routed.netlist(CASE), tmp_path)
    assert routed.compare(CASE, 1, broken).failures > 0
