# SPDX-License-Identifier: Apache-2.0
"""Reasons why measured costs of nedjah2002 differ from printed ones: each is proved by a count."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.cores.registry import resolve
from perle.papers import load
from perle.report.papers import nedjah2002
from perle.report.papers.table import Conclusion, Measured
from perle.report.papers.test_papers_tables import by_label, said
from perle.results import metrics
from perle.results.view import View
from tests.stores import Given, view

NEDJAH = load("nedjah2002")
CROSSOVER = "bits from which on the SM has the better area × period"


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
    rows = by_label(page)
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
    given = counted_clbs(3.0, 9.0) | {(nedjah2002.core("IM", 1024), "ecp5_6"): {"fmax_mhz": 1000 / 51.2}}
    clock = by_label(nedjah2002.table11(Measured(view(tmp_path, given))))[clock.label]
    assert "0.32 ns each as printed, 0.050 ns here" in clock.note


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
    found = said(page)
    turned = found["area × period, 128 bits"]
    assert turned.same is False
    assert turned.cause.startswith("printed areas cannot hold IM's 128 CLBs of registers in 89")
    first = found[CROSSOVER]
    assert (first.measured, first.cause) == ("128", "that of the sizes that differ")
    assert found["area, 128 bits"].same is False  # a tie of areas is not what the paper has
    assert found["area, 128 bits"].cause == ""


def as_printed(**areas: float) -> Given:
    """Return printed clocks and areas, but for the areas of `sm_512` and the like that are given."""
    given: Given = {}
    for bits in nedjah2002.SIZES:
        for kind in (nedjah2002.IM, nedjah2002.SM):
            key = f"{kind.lower()}_{bits}"
            area = areas.get(key, float(NEDJAH[f"area_{key}"].number))
            given[nedjah2002.core(kind, bits), "xcve"] = {"clbs_min": area}
            clock = float(NEDJAH[f"clock_{key}"].number)
            given[nedjah2002.core(kind, bits), "ecp5_6"] = {"fmax_mhz": 1000 / clock}
    return given


def crossover(folder: Path, given: Given) -> Conclusion:
    return said(nedjah2002.table11(Measured(view(folder, given))))[CROSSOVER]


def test_nedjah_from_printed_numbers(tmp_path: Path) -> None:
    given = as_printed()
    for kind in (nedjah2002.IM, nedjah2002.SM):
        del given[nedjah2002.core(kind, 768), "xcve"]
    page = nedjah2002.table11(Measured(view(tmp_path, given)))
    rows = by_label(page)
    for kind in ("im", "sm"):
        claim = NEDJAH[f"at_{kind}_512"]
        assert rows[claim.what].measured == pytest.approx(float(claim.number))
    assert rows[NEDJAH["area_im_768"].what].measured is None
    assert all(one.same is not False for one in page.conclusions)
    first = said(page)[CROSSOVER]
    assert (first.printed, first.measured, first.same) == ("> 512 (from 512 on in its table)", "512", True)


def test_what_turns_an_order_of_nedjah_is_named(tmp_path: Path) -> None:
    page = nedjah2002.table11(Measured(view(tmp_path, as_printed(sm_512=2000.0))))
    turned = said(page)["area × period, 512 bits"]
    assert turned.same is False
    assert "mostly by area" in turned.reason


def test_sizes_above_512_are_as_the_paper_says(tmp_path: Path) -> None:
    """IM better up to 512: the next measured size agrees with "bigger than 512 bits", a later one not."""
    given = as_printed(sm_512=2000.0)
    first = crossover(tmp_path / "a", given)
    assert (first.measured, first.same) == ("768", True)
    del given[nedjah2002.core("SM", 768), "xcve"]
    first = crossover(tmp_path / "b", given)
    assert (first.measured, first.same) == ("1024", True)
    first = crossover(tmp_path / "c", as_printed(sm_512=2000.0, sm_768=2000.0))
    assert (first.measured, first.same) == ("1024", False)
    first = crossover(tmp_path / "d", as_printed(sm_1024=9000.0))
    assert (first.measured, first.same) == ("none of those measured", False)
    above = {place: run for place, run in given.items() if "w1024" in place[0]}
    assert crossover(tmp_path / "e", above).same is None  # nothing is known of smaller sizes


def test_the_size_of_the_better_sm_is_that_of_measured_orders(tmp_path: Path) -> None:
    """A 256-bit SM better by 15 %: near the printed tie, but the SM is better from 256 bits on here."""
    given = as_printed(sm_256=304 / 1.15)
    page = nedjah2002.table11(Measured(view(tmp_path, given)))
    near = said(page)["area × period, 256 bits"]
    assert (near.printed, near.measured, near.same) == ("IM ≈ SM", "SM < IM", True)
    first = said(page)[CROSSOVER]
    assert (first.measured, first.same) == ("256", False)
    assert "256: SM < IM" in first.reason


def test_cycles_of_nedjah_are_those_of_its_figures() -> None:
    """A load and three states for each of n bits; the last of bits 0 to n. Perle's have more iterations."""
    for bits in nedjah2002.SIZES:
        theirs = {kind: count(bits) for kind, count in nedjah2002.DERIVED_CYCLES.items()}
        assert theirs == {nedjah2002.IM: 3 * bits + 1, nedjah2002.SM: 3 * bits + 3}
        ours = {kind: metrics.product_cycles(resolve(nedjah2002.core(kind, bits))) for kind in theirs}
        assert {kind: ours[kind] - theirs[kind] for kind in theirs} == {nedjah2002.IM: 6, nedjah2002.SM: 3}
        assert ours["IM"] / ours["SM"] == pytest.approx(1, abs=0.01)
        assert theirs["IM"] / theirs["SM"] == pytest.approx(1, abs=0.01)


def test_no_conclusion_of_nedjah_is_drawn_twice(tmp_path: Path) -> None:
    """Latency has the ratios of the period, which the page says once; no row or conclusion repeats them."""
    page = nedjah2002.table11(Measured(view(tmp_path, as_printed())))
    assert len(page.conclusions) == 3 * len(nedjah2002.SIZES) + 1
    assert not any("latency" in one.what for one in page.conclusions)
    ratios = [
        one.measured / one.printed
        for one in page.rows
        if "x time" in one.label or "× time" in one.label
        if one.measured and one.printed
    ]
    assert len(ratios) == 2 * len(nedjah2002.SIZES)
    assert any("391 cycles in the IM, 390 in the SM (385, 387 as derived" in text for text in page.remarks)
