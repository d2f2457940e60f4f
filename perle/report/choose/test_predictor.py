# SPDX-License-Identifier: Apache-2.0
"""Costs of unmeasured parts are predicted with an error, or not at all."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from perle.cores.registry import resolve
from perle.report.choose.candidates import Basis
from perle.report.choose.choice import choose
from perle.report.choose.commands import build, measure
from perle.report.choose.question import Operation, Question
from perle.report.choose.tables import reasons, sure
from perle.results import metrics, names
from tests.asked import T, ask, cells, cores
from tests.stores import Given, made_up, store


def test_widths_between_are_predicted_with_their_error(tmp_path: Path) -> None:
    """LUTs proportional to multipliers are predicted exactly, the clock with the error that it varies by."""
    given: Given = {
        ("orup:w256", T): cells(1700, 150, dsp=17.0),
        ("orup:w1024", T): cells(6200, 120, dsp=62.0),
    }
    found = ask(tmp_path, given, Operation.mul, 512)
    assert cores(found) == ["orup:w1024"]
    [one] = found.unmeasured
    assert (one.candidate.point.core, one.candidate.basis) == ("orup:w512", Basis.predicted)
    assert one.candidate.figures["luts"] == pytest.approx(3200)
    assert one.candidate.figures["dsp"] == 32
    assert one.candidate.figures["rate"] == pytest.approx(math.sqrt(150 * 120) * 1e6 / 74)
    assert one.candidate.errors["rate"] == pytest.approx(0.25)  # 150 for 120
    assert "luts" not in one.candidate.errors or one.candidate.errors["luts"] < 1e-9
    assert measure(one.candidate) == "perle measure orup:w512 --target ecp5_8"
    assert sure(one.candidate).startswith("predicted, clock ×÷ 1.25")
    # the clock counts as 200 MHz whatever it is within its error
    fast = {key: {**value, names.FMAX: 2 * value[names.FMAX]} for key, value in given.items()}
    [capped] = ask(tmp_path / "fast", fast, Operation.mul, 512).unmeasured
    assert capped.candidate.figures["rate"] == pytest.approx(200e6 / 74)
    assert capped.candidate.worst["rate"] == pytest.approx(200e6 / 74)
    # more than twice as wide as anything measured is not predicted
    assert ask(tmp_path, given, Operation.mul, 2049).unmeasured == ()


def test_exponentiators_are_predicted_around_measured_multipliers(tmp_path: Path) -> None:
    """Three exponentiators of 10, 10 and 20 LUTs per operand bit, at 0.9 times the clock, predict another."""
    given: Given = {}
    for name, each in (("orup:w256", 10), ("orup:w512", 10), ("orup:w1024", 20)):
        bits = resolve(name).operand_bits
        given[name, T] = cells(2000, 100, dsp=17.0)
        given[name, f"{T}/exp"] = cells(2000 + each * bits, 90, dsp=17.0)
    given["iterative:w1024", T] = cells(5000, 150)
    found = ask(tmp_path, given, Operation.modexp, 1024)
    more = 2000 ** (1 / 3) * resolve("iterative:w1024").operand_bits
    one = next(each for each in found.unmeasured if each.candidate.point.core == "iterative:w1024").candidate
    assert one.point.part == "exp"
    assert one.figures["luts"] == pytest.approx(5000 + more)
    cycles = metrics.exponentiation_cycles(resolve("iterative:w1024"), 1024)
    assert one.figures["rate"] == pytest.approx(135e6 / cycles)
    assert measure(one) == "perle measure iterative:w1024 --target ecp5_8 --part exp"
    assert build(one) == ["perle gen iterative:w1024 --bus exp --out ip"]


def test_exponentiators_of_the_same_family_tell_more(tmp_path: Path) -> None:
    """Those of orup need 10 LUTs per bit, that of lowlat 100: for orup, only its own are used."""
    given: Given = {("orup:w512_d1", T): cells(3000, 150, dsp=33.0)}
    for name, each in (("orup:w256", 10), ("orup:w1024", 10), ("lowlat:w512", 100)):
        given[name, T] = cells(2000, 100, dsp=17.0)
        given[name, f"{T}/exp"] = cells(2000 + each * resolve(name).operand_bits, 90, dsp=17.0)
    judged = ask(tmp_path, given, Operation.modexp, 512).unmeasured
    found = {one.candidate.point.core: one.candidate for one in judged}
    bits = resolve("orup:w512_d1").operand_bits
    assert found["orup:w512_d1"].figures["luts"] == pytest.approx(3000 + 10 * bits)


def test_what_the_tools_could_not_do_is_not_predicted(tmp_path: Path) -> None:
    given: Given = {(f"orup:w{n}", T): cells(10.0 * n, 150) for n in (256, 1024)}
    kept = store(tmp_path, given)
    asked = Question(Operation.modexp, 512, (T,))
    assert "orup:w512" in {one.candidate.point.core for one in choose(asked, kept).unmeasured}
    kept.put(made_up("orup:w512", T, {}, error="nextpnr: no"))
    assert "orup:w512" not in {one.candidate.point.core for one in choose(asked, kept).unmeasured}
    kept.put(made_up("orup:w1024", T, {}, part="exp", error="nextpnr: no"))
    assert choose(asked, kept).unmeasured == ()


def test_what_exceeds_the_device_does_not_fit(tmp_path: Path) -> None:
    given: Given = {(f"stream:w{n}", T): cells(10.0 * n, 190, dsp=n / 8) for n in (256, 512, 1024)}
    found = ask(tmp_path, given, Operation.mul, 2048)
    assert (found.fits, found.unmeasured) == ((), ())
    [one] = found.near
    assert "above 156, all of the device" in one.why


def test_a_process_without_exponentiators_has_multipliers_alone(tmp_path: Path) -> None:
    metrics_of = {"area_um2": 1e5, "period_ns_typ": 2.0, "energy_pj_per_product": 2000.0}
    kept = store(tmp_path, {("iterative:w256", names.SILICON): metrics_of})
    found = choose(Question(Operation.modexp, 256, (names.SILICON,)), kept)
    [one] = found.unmeasured
    assert one.candidate.basis is Basis.alone
    config = resolve("iterative:w256")
    cycles = metrics.exponentiation_cycles(config, 256)
    assert one.candidate.figures["latency_ms"] == pytest.approx(cycles * 2 / 1e6)
    assert one.candidate.figures["energy_nj"] == 2 * (
        2 + 14 + 64 * 5 + 1
    )  # nJ · products by windows of 4 bits
    assert any("without an exponentiator" in line for line in reasons(found.unmeasured, ""))
    key = choose(Question(Operation.rsa_crt, 512, (names.SILICON,)), kept).unmeasured[0].candidate
    assert key.figures["energy_nj"] == 2 * one.candidate.figures["energy_nj"]
    product = choose(Question(Operation.mul, 256, (names.SILICON,)), kept)
    assert product.best is not None
    assert product.best.candidate.figures["energy_nj"] == 2.0
