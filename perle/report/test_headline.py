# SPDX-License-Identifier: Apache-2.0
"""All systems by the same figures: published numbers as printed, measured ones calculated by hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from perle.cores.modexp.model import Command
from perle.cores.registry import resolve
from perle.cores.stream.engine import model
from perle.cores.tile.engine import model as tiles
from perle.papers import keys, load
from perle.report import costs, headline
from perle.report.engine_load import work
from perle.report.line import COLUMNS, DERIVED, FIGURES, MEASURED, PAIR, PRINTED, Line
from perle.report.published import printed
from perle.results import metrics
from perle.results.metrics import Halves
from perle.results.parts import Member
from perle.results.view import View
from tests import house
from tests.stores import Given, made_up, store, view

GIVEN: Given = {
    ("orup:w64", "ecp5_8"): {"lut": 10.0, "fmax_mhz": 100.0},
    ("orup:w512", "ecp5_8"): {"lut": 1000.0, "carry": 100.0, "fmax_mhz": 100.0},
    ("karatsuba:w128", "ecp5_8"): {"lut": 3000.0, "fmax_mhz": 250.0},
    ("iterative:w256", "ecp5_8"): {"lut": 3000.0, "fmax_mhz": 250.0},
    ("iterative:w256", "ihp130"): {"energy_pj_per_product": 5000.0, "period_ns_typ": 2.0},
}


def by_core(found: list[Line]) -> dict[str, Line]:
    assert len({one.core for one in found}) == len(found)
    return {one.core: one for one in found}


def test_a_measured_line_worked_out_by_hand(tmp_path: Path) -> None:
    found = by_core(headline.lines(view(tmp_path, GIVEN)))
    one = found["orup:w512"]
    assert (one.origin, one.bits) == (MEASURED, 512)
    assert one.multiplier_cycles == 32 * 74
    assert one.lut_cycles == 1200 * 74
    assert one.product_us == pytest.approx(0.74)
    assert one.lut_us == pytest.approx(1200 * 0.74)
    assert one.eta == pytest.approx(2 * 512**2 / (74 * 32 * 17**2))
    assert one.rsa_per_second == pytest.approx(1e8 / (2 * (2 + 14 + 128 * 5 + 1) * 74))
    # the way out of the domain takes longer than a product, and a row takes one operation at a time
    assert one.rsa_ms is not None
    assert one.rsa_per_second is not None
    assert 1 < one.rsa_ms * one.rsa_per_second / 1000 < 1.01
    assert one.edp is None
    assert found["iterative:w256"].edp == pytest.approx(5 * 272 * 2.0)


def test_cores_are_compared_at_the_same_widths(tmp_path: Path) -> None:
    """Without a measurement at these widths the widest core is used; too short a key has no RSA figures."""
    found = by_core(headline.lines(view(tmp_path, GIVEN)))
    assert "orup:w64" not in found
    assert found["karatsuba:w128"].rsa_per_second is found["karatsuba:w128"].rsa_ms is None
    assert found["iterative:w256"].rsa_per_second  # 512 bits are enough
    nothing = headline.lines(view(tmp_path / "empty", {}))
    assert {one.origin for one in nothing} == {PRINTED}


def test_printed_lines_say_what_the_papers_say() -> None:
    found = by_core(list(printed()))
    tang = found["Tang 2003"]
    assert (tang.bits, tang.rsa_ms, tang.multiplier_cycles) == (512, None, 2368)
    both = found["Tang 2003, two cores"]  # slide 25: each computes a half of RSA
    assert (both.bits, both.rsa_ms, both.multiplier_cycles) == (512, 0.66, None)
    assert tang.product_us == pytest.approx(74 / 90)
    assert found["Chow 2010"].lut_us == 625
    assert found["Chow 2010"].lut_cycles == 62557 * 3
    assert found["Nedjah 2002, SM"].product_us == pytest.approx((3 * 1024 + 3) * 0.134)
    shand = found["Shand 1990, three boards"]
    assert shand.rsa_per_second == pytest.approx(226000 / 508)
    assert shand.rsa_ms is None  # the boards work on several messages at once


def test_elements_are_not_compared_with_whole_multipliers() -> None:
    """Carter's table II counts elements: its rows say so, and have no energy beside that of multipliers."""
    carter = [one for one in printed() if one.core.startswith("Carter")]
    assert [one.core for one in carter] == [
        f"Carter 2012, {kind}, p = 16, m = {m}, elements only"
        for kind, m in (("R2", 256), ("R4", 512), ("R4B", 512))
    ]
    assert [one.edp for one in carter] == [None] * 3
    assert carter[1].product_us == 0.253


