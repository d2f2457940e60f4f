# SPDX-License-Identifier: Apache-2.0
"""Placement of cells in rows by Coloquinte."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from perle.flow import placer, tools
from perle.flow.placer import ROW_UM, SITE_UM, Core, core, place
from perle.flow.tools import ToolError, ToolMissing

CELLS = [f"g{number}" for number in range(300)]
WIDTHS = {name: 2 + number % 7 for number, name in enumerate(CELLS)}
AREA = core(sum(WIDTHS.values()), 0.7)
SHUFFLED = Random(1).sample(CELLS, len(CELLS))
CHAIN = [*map(list, pairwise(SHUFFLED))]


def length(at: dict[str, tuple[float, float]]) -> float:
    """Return the length of the wires of the chain."""
    return sum(abs(at[a][0] - at[b][0]) + abs(at[a][1] - at[b][1]) for a, b in CHAIN)


def rows(at: dict[str, tuple[float, float]]) -> dict[float, list[tuple[float, float]]]:
    """Return where the cells of each row begin and end, and check that they are in the core."""
    found: dict[float, list[tuple[float, float]]] = {}
    for name, (x, y) in at.items():
        row, half = (y - ROW_UM / 2) / ROW_UM, WIDTHS[name] * SITE_UM / 2
        assert row == pytest.approx(round(row))
        assert 0 <= round(row) < AREA.rows
        found.setdefault(round(row), []).append((x - half, x + half))
    return {row: sorted(cells) for row, cells in found.items()}


def legal(at: dict[str, tuple[float, float]]) -> bool:
    """Whether all cells are in the core, and none overlaps another."""
    apart = 1e-9
    return at.keys() == WIDTHS.keys() and all(
        cells[0][0] > -apart
        and cells[-1][1] < AREA.sites * SITE_UM + apart
        and all(one[1] < other[0] + apart for one, other in pairwise(cells))
        for cells in rows(at).values()
    )


def test_a_core_is_nearly_square_and_as_full_as_asked() -> None:
    assert AREA.um2 == pytest.approx(sum(WIDTHS.values()) * SITE_UM * ROW_UM / 0.7, rel=0.03)
    assert AREA.rows * ROW_UM == pytest.approx(AREA.sites * SITE_UM, rel=0.1)


def test_cells_are_placed_without_overlap_and_near_those_they_are_wired_to(tmp_path: Path) -> None:
    found = place(WIDTHS, CHAIN, AREA, tmp_path, timeout=60)
    assert legal(found)
    assert length(found) / len(CHAIN) < 12
    assert place(WIDTHS, CHAIN, AREA, tmp_path, timeout=60) == found


def test_from_a_start_cells_move_only_as_far_as_they_have_to(tmp_path: Path) -> None:
    first = place(WIDTHS, CHAIN, AREA, tmp_path, timeout=60)
    grown = WIDTHS | {"g0": WIDTHS["g0"] + 4}
    after = place(grown, CHAIN, AREA, tmp_path, start=first, timeout=60)
    moved = sorted(abs(first[name][0] - x) + abs(first[name][1] - y) for name, (x, y) in after.items())
    assert moved[len(moved) // 2] < 3 * ROW_UM
    afresh = place(grown, CHAIN[:1], AREA, tmp_path, start=dict.fromkeys(CELLS, (0.0, 0.0)), timeout=60)
    assert len(set(afresh.values())) == len(CELLS)  # all from one corner


def test_cells_that_do_not_fit_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="coloquinte"):
        place(WIDTHS, CHAIN, Core(2, 20), tmp_path, timeout=60)


def test_without_the_placer_its_installation_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tools, "scripts_dir", lambda: tmp_path)
    with pytest.raises(ToolMissing, match=placer.TOOL):
        place(WIDTHS, CHAIN, AREA, tmp_path, timeout=60)
