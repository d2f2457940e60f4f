# SPDX-License-Identifier: Apache-2.0
"""Reasons why measured costs of nedjah2002 differ from printed ones: each is proved by a count."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.papers import load
from perle.report.papers import nedjah2002
from perle.report.papers.table import Measured
from perle.results.view import View
from tests.stores import Given, view

NEDJAH = load("nedjah2002")


def counted_clbs(area: float, registers: float) -> Given:
    """Return synthesis results at the printed clocks, with this area and number of flip-flops per bit."""
    given: Given = {}
    for bits in nedjah2002.SIZES:
        for kind in (nedjah2002.IM, nedjah2002.SM):
            clock = float(NEDJAH[f"clock_{kind.lower()}_{bits}"].number)
            given[nedjah2002.core(kind, bits), "xcve"] = {
                "clbs_min": area * bits,
                "lut": 4.0 * bits,
                "ff": registers * bits,
                "logic_levels": float(bits),
            }
            given[nedjah2002.core(kind, bits), "ecp5_6"] = {"fmax_mhz": 1000 / clock}
    return given


def test_every_ratio_of_nedjah_that_is_far_off_says_why(tmp_path: Path) -> None:
    page = nedjah2002.table11(Measured(view(tmp_path, counted_clbs(3.0, 9.0))))
    rows = {one.label: one for one in page.rows}
    far = [
        one
        for one in page.rows
        if one.measured and one.printed and abs(one.measured / one.printed - 1) > nedjah2002.FAR
    ]
    assert far
    assert all(one.note for one in far)
    area = rows[NEDJAH["area_sm_1024"].what]
    assert area.note.startswith(
        "A, B, M, MB, R take 1,280 CLBs at least; here 9,216 flip-flops and 4,096 LUTs"
    )
    clock = rows[NEDJAH["clock_im_1024"].what]
    assert "1,024 levels of logic on Virtex-E: 0.32 ns each as printed, 0.316 ns here" in clock.note


def test_printed_areas_of_nedjah_cannot_hold_the_registers() -> None:
    """Cause of the ratios of areas: the registers in the paper's drawing need more CLBs than are printed."""
    for bits in nedjah2002.SIZES:
        assert NEDJAH[f"area_im_{bits}"].number < nedjah2002.holding(nedjah2002.IM, bits)
        if bits > 128:
            assert NEDJAH[f"area_sm_{bits}"].number < nedjah2002.holding(nedjah2002.SM, bits)


@pytest.mark.recorded
@pytest.mark.parametrize("kind", [nedjah2002.IM, nedjah2002.SM])
def test_printed_periods_of_nedjah_are_levels_of_logic(kind: str) -> None:
    """Cause of the ratios of clocks: the printed time per logic level (of our netlist) is about constant."""
    measured = Measured(View())
    each = []
    for bits in nedjah2002.SIZES:
        levels = measured(nedjah2002.core(kind, bits), nedjah2002.AREA, "logic_levels").value
        assert levels
        each.append(float(NEDJAH[f"clock_{kind.lower()}_{bits}"].number) / levels)
    mean = sum(each) / len(each)
    assert all(0.7 < one / mean < 1.3 for one in each), each


def test_an_order_turned_by_areas_that_cannot_be_has_that_cause(tmp_path: Path) -> None:
    """Equal areas: the SM has the better area × period at every size; with the printed areas it has not."""
    page = nedjah2002.table11(Measured(view(tmp_path, counted_clbs(3.0, 9.0))))
    said = {one.what: one for one in page.conclusions}
    turned = said["area × period, 128 bits"]
    assert turned.same is False
    assert turned.cause.startswith("printed areas cannot hold IM's 128 CLBs of registers in 89")
    first = said["bits from which on the SM has the better area × period"]
    assert (first.measured, first.cause) == ("128", "that of the sizes that differ")
    assert said["area, 128 bits"].same is False  # a tie of areas is not what the paper has
    assert said["area, 128 bits"].cause == ""
