# SPDX-License-Identifier: Apache-2.0
"""The papers' tables from made-up measurements: what comes out can be worked out by hand.

Measurements that are chosen to give the printed numbers give the paper's conclusions; others turn them.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from perle.cores.registry import Config, resolve
from perle.cores.scalable import model
from perle.papers import load
from perle.papers.peers import load_peers
from perle.report import headline
from perle.report.papers import (
    carter2012,
    carter_figures,
    chow2010,
    nedjah2002,
    peers,
    shand_area,
    tang2003,
)
from perle.report.papers.carter_costs import EQUAL, KINDS, core
from perle.report.papers.table import Compared, Conclusion, Figure, Measured, Page, contradicted
from perle.results import metrics, names
from perle.results.view import View
from tests.stores import Given, view

CARTER, TANG, CHOW, SHAND = (load(key) for key in ("carter2012", "tang2003", "chow2010", "shand1990"))


def empty(folder: Path) -> Measured:
    return Measured(view(folder, {}))


def by_label(page: Page) -> dict[str, Compared]:
    rows = {one.label: one for one in page.rows}
    assert len(rows) == len(page.rows)
    return rows


def said(page: Page) -> dict[str, Conclusion]:
    return {one.what: one for one in page.conclusions}


def elements(**energy: float) -> Given:
    """Return measurements of elements as table I prints them, but for the energies that are given."""
    given: Given = {}
    for kind, (name, _, _) in KINDS.items():
        printed = {what: float(CARTER[f"pe_{what}_{name}"].number) for what in ("energy", "delay", "area")}
        given[core(kind, EQUAL[kind]), "ihp130/pe"] = {
            "energy_pj_per_cycle": energy.get(name, printed["energy"]),
            "period_ns_typ": printed["delay"],
            "area_um2": printed["area"],
        }
    return given


MODELLED = ("R2 saturates", "R4 saturates", "R4B saturates", "clock cycles")
"""Conclusions that need no measurement."""
ALL = [
    (tang2003.table_cycles, 14),
    (tang2003.table_resources, 10),
    (tang2003.table_comparison, 8),
    (nedjah2002.table11, 35),
    (carter2012.table1, 25),
    (carter2012.table2, 48),
    (carter2012.table3, 23),
    (partial(carter_figures.figure, number=9), 9),
    (partial(carter_figures.figure, number=10), 9),
    (chow2010.table1, 64),
    (chow2010.table2, 18),
    (shand_area.area, 17),
]


@pytest.mark.parametrize(("table", "count"), ALL)
def test_without_measurements_every_row_is_there_and_says_what_is_missing(
    tmp_path: Path, table: object, count: int
) -> None:
    assert callable(table)
    page = table(empty(tmp_path))
    assert len(by_label(page)) == count
    for one in page.rows:
        assert one.unit
        assert one.printed
        assert one.measured is not None or one.note, one.label
        if "not measured: perle" in one.note:
            assert "--target" in one.note
    assert all(one.same is None or one.what.startswith(MODELLED) for one in page.conclusions)


def test_what_fits_into_perle_0(tmp_path: Path) -> None:
    """3200 cells of each kind: one more does not fit."""
    assert shand_area.BUDGET == 3200
    given: Given = {(spec, "xc3k/board"): {"lut": 3200.0, "ff": 1600.0} for spec in shand_area.DESIGNS}
    given[shand_area.FAST, "xc3k/board"] = {"lut": 3201.0, "ff": 1600.0}
    given[shand_area.FIXED, "xc3k/board"] = {"lut": 1600.0, "ff": 3201.0}
    given[shand_area.RIPPLE, "xc3k/board"] = {"lut": 2540.0}
    page = shand_area.area(Measured(view(tmp_path, given)))
    found = said(page)
    half = found[shand_area.DESIGNS[shand_area.RIPPLE]]
    assert (half.measured, half.same) == (None, None)  # of the registers nothing is known
    assert "does not measure ff" in half.reason
    factor = by_label(page)[SHAND["cell_factor"].what]
    assert factor.measured == pytest.approx((2540 / 254) / (1600 / 512))
    wrong = [what for what, one in found.items() if one.same is False]
    assert wrong == [shand_area.DESIGNS[shand_area.FIXED], shand_area.DESIGNS[shand_area.FAST]]
    assert all(found[shand_area.DESIGNS[spec]].same is None for spec in shand_area.NOT_PRINTED)


def test_the_two_bit_unit_fits_without_its_detector() -> None:
    """By today's measurements: every board of the paper but the unit of rows 18 and 19."""
    found = said(shand_area.area(Measured(View())))
    assert [what for what, one in found.items() if one.same is False] == [shand_area.DESIGNS[shand_area.FAST]]
    assert found[shand_area.DESIGNS[shand_area.RIPPLE]].measured == shand_area.YES


