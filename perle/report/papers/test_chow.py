# SPDX-License-Identifier: Apache-2.0
"""The tables of chow2010 from made-up measurements, compared with results calculated by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.cores.registry import resolve
from perle.report.papers import chow2010, chow_claim, chow_figure5
from perle.report.papers.table import Figure, Measured
from perle.report.papers.test_papers_tables import CHOW, by_label, empty, said
from perle.results import metrics
from tests.stores import Given, view


def test_energy_of_software_is_not_measured(tmp_path: Path) -> None:
    """Printed rates and energies give the design power of the paper's processor; this machine has another."""
    known = {
        chow2010.ONE_THREAD.format(width): Figure(float(CHOW[f"software_rate_{width}"].number) / 4, "GMP")
        for width in chow2010.CORES
    }
    rows = by_label(chow2010.table1(empty(tmp_path), known))
    for width in chow2010.CORES:
        power = rows[f"power of software, {width} bits"]
        assert power.measured == chow2010.PROCESSOR_WATTS == pytest.approx(power.printed, rel=0.005)
        energy = rows[CHOW[f"software_energy_{width}"].what]
        assert energy.measured is None
        assert energy.note == "the power of this machine is not measured"


@pytest.mark.parametrize(("width", "multipliers", "count"), [(128, 36, 56), (256, 108, 18), (512, 324, 6)])
def test_cores_by_multipliers_follow_from_the_structure(
    tmp_path: Path, width: int, multipliers: int, count: int
) -> None:
    rows = by_label(chow2010.table1(empty(tmp_path)))
    found = rows[f"cores by multipliers alone, {multipliers} each, {width} bits"]
    assert found.measured == count
    assert found.printed == CHOW[f"cores_{width}"].number


def test_chow(tmp_path: Path) -> None:
    given: Given = {
        ("karatsuba:w512_step4", "xc6v"): {"lut": 62557.0, "dsp": 324.0},
        ("karatsuba:w512_step4", "ecp5_8"): {"fmax_mhz": 300.0},
        ("karatsuba:w512", "xc6v"): {"lut": 1000.0, "dsp": 243.0},
        ("orup:w512", "xc6v"): {"lut": 8235.0, "dsp": 32.0},
        ("orup:w512", "ecp5_8"): {"fmax_mhz": 500.0},
    }
    measured = Measured(view(tmp_path / "a", given))
    rows = by_label(chow2010.table1(measured, {"gmp_512": Figure(1.0, "GMP")}))
    assert rows["table I: multipliers on the device, 512 bits (w512_step4)"].measured == 4
    assert rows["table I: multipliers on the device, 512 bits (w512)"].measured == 8  # by its multipliers
    assert rows["table I: products per second, 512 bits (w512_step4)"].measured == pytest.approx(400)
    assert rows["table I: speedup, 512 bits (w512_step4)"].measured == pytest.approx(100)
    page = chow2010.table2(measured)
    rows = by_label(page)
    for claim in ("tang_lut_delay", "tang_multiplier_delay", "ours_lut_delay", "ours_multiplier_delay"):
        assert rows[CHOW[claim].what].measured == pytest.approx(float(CHOW[claim].number), rel=0.002)
    assert all(one.same for one in page.conclusions)
    assert said(page)["clock cycles from product to product"].measured == "3, 74"

    given["karatsuba:w512_step4", "ecp5_8"] = {"fmax_mhz": 30.0}
    turned = said(chow2010.table2(Measured(view(tmp_path / "b", given))))["LUT · delay"]
    assert turned.same is False
    assert "mostly by time of a product" in turned.reason