def test_figures_that_no_paper_prints_are_marked() -> None:
    """Every other figure is a claim of a paper, in its unit or a thousand times larger or smaller."""
    claims = {
        float(claim.number) * scale
        for key in keys()
        for claim in load(key).claims.values()
        if not isinstance(claim.value, str)
        for scale in (1, 1e-3, 1e3)
    }
    marked = 0
    for one in printed():
        for name in FIGURES:
            value = getattr(one, name)
            if value is not None and not any(value == pytest.approx(claim) for claim in claims):
                assert name in one.derived, (one.core, name)
        marked += len(one.derived)
        assert sum(cell.endswith(f" {DERIVED}") for cell in one.cells()) == len(one.derived)
    assert marked == 9
    two = by_core(list(printed()))["Tang 2003, two cores"]
    assert headline.summary_cells(two)[3:] == ["1,515 †", "0.66", "–"]


def test_lines_tell_their_seeds(tmp_path: Path) -> None:
    kept = store(tmp_path, {})
    for seed in (1, 3, 4):
        kept.put(
            replace(made_up("stream:w512", "ecp5_8", {"lut": 1.0, "fmax_mhz": 9.0}, part="engine"), seed=seed)
        )
    for core in ("orup:w512", "lowlat:w512"):
        kept.put(replace(made_up(core, "ecp5_8", {"lut": 1.0, "fmax_mhz": 9.0}), seed=1))
    found = headline.lines(View(kept))
    assert by_core(found)["stream:w512, engine"].seeds == (1, 3, 4)
    said = "Seeds of place and route: 1, 3, 4 of stream:w512, engine; 1 of every other measured line."
    assert headline.seeds_said(found) == said
    assert headline.seeds_said([one for one in found if not one.seeds]) == ""


@pytest.mark.recorded
def test_every_kind_of_line_is_explained_and_no_other() -> None:
    page = (house.ROOT / "docs" / "comparison.md").read_text(encoding="utf-8").partition("##")[0].lower()
    kinds = {"engine", "engines … + …", "exponentiator", "dual exponentiator"}
    systems = {one.core.partition(", ")[2] for one in headline.measured(View())} - {""}
    assert {re.sub(r" \S.* \+ .*", " … + …", one) for one in systems} == kinds
    bullets = [
        line.partition("*")[2].partition("*")[0] for line in page.splitlines() if line.startswith("- ")
    ]
    figures = {"saturated", "lut · µs between products", "nj · ns, 130 nm"}
    assert {one for one in bullets if one} == kinds | figures


def test_software_is_what_systems_of_the_same_key_are_held_against(tmp_path: Path) -> None:
    given: Given = {("stream:w512", "ecp5_8"): {"lut": 1000.0, "fmax_mhz": 200.0}}
    lines = headline.lines(view(tmp_path, given | GIVEN))
    rate = by_core(lines)["stream:w512"].rsa_per_second
    assert rate is not None
    timed = headline.Software("OpenSSL 3", "a processor", {1024: rate / 2, 2048: 1.0})
    found = by_core(timed.beside(lines)[:-1])
    assert found["stream:w512"].times_software == pytest.approx(2.0)
    assert found["iterative:w256"].times_software is None  # its keys have 512 bits
    software = found["OpenSSL 3"]
    assert (software.bits, software.device, software.times_software) == (512, "one core, a processor", 1.0)
    assert software.rsa_ms == pytest.approx(2000 / rate)
    assert len(software.cells()) == len(COLUMNS)


def test_a_table_has_keys_of_one_size(tmp_path: Path) -> None:
    tables = headline.by_width(headline.lines(view(tmp_path, GIVEN)))
    assert list(tables) == [256, 512, 1024]
    assert {one.bits for one in tables[512]} == {512}
    assert {one.bits for one in tables[256]} == {128, 254, 256}  # nothing of that paper or family is wider


def test_an_engine_is_a_line_of_its_own_over_a_whole_load(tmp_path: Path) -> None:
    given: Given = {("stream:w512", "ecp5_8/engine"): {"lut": 5000.0, "fmax_mhz": 200.0}}
    found = by_core(headline.lines(view(tmp_path, given)))
    one = found["stream:w512, engine"]
    assert one.multiplier_cycles == 61 * 31
    # 651 products of 31 cycles each half, and a little for loading
    assert one.rsa_per_second is not None
    assert 0.99 < one.rsa_per_second * 2 * 651 * 31 / 200e6 <= 1
    assert one.rsa_ms == pytest.approx(651 * 7 * 31 / 200e3)
    assert one.eta == pytest.approx(2 * 512**2 / (31 * 61 * 18**2), rel=0.01)