def test_slide_25_is_reproduced_cycle_by_cycle() -> None:
    rows = by_label(tang2003.table_cycles(Measured(View())))
    for claim in (
        f"{name}_{bits}" for name in ("mul", "prepost", "exp", "input", "output") for bits in (512, 1024)
    ):
        assert rows[TANG[claim].what].measured == TANG[claim].value
    assert rows[TANG["total_1024"].what].measured == TANG["total_1024"].value
    for bits in (512, 1024):
        window = rows[f"pre- and post-processing and exponentiation, {bits} bits, in constant time"]
        assert window.printed == TANG[f"prepost_{bits}"].number + TANG[f"exp_{bits}"].number
        assert window.measured == metrics.exponentiation_cycles(resolve(f"orup:w{bits}"), bits)
    assert "M and mprime take 18 more" in rows[TANG["input_512"].what].note  # two lines of nine words
    off = rows[TANG["total_512"].what]
    assert off.printed is not None
    assert off.measured == off.printed + 1
    assert "add up to 59,469" in off.note


def test_other_cycles_than_those_of_slide_25_contradict_it(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = Measured(View())
    assert [one.same for one in tang2003.table_cycles(measured).conclusions] == [True, True]
    counts = tang2003.paper_cycles

    def slower(config: Config) -> dict[str, int]:
        return {name: count + (name == "mul") for name, count in counts(config).items()}

    monkeypatch.setattr(tang2003, "paper_cycles", slower)
    page = tang2003.table_cycles(measured)
    assert [one.same for one in page.conclusions] == [False, False]
    assert [text.rpartition(": ")[2] for text in contradicted([page])] == ["mul, total", "mul"]


@pytest.mark.parametrize(("blocks", "same"), [(62.0, True), (63.0, False)])
def test_other_multipliers_than_those_of_slide_26_contradict_it(
    tmp_path: Path, blocks: float, same: bool
) -> None:
    given: Given = {("orup:w1024", "xc2v/exp"): {"slices_min": 7167.0, "dsp": blocks}}
    [one] = tang2003.table_resources(Measured(view(tmp_path, given))).conclusions
    assert one.same is same
    [unknown] = tang2003.table_resources(Measured(view(tmp_path / "empty", {}))).conclusions
    assert (unknown.measured, unknown.same) == (None, None)


def test_rsa_time_follows_from_the_clock(tmp_path: Path) -> None:
    """At the printed 90 MHz: 59469 cycles of the paper's method take 0.66 ms."""
    given: Given = {
        ("orup:w512", "ecp5_8/exp"): {"fmax_mhz": 80.0},
        ("orup:w512", "ecp5_8/exp_pair"): {"fmax_mhz": 90.0},
        ("orup:w1024", "ecp5_8/exp"): {"fmax_mhz": 45.0},
        ("orup:w1024", "xc2v/exp"): {"slices_min": 7167.0, "dsp": 62.0},
    }
    rows = by_label(tang2003.table_resources(Measured(view(tmp_path, given))))
    time = rows["RSA-1024 private operation by CRT: the paper's method, two cores"]
    assert time.measured == pytest.approx(59469 / 90e3)
    rate = rows["throughput of RSA-1024: the paper's method, two cores"]
    assert rate.measured == pytest.approx(1024 / (59469 / 90))
    one, two = (
        rows[f"RSA-1024 private operation by CRT: constant time, {count}"].measured
        for count in ("one core", "two cores")
    )
    assert one is not None
    assert two is not None
    assert one == pytest.approx(2 * two * 90 / 80)  # at the clock of one on its own
    assert rows[TANG["clock"].what].measured == 45
    alone = rows["RSA-1024 private operation without CRT: the paper's method, one 1024-bit core"]
    total = float(TANG["total_1024"].number)
    assert alone.printed == pytest.approx(total / 90e3)
    assert alone.measured == pytest.approx(total / 45e3)
    slices = rows[TANG["slices_used"].what]
    assert slices.printed is not None
    assert slices.measured == slices.printed / 2
    assert rows[TANG["dsp_used"].what].measured == 62


def test_two_cores_that_share_no_device_are_called_so(tmp_path: Path) -> None:
    given: Given = {("orup:w512", "ecp5_8/exp"): {"fmax_mhz": 80.0}}
    times = tang2003.rsa_time(Measured(view(tmp_path, given)))
    assert list(times) == [
        "the paper's method, two cores on two devices",
        "constant time, two cores on two devices",
        "constant time, one core",
    ]
    assert times["the paper's method, two cores on two devices"].value == pytest.approx(59469 / 80e3)


@pytest.mark.recorded
def test_tang_beside_the_table_of_all_systems() -> None:
    """Both print the time of two co-placed cores, from the same measurement."""
    time = tang2003.rsa_time(Measured(View()))["constant time, two cores"].value
    line = headline.system_line(resolve("orup:w512"), View(), "exp_pair")
    assert line is not None
    assert time == pytest.approx(line.rsa_ms)


def test_software_is_given_by_who_asks(tmp_path: Path) -> None:
    known = {
        "openssl": Figure(0.5, "OpenSSL, this machine"),
        chow2010.ONE_THREAD.format(128): Figure(14.0, "GMP, one thread"),
        chow2010.ALL_CORES.format(128): Figure(25.0, "GMP, all cores"),
    }
    rows = by_label(tang2003.table_comparison(empty(tmp_path), known))
    assert rows[TANG["openssl_time"].what].measured == 0.5
    assert rows[f"{TANG['this_time'].what}: constant time, one core"].printed == TANG["this_time"].value
    rows = by_label(chow2010.table1(empty(tmp_path), known))
    rate = rows[CHOW["software_rate_128"].what]
    assert rate.measured == 4 * 14
    assert "one thread × 4" in rate.note
    assert rows[CHOW["software_rate_256"].what].measured is None
    assert rows[f"{CHOW['software_rate_128'].what}, all cores at once"].measured == 25


def test_table_1_and_2_of_carter_from_printed_elements(tmp_path: Path) -> None:
    measured = Measured(view(tmp_path, elements()))
    page = carter2012.table1(measured)
    for kind, (name, _, _) in KINDS.items():
        row = by_label(page)[CARTER[f"pe_energy_{name}"].what]
        assert row.measured == pytest.approx(row.printed), kind
    assert all(one.same for one in page.conclusions)
    table2 = carter2012.table2(measured)
    assert said(table2)["clock cycles of a product by equation (2)"].same
    rows = by_label(table2)
    for kind, (name, _, counts) in KINDS.items():
        for count in counts:
            for what, accuracy in (("cycles", 0), ("energy", 0.005), ("delay", 0.002), ("area", 0.012)):
                row = rows[f"table II, {kind}, p = {count}: {what}"]
                assert row.printed == CARTER[f"{what}_{name}_p{count}"].value
                assert row.measured == pytest.approx(row.printed, rel=accuracy)
        assert rows[f"table II, {kind}, p = {EQUAL[kind]}: area, whole multiplier"].measured is None


def test_other_cycles_than_those_of_equation_2_contradict_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = model.kernel_cycles
    monkeypatch.setattr(
        model,
        "kernel_cycles",
        lambda params, n: kernel(params, n) + (params["Elements"] == 32),
    )
    page = carter2012.table2(Measured(view(tmp_path, elements())))
    assert contradicted([page]) == [
        "carter2012.table2, clock cycles of a product by equation (2): other than printed for: R2 p = 32"
    ]


def test_pairs_of_vectors_and_adders_stand_beside_table_1(tmp_path: Path) -> None:
    """As many pairs as the paper applied, and two adders of what was measured."""
    given = elements()
    given[core("R4", EQUAL["R4"]), "ihp130/pe"][names.PAIRS_ENERGY[10]] = 6.5
    given[core("R4", EQUAL["R4"]), "ihp130/cpa"] = {"area_um2": 2000.0, "ff": 33.0}
    rows = by_label(carter2012.table1(Measured(view(tmp_path, given))))
    assert CARTER["vector_pairs"].value in names.PAIRS_ENERGY
    pairs = rows[f"{CARTER['pe_energy_r4'].what}, by 10 pairs of vectors"]
    assert (pairs.printed, pairs.measured) == (CARTER["pe_energy_r4"].value, 6.5)
    assert rows[f"{CARTER['pe_energy_r4'].what}, by 1,000 pairs of vectors"].measured is None
    adders = rows[CARTER["cpa_area"].what]
    assert adders.measured == 4000
    assert "66 flip-flops" in adders.note


def test_the_element_of_any_array_will_do(tmp_path: Path) -> None:
    given = {
        (core("R2", 8), "ihp130/pe"): {"area_um2": 5.0},
        (core("R2", 32), "ihp130/pe"): {"area_um2": 6.0},
    }
    label = CARTER["pe_area_r2"].what
    assert by_label(carter2012.table1(Measured(view(tmp_path / "a", given))))[label].measured == 5
    given[core("R2", 16), "ihp130/pe"] = {"area_um2": 7.0}
    assert by_label(carter2012.table1(Measured(view(tmp_path / "b", given))))[label].measured == 7


def test_an_element_of_other_energy_turns_the_order_and_is_named(tmp_path: Path) -> None:
    page = carter2012.table2(Measured(view(tmp_path, elements(r2=0.4))))
    found = said(page)["energy · delay at m = 256"]
    assert found.same is False
    assert found.reason.startswith("ours orders R2 < R4 < R4B, the paper R4 ≈ R2 < R4B")
    assert "mostly by energy" in found.reason
    assert said(page)["area · delay at m = 256"].same


def test_peers_beside_ours(tmp_path: Path) -> None:
    given: Given = {("orup:w256", "ecp5_6"): {"lut": 2000.0, "carry": 100.0, "dsp": 17.0, "fmax_mhz": 100.0}}
    given["stream:w256", "ecp5_6"] = {"lut": 1000.0, "dsp": 33.0, "fmax_mhz": 100.0}
    found = {one.label: one for one in peers.cores(Measured(view(tmp_path, given)))}
    theirs = load_peers()
    assert {peer.title for peer in theirs.cores} < found.keys()
    for peer in theirs.cores:
        shown = found[peer.title]
        assert (shown.luts, shown.dsp, shown.us) == (peer.lut, peer.dsp, peer.us)
        assert shown.lut_us == pytest.approx(peer.lut * peer.us)
        assert shown.origin == f"measured elsewhere: {peer.url}"
    ours = found["orup:w256"]
    assert ours.luts == 2200
    assert ours.us == pytest.approx(0.44)
    assert ours.lut_us == pytest.approx(2200 * 0.44)
    stream = found["stream:w256"]  # a product every 17 cycles
    assert (stream.fmax_mhz, stream.us_between, stream.lut_us) == pytest.approx((100, 0.17, 170))
    assert stream.us == pytest.approx(metrics.product_cycles(resolve("stream:w256")) / 100)
    assert found["karatsuba:w256"].luts is None
    assert "perle measure karatsuba:w256 --target ecp5_6" in found["karatsuba:w256"].note
    assert "orup:w512" not in found


def test_what_is_known_of_peers() -> None:
    """Clock and time of each agree with a whole number of cycles, as far as they are rounded."""
    found = {peer.key: peer for peer in load_peers().cores}
    assert {key: round(peer.cycles) for key, peer in found.items()} == {
        "caliptra_r32": 27,
        "caliptra_r16": 51,
        "fios_dsp": 206,
        "mod_sim_exp": 570,
    }
    assert {key: (peer.dsp, peer.lut) for key, peer in found.items()} == {
        "caliptra_r32": (43, 4200),
        "caliptra_r16": (19, 4000),
        "fios_dsp": (6, 2300),
        "mod_sim_exp": (0, 3800),
    }