def test_rates_are_compared_of_cores_that_were_placed(tmp_path: Path) -> None:
    """Clocks at which a device full of them has the printed rates; software as printed, on four cores."""
    assert f"the device has {chow2010.DEVICE_LUTS}," in CHOW.checks["luts_used"].what
    given: Given = {}
    for width, name in {"128": "w128", "256": "w256", "512": "w512_fold"}.items():
        config = resolve(f"karatsuba:{name}")
        multipliers = config.model.multipliers(config.params)
        given[config.spec, "xc6v"] = {"lut": 1.0, "dsp": float(multipliers)}
        rate = float(CHOW[f"rate_{width}"].number) * metrics.product_interval(config)
        given[config.spec, "ecp5_8"] = {"fmax_mhz": rate / (2016 // multipliers)}
    software = {
        chow2010.ONE_THREAD.format(width): Figure(float(CHOW[f"software_rate_{width}"].number) / 4, "GMP")
        for width in chow2010.CORES
    }
    measured = Measured(view(tmp_path, given))
    rates, speedups = chow2010.table1(measured, software).conclusions
    assert (rates.measured, rates.same) == ("512 < 256 < 128", True)
    assert (speedups.measured, speedups.same) == (speedups.printed, True)
    assert [one.what for one in chow2010.table1(measured).conclusions] == [rates.what]


def test_karatsuba_against_tang(tmp_path: Path) -> None:
    """The printed areas give the printed conclusion at any clock; placed cores give their own."""
    given: Given = {
        ("karatsuba:w512_step4", "xc6v"): {"lut": 62557.0, "dsp": 324.0},
        ("karatsuba:w512", "xc6v"): {"lut": 50000.0, "dsp": 243.0},
        ("orup:w512", "xc6v"): {"lut": 8235.0, "dsp": 32.0},
        ("karatsuba:w256", "ecp5_8"): {"lut": 20000.0, "dsp": 81.0, "fmax_mhz": 150.0},
        ("orup:w256", "ecp5_8"): {"lut": 2000.0, "dsp": 17.0, "fmax_mhz": 110.0},
    }
    page = chow_claim.page(Measured(view(tmp_path / "a", given)))
    rows = by_label(page)
    for one in page.rows[:8]:
        if "17 bits" not in one.label:
            assert one.measured == pytest.approx(one.printed), one.label
    assert rows["LUT-cycles: Tang's by Karatsuba's"].measured == pytest.approx(8235 * 74 / (62557 * 3))
    small = "multiplier-cycles of a product of 512 bits: Karatsuba, leaves of 17 bits (karatsuba:w512)"
    assert rows[small].measured == 243 * 3
    placed = {label: one for label, one in rows.items() if "placed" in label}
    assert all(one.printed is None for one in placed.values())
    assert placed["LUT us of a product of 256 bits, placed: Karatsuba (karatsuba:w256)"].measured == 400
    tang = metrics.product_interval(resolve("orup:w256"))
    label = "multiplier us of a product of 256 bits, placed: Tang (orup:w256)"
    assert placed[label].measured == pytest.approx(17 * tang / 110)
    assert [one.same for one in page.conclusions] == [True] * 4

    given["karatsuba:w512_step4", "xc6v"] = {"lut": 62557.0 * 4, "dsp": 324.0}
    page = chow_claim.page(Measured(view(tmp_path / "b", given)))
    assert [one.same for one in page.conclusions] == [False, True, True, True]

    given["orup:w256", "ecp5_8"] = {"lut": 2000.0, "dsp": 1.0, "fmax_mhz": 110.0}
    turned = chow_claim.page(Measured(view(tmp_path / "c", given))).conclusions[3]
    assert turned.same is False
    assert "Karatsuba/Tang is 4.05 here, 0.68 printed" in turned.reason  # 3.24 and 4.74 in table II


def test_figure_5_has_printed_numbers_of_512_bits_alone(tmp_path: Path) -> None:
    given: Given = {
        ("karatsuba:w128_paper", "xc6v"): {"lut": 3000.0, "lutram_lut": 500.0, "ff": 5.0, "dsp": 36.0}
    }
    rows = by_label(chow_figure5.page(Measured(view(tmp_path, given))))
    assert len(rows) == 9
    assert {label: one.printed for label, one in rows.items() if one.printed is not None} == {
        "figure 5: LUTs, 512 bits (w512_step4)": 62557,
        "figure 5: multipliers, 512 bits (w512_step4)": 324,
    }
    assert rows["figure 5: LUTs, 128 bits (w128_paper)"].measured == 3500