def test_engines_that_fill_a_device_add_up(tmp_path: Path) -> None:
    given: Given = {
        ("stream:w512", "ecp5_8/engine"): {"lut": 5000.0, "fmax_mhz": 180.0},
        ("stream:w512", "ecp5_8/engines"): {"lut": 14000.0, "fmax_mhz": 90.0},
    }
    found = by_core(headline.lines(view(tmp_path, given)))
    one, all_ = found["stream:w512, engine"], found["stream:w512, engines w512 + w512 + w512_f2"]
    assert one.rsa_per_second is not None
    assert all_.rsa_per_second is not None
    # two and a half at half the clock, the half with turns of its own
    assert all_.rsa_per_second == pytest.approx(2.5 * one.rsa_per_second / 2, rel=0.01)
    assert all_.multiplier_cycles == pytest.approx((61 + 61 + 32) / (2 / 31 + 1 / 62))
    assert all_.lut_cycles == pytest.approx(14000 / (2 / 31 + 1 / 62))
    assert one.eta is not None
    assert all_.eta is not None
    assert 0.98 < all_.eta / one.eta < 1
    own = resolve("stream:w512").family.engine
    assert own is not None
    works = [work(Member(resolve(f"stream:{name}")), own, 512) for name in ("w512", "w512", "w512_f2")]
    assert all_.eta == pytest.approx(sum(each.eta * each.multipliers for each in works) / (61 + 61 + 32))
    assert one.rsa_ms is not None
    # the slowest one's, with two passes
    slow, fast = (
        model.cycles(resolve(f"stream:{name}"), Command.EXP, elen=512) for name in ("w512_f2", "w512")
    )
    assert all_.rsa_ms == pytest.approx(2 * one.rsa_ms * slow / fast)


def test_engines_have_the_lanes_that_their_device_has_room_for(tmp_path: Path) -> None:
    """Ten tiles of 2,048 bits in three engines, each with one multiplier more than those of its tiles."""
    given: Given = {("tile:w2048", "ecp5_8/engines"): {"lut": 40000.0, "fmax_mhz": 100.0}}
    found = by_core(headline.lines(view(tmp_path, given)))
    one = found["tile:w2048, engines w2048 (16 lanes) + w2048 (16 lanes) + w2048 (8 lanes)"]
    turns = tiles.turns(resolve("tile:w2048").params)
    assert one.width == 2048
    assert one.multiplier_cycles == pytest.approx((10 * 6 + 3) * turns / 10)
    assert one.lut_cycles == pytest.approx(40000 * turns / 10)
    assert one.rsa_per_second is not None
    assert 0.98 < one.rsa_per_second * 2 * 2577 * turns / (10 * 100e6) <= 1


def test_engines_for_moduli_of_different_sizes_have_a_line_for_each(tmp_path: Path) -> None:
    """RSA-1024, RSA-2048 and RSA-4096: products of the blocks that each needs, and a few to divide R².

    Windows have two bits.
    """
    config = resolve("tile:w2048_narrow")
    given: Given = {(config.spec, "ecp5_8/engines"): {"lut": 40000.0, "fmax_mhz": 100.0}}
    found = {
        one.bits: one for one in headline.lines(view(tmp_path, given)) if one.core.startswith(config.spec)
    }
    assert list(found) == [512, 1024, 2048]
    for bits, products, turns in ((512, 773 + 6, 137), (1024, 1541 + 2, 425), (2048, 3077, 1565)):
        one = found[bits]
        assert one.multiplier_cycles == pytest.approx((16 * 6 + 2) * turns / 16)
        assert one.product_us == pytest.approx(4 * turns / 100)
        assert one.rsa_ms == pytest.approx(4 * turns * products / 100e3)
        assert one.rsa_per_second is not None
        assert 0.95 < one.rsa_per_second * 2 * products * turns / (16 * 100e6) <= 1


def test_rsa_of_a_multiplier_is_that_of_its_exponentiator(tmp_path: Path) -> None:
    """It forwards products, so that the rate is the same as in the tables of costs."""
    given: Given = {("lowlat:w512", "ecp5_8"): {"lut": 9000.0, "fmax_mhz": 100.0}}
    found = by_core(headline.lines(view(tmp_path, given)))["lowlat:w512"]
    assert found.rsa_per_second is not None
    assert found.rsa_per_second == pytest.approx(costs.rsa_rate(resolve("lowlat:w512"), 10.0))
    assert found.rsa_ms == pytest.approx(1000 / found.rsa_per_second)
    assert found.lut_us == pytest.approx(9000 * 0.44)


def test_two_cores_do_a_half_each(tmp_path: Path) -> None:
    given: Given = {
        ("lowlat:w512", "ecp5_8"): {"lut": 9000.0, "fmax_mhz": 200.0},
        ("lowlat:w512", "ecp5_8/mul_pair"): {"lut": 18000.0, "fmax_mhz": 150.0},
        ("lowlat:w512", "ecp5_8/exp_pair"): {"lut": 24000.0, "fmax_mhz": 100.0},
    }
    found = by_core(headline.lines(view(tmp_path, given)))
    one, two = found["lowlat:w512"], found["lowlat:w512, two multipliers"]
    cycles = metrics.rsa_cycles(resolve("lowlat:w512"), 1024, Halves.TWO, forwarded=True)
    assert two.rsa_ms == pytest.approx(cycles / 150e3)
    assert one.rsa_ms == pytest.approx(2 * cycles / 200e3)
    assert two.lut_cycles == one.lut_cycles
    whole = found["lowlat:w512, dual exponentiator"]
    assert metrics.rsa_cycles(resolve("lowlat:w512"), 1024, Halves.TWO) - cycles == 4 * (2 + 14 + 128 * 5)
    assert whole.rsa_ms == pytest.approx(cycles / 100e3)
    assert whole.lut_cycles == pytest.approx(12000 * 40)
    assert whole.multiplier_cycles == 64 * 40
    factors = metrics.factor_bits(resolve("lowlat:w512"))
    assert factors is not None
    assert whole.eta == pytest.approx(metrics.utilisation(512, 40, 64, factors))
    for line, luts, taken, mhz in ((two, 9000, 44, 150), (whole, 12000, 40, 100)):
        assert line.product_us == pytest.approx(taken / mhz)
        assert line.lut_us == pytest.approx(luts * taken / mhz)


def test_one_core_with_its_exponentiator_does_one_half_after_the_other(tmp_path: Path) -> None:
    given: Given = {
        ("lowlat:w1024", "ecp5_8/exp"): {"lut": 24000.0, "fmax_mhz": 100.0},
        ("orup:w1024", "ecp5_8/exp"): {"lut": 20000.0, "fmax_mhz": 100.0},
    }
    found = by_core(headline.lines(view(tmp_path, given)))
    assert not {"lowlat:w1024", "orup:w1024"} & set(found)  # of the multipliers alone nothing was measured
    one, orup = found["lowlat:w1024, exponentiator"], found["orup:w1024, exponentiator"]
    cycles = metrics.rsa_cycles(resolve("lowlat:w1024"), 2048, forwarded=True)
    assert cycles == 2 * metrics.rsa_cycles(resolve("lowlat:w1024"), 2048, Halves.TWO, forwarded=True)
    assert one.rsa_ms == pytest.approx(cycles / 100e3)
    assert one.rsa_per_second == pytest.approx(100e6 / cycles)
    assert one.lut_cycles == 24000 * 68
    assert orup.rsa_ms == pytest.approx(metrics.rsa_cycles(resolve("orup:w1024"), 2048) / 100e3)
    assert headline.summary(found.values(), 1024)[-1] is one


def test_a_multiplier_is_not_faster_than_its_rating(tmp_path: Path) -> None:
    def rate(fmax: float) -> float | None:
        given: Given = {("stream:w512", "ecp5_8"): {"lut": 1000.0, "fmax_mhz": fmax}}
        return by_core(headline.lines(view(tmp_path / f"{fmax}", given)))["stream:w512"].rsa_per_second

    assert rate(250.0) == rate(200.0) != rate(199.0)


def test_the_summary_has_the_best_of_each() -> None:
    def line(core: str, bits: int, rate: float | None, origin: str = MEASURED) -> Line:
        return Line(core, origin, "d", bits, rsa_per_second=rate)

    published = [line("A, two", 512, 5.0, PRINTED), line("B", 512, None, PRINTED)]
    narrow, first = line("x:w256", 256, 9.0), line("x:w512", 512, 3.0)
    faster, large = line("x:w512, engine", 512, 4.0), line("x:w1024, exponentiator", 1024, 1.0)
    other, larger = line("y:w512, exponentiator", 512, 2.0), line("y:w1024, engine", 1024, 2.0)
    found = [*published, narrow, first, faster, large, other, larger]
    assert headline.summary(found, 512) == [published[0], faster, other]
    assert headline.summary(found, 1024) == [large, larger]
    alone, pair = line("x:w512_d1", 512, 9.0), line(f"x:w512, {PAIR}", 512, 9.0)
    assert headline.summary([*found, alone, pair], 512) == [published[0], faster, other]  # neither is whole
    many = [line(f"f{n}:w512, engine", 512, float(n)) for n in range(7)]
    assert headline.summary(many, 512) == many[-headline.SUMMARY_MOST :]
    assert headline.SUMMARY_MOST == 5
    assert headline.summary_cells(faster) == ["x:w512, engine", MEASURED, "d", "4", "–", "–"]
    assert len(headline.summary_cells(faster)) == len(headline.SUMMARY)
