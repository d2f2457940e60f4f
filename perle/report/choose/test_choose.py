# SPDX-License-Identifier: Apache-2.0
"""Choices from made-up measurements and their reasons, near misses, and measurements that are not used."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from msgspec.structs import replace

from perle.cores.registry import resolve
from perle.report import headline
from perle.report.choose.choice import choose
from perle.report.choose.commands import build
from perle.report.choose.known import UnknownFigureError
from perle.report.choose.pace import pace
from perle.report.choose.question import Limit, Objective, Operation, Question
from perle.report.choose.tables import lines, reasons, sure, table
from perle.results import Store, metrics, names
from perle.results.view import View
from tests.asked import T, ask, cells, cores
from tests.stores import Given, made_up, store

MULTIPLIERS: Given = {
    ("orup:w256", T): cells(2000, 150, dsp=17.0),
    ("orup:w512", T): cells(4000, 140, dsp=32.0),
    ("iterative:w256", T): cells(1000, 200),
    ("karatsuba:w256", T): cells(25_000, 140, dsp=81.0),
    ("stream:w512", f"{T}/engine"): cells(7000, 190, dsp=61.0, bram=38.0),
}


def test_products_by_every_objective(tmp_path: Path) -> None:
    def best(objective: Objective) -> list[str]:
        return cores(ask(tmp_path, MULTIPLIERS, Operation.mul, 256, best=objective))

    # a product every 3, 44, 74 and 272 cycles; after 138, 44, 74 and 272
    assert best(Objective.rate) == ["karatsuba:w256", "orup:w256", "orup:w512", "iterative:w256"]
    assert best(Objective.latency) == ["orup:w256", "orup:w512", "karatsuba:w256", "iterative:w256"]
    # shares of the device: 1.2 % of LUTs, 17 and 32 and 81 of 156 multipliers
    assert best(Objective.area) == ["iterative:w256", "orup:w256", "orup:w512", "karatsuba:w256"]


def test_limits_hold_and_misses_are_told(tmp_path: Path) -> None:
    limits = (Limit(names.LUTS, 3000), Limit("rate", 1e6, at_least=True))
    found = ask(tmp_path, MULTIPLIERS, Operation.mul, 256, *limits)
    assert cores(found) == ["orup:w256"]
    assert found.question.objective is Objective.area
    told = {one.candidate.point.core: one.why for one in found.near}
    assert told["orup:w512"] == "LUT 4,000 is 1,000 (33 %) above 3,000"
    rate = 200e6 / 272
    below = f"rate {rate:,.0f}/s is {1e6 - rate:,.0f}/s (26 %) below 1,000,000/s"
    assert told["iterative:w256"] == f"{below}; 2 side by side would do, if they keep the clock"
    # the nearest first: factors 1.33, 1.36 and 8.3
    assert list(told) == ["orup:w512", "iterative:w256", "karatsuba:w256"]


def test_several_side_by_side_are_counted(tmp_path: Path) -> None:
    given: Given = {("orup:w256", T): cells(2000, 110, dsp=17.0)}  # 2.5 million products per second
    rate = Limit("rate", 6e6, at_least=True)

    def told(*limits: Limit) -> str:
        [one] = ask(tmp_path, given, Operation.mul, 256, rate, *limits).near
        return one.why

    assert told().endswith("; 3 side by side would do, if they keep the clock")
    assert "3 side by side" in told(Limit(names.LUTS, 6000), Limit("latency_ms", 1))
    assert "side by side" not in told(Limit(names.LUTS, 5999))
    assert "side by side" not in told(Limit("latency_ms", 1e-9))


def test_no_multipliers_is_a_limit(tmp_path: Path) -> None:
    found = ask(tmp_path, MULTIPLIERS, Operation.mul, 256, Limit(names.DSP, 0))
    assert cores(found) == ["iterative:w256"]
    assert [one.why for one in found.near][:2] == [f"multipliers {n} is {n} above 0" for n in (17, 32)]


def test_nothing_fits(tmp_path: Path) -> None:
    found = ask(tmp_path, MULTIPLIERS, Operation.mul, 256, Limit("latency_ms", 1e-6))
    assert found.best is None
    assert "nothing that was measured is within these limits" in list(lines(found))
    assert len(found.near) == 4
    narrow = ask(tmp_path, MULTIPLIERS, Operation.mul, 2000)
    said = list(lines(narrow))
    assert "nothing that does this on 2000 bits was measured here as a whole" in said
    assert any(line.startswith("nor is there anything to predict it from: at most 512 ") for line in said)


def test_an_unknown_figure_keeps_no_limit() -> None:
    late = "latency 300 ns is 100 ns (50 %) above 200 ns"
    assert Limit("latency_ms", 2e-4).miss({"latency_ms": 3e-4}) == late
    limit = Limit("energy_nj", 5)
    assert math.isinf(limit.excess({}))
    assert limit.miss({}) == "energy is not known, limit: energy ≤ 5 nJ"
    assert limit.miss({"energy_nj": 5.0}) == ""
    assert limit.miss({"energy_nj": 12.0}) == "energy 12 nJ is 7 nJ (140 %) above 5 nJ"


def test_rsa_on_whole_systems_is_what_the_comparison_says(tmp_path: Path) -> None:
    """Rates and latencies equal those of the headline table, for an engine and a dual exponentiator."""
    given = {
        **MULTIPLIERS,
        ("lowlat:w512", f"{T}/exp_pair"): cells(30_000, 180, dsp=128.0),
        ("stream:w512", f"{T}/engines"): cells(20_000, 180, dsp=154.0),
    }
    found = ask(tmp_path, given, Operation.rsa_crt, 1024, best=Objective.latency)
    assert cores(found)[0] == "lowlat:w512"
    view = View(Store(tmp_path))
    config = resolve("stream:w512")
    expected = {
        "exp_pair": headline.system_line(resolve("lowlat:w512"), view, "exp_pair"),
        "engine": headline.engine_line(config, view),
        "engines": headline.engine_line(config, view, "engines"),
    }
    for one in found.fits:
        line = expected.pop(one.candidate.point.part)
        assert line is not None
        assert one.candidate.figures["rate"] == pytest.approx(line.rsa_per_second)
        assert one.candidate.figures["latency_ms"] == pytest.approx(line.rsa_ms)
    assert not expected


def test_operations_are_related_as_they_should_be() -> None:
    config = resolve("orup:w1024")
    power = pace(config, "exp", Operation.modexp, 512)
    assert pace(config, "exp", Operation.rsa, 512) == power
    crt = pace(config, "exp", Operation.rsa_crt, 1024)
    assert crt.latency == 2 * power.latency == metrics.rsa_cycles(config, 1024)
    assert pace(config, "exp_pair", Operation.rsa_crt, 1024).latency == power.latency
    assert pace(config, "exp_pair", Operation.modexp, 512).interval == power.interval / 2
    # of engines side by side the slowest one's
    engines, folded = resolve("stream:w512"), resolve("stream:w512_f2")
    latency = pace(engines, "engines", Operation.rsa_crt, 1024, T).latency
    assert latency == pace(folded, "engine", Operation.rsa_crt, 1024, T).latency
    assert latency > pace(engines, "engine", Operation.rsa_crt, 1024, T).latency
    scalable = resolve("scalable:r2_w16_p16_n256")  # takes less time for narrower moduli
    narrow, wide = (pace(scalable, "mul", Operation.mul, bits) for bits in (128, 256))
    assert narrow.latency == narrow.interval < wide.interval == wide.latency
    with pytest.raises(metrics.TooWideError, match="1024 bits, not of 1025"):
        pace(config, "mul", Operation.mul, 1025)


def test_one_clock_above_the_multipliers_rating_counts_as_the_rating(tmp_path: Path) -> None:
    given = {("orup:w256", T): cells(2000, 250, dsp=17.0)}
    [one] = ask(tmp_path, given, Operation.mul, 256).fits
    assert one.candidate.figures["rate"] == pytest.approx(200e6 / 44)


def test_seeds_and_their_spread_decide_how_sure_it_is(tmp_path: Path) -> None:
    kept = Store(tmp_path)
    for seed, clock in ((1, 100.0), (2, 130.0), (3, 110.0)):
        kept.put(made_up("orup:w256", T, cells(2000, clock, dsp=17.0), seed=seed))
    limit = Limit("rate", 105e6 / 44, at_least=True)
    found = choose(Question(Operation.mul, 256, (T,), (limit,)), kept)
    assert found.best is not None
    assert found.best.doubts == (limit.text,)  # 110 MHz do it, 100 do not
    assert sure(found.best.candidate) == "measured, 3 seeds, slowest −9.1 %"
    assert found.seed_spread is not None
    assert found.seed_spread[0] == 1
    assert found.seed_spread[1] == pytest.approx(20 / 110)
    assert any(line.startswith("the slowest of 3 seeds does not keep: rate") for line in lines(found))
    kept.put(made_up("orup:w256", T, cells(2000, 110, dsp=17.0), seed=5))
    others = choose(Question(Operation.mul, 256, (T,)), kept).best
    assert others is not None
    assert sure(others.candidate) == "measured, 4 seeds: 1, 2, 3, 5; slowest −9.1 %"


def test_stale_and_failed_measurements_are_told_and_not_used(tmp_path: Path) -> None:
    kept = Store(tmp_path)
    kept.put(replace(made_up("orup:w256", T, cells(1.0, 190)), files={}))
    kept.put(made_up("orup:w512", T, {}, error="nextpnr: no"))
    kept.put(made_up("iterative:w256", T, cells(1000, 200)))
    found = choose(Question(Operation.mul, 256, (T,)), kept)
    assert cores(found) == ["iterative:w256"]
    assert [one.point.core for one in found.stale] == ["orup:w256"]
    assert [(one.point.core, one.why) for one in found.failed] == [("orup:w512", "nextpnr: no")]
    said = "\n".join(lines(found))
    assert "stale, not used: orup:w256 (mul) on ecp5_8: " in said
    assert "; again:\n  perle measure orup:w256 --target ecp5_8\n" in f"{said}\n"
    again = "perle measure orup:w512 --target ecp5_8 --again"
    assert f"failed: orup:w512 (mul) on ecp5_8: nextpnr: no; again:\n  {again}" in said


def test_seeds_that_failed_are_told_with_the_command_that_repeats_them(tmp_path: Path) -> None:
    kept = Store(tmp_path)
    kept.put(made_up("iterative:w256", T, cells(1000, 200), seed=1))
    for seed in (2, 3):
        kept.put(made_up("iterative:w256", T, {}, error="nextpnr: no route", seed=seed))
    for seed in (1, 2, 3):
        files = {} if seed > 1 else made_up("orup:w256", T, {}).files
        kept.put(replace(made_up("orup:w256", T, cells(9000, 190), seed=seed), files=files))
    found = choose(Question(Operation.mul, 256, (T,), (), Objective.area), kept)
    said = "\n".join(lines(found))
    again = "perle measure iterative:w256 --target ecp5_8 --first-seed 2 --seeds 2 --again"
    assert (
        f"failed: iterative:w256 (mul) on ecp5_8: 2 of 3 seeds: nextpnr: no route; again:\n  {again}" in said
    )
    assert cores(found)[0] == "iterative:w256"
    assert "one seed only" not in said
    [stale] = found.stale
    assert stale.command == "perle measure orup:w256 --target ecp5_8 --first-seed 2 --seeds 2"


def test_runs_that_do_not_fit_are_told_without_a_command(tmp_path: Path) -> None:
    kept = Store(tmp_path)
    cell = f"'u_core.{'gen_layer.' * 9}q', no BELs remaining to implement cell type 'MULT18X18D'"
    region = "nextpnr-nexus: Failed to expand region (0, 0) |_> (87, 56) of 44050 OXIDE_FFs"
    errors = {
        "orup:w512": "LFE5U-85F: too small: 164 of 156 multipliers",
        "karatsuba:w512": f"nextpnr-ecp5: Unable to place cell {cell}",
        "tile:w512": f"nextpnr-ecp5: Unable to place cell {cell}",
        "lowlat:w512": region,
        "iterative:w512": f"nextpnr-ecp5: no route from {cell}",
    }
    for core, error in errors.items():
        kept.put(made_up(core, T, {}, error=error))
    said = "\n".join(lines(choose(Question(Operation.mul, 512, (T,)), kept)))
    assert "orup:w512 (mul) on ecp5_8 does not fit: 164 of 156 multipliers\n" in said
    assert "karatsuba:w512 (mul) on ecp5_8 does not fit: 243 of 156 multipliers\n" in said
    assert "tile:w512 (mul) on ecp5_8 does not fit: no room left for MULT18X18D" in said
    assert "lowlat:w512 (mul) on ecp5_8 does not fit: no room for 44050 OXIDE_FFs\n" in said
    assert (
        "nextpnr-ecp5: no route from '…', no BELs remaining to implement cell type 'MULT18X18D'; ag" in said
    )
    assert said.count("--again") == 1


def test_failed_runs_are_told_where_they_matter(tmp_path: Path) -> None:
    kept = Store(tmp_path)
    kept.put(made_up("orup:w512", T, {}, error="nextpnr: no"))

    def told(bits: int, *limits: Limit) -> int:
        return len(choose(Question(Operation.mul, bits, (T,), limits), kept).failed)

    assert [told(bits) for bits in (2, 255, 256, 512, 513)] == [0, 0, 1, 1, 0]
    assert told(512, Limit(names.DSP, 32)) == 1
    assert told(512, Limit(names.DSP, 31)) == 0
    kept.put(made_up("orup:w512", T, cells(4000, 140), seed=2))  # the answer: its seeds matter
    assert told(2) == 1


def test_a_question_about_a_figure_that_is_not_measured_is_refused(tmp_path: Path) -> None:
    kept = store(tmp_path, {("orup:w256", T): cells(2000, 150, dsp=17.0)})
    silicon = {"area_um2": 1e5, "period_ns_typ": 2.0}
    kept.put(made_up("iterative:w256", names.SILICON, {**silicon, "energy_pj_per_product": 2000.0}))
    kept.put(made_up("bit_systolic:w256", names.SILICON, {**silicon, "period_ns_typ": 1.0}))
    kept.put(made_up("orup:w256", "xc7", {"lut": 2000.0}))

    def refused(target: str, *limits: Limit, **more: Objective) -> str:
        with pytest.raises(UnknownFigureError) as error:
            choose(Question(Operation.mul, 256, (target,), limits, **more), kept)
        return str(error.value)

    energy = "no energy is known on ecp5_8: ihp130 has energies"
    assert refused(T, best=Objective.energy) == refused(T, Limit("energy_nj", 5)) == energy
    area = "no area in µm² is known on ecp5_8: ihp130 has areas in µm²"
    assert refused(T, Limit(names.AREA, 100)) == area
    luts = "no number of LUTs is known on ihp130: ecp5, xc7 have numbers of LUTs"
    assert refused(names.SILICON, Limit(names.LUTS, 100)) == luts
    clock = "no clock is known on xc7: ecp5, ihp130 have clocks"
    assert refused("xc7", best=Objective.latency) == clock
    # a core without the figure is not the best
    found = choose(Question(Operation.mul, 256, (names.SILICON,), (), Objective.energy), kept)
    assert cores(found) == ["iterative:w256"]
    assert [one.why for one in found.near] == ["energy is not known"]
    # nobody asked for a rate
    found = choose(Question(Operation.mul, 256, ("xc7",)), kept)
    assert found.missing == "clock"
    assert "no clock is known on xc7: the least area is first" in list(lines(found))


def test_ties_are_ordered_by_area_then_by_rate(tmp_path: Path) -> None:
    kept = store(tmp_path, {("orup:w256", target): cells(2000, 100, dsp=17.0) for target in ("ecp5_6", T)})
    kept.put(made_up("orup:w256", T, cells(2000, 110, dsp=17.0)))
    for core, period in (("iterative:w256", 1.0), ("bit_systolic:w256", 2.0)):
        of = {"area_um2": 1e5, "period_ns_typ": period, "energy_pj_per_product": 2000.0}
        kept.put(made_up(core, names.SILICON, of))
    near = choose(Question(Operation.mul, 256, ("ecp5_6", T), (Limit(names.DSP, 0),)), kept).near
    assert [one.candidate.point.target for one in near] == [T, "ecp5_6"]  # both have 17 multipliers
    found = choose(Question(Operation.mul, 256, (names.SILICON,), (), Objective.energy), kept)
    assert cores(found) == ["iterative:w256", "bit_systolic:w256"]


def test_the_clock_that_counts_is_told_beside_the_placed_one(tmp_path: Path) -> None:
    given: Given = {("orup:w256", T): cells(2000, 250, dsp=17.0), ("iterative:w256", T): cells(1000, 210)}
    fits = ask(tmp_path, given, Operation.mul, 256).fits
    shown = table("t", fits)
    assert shown.title == "t, on ecp5_8"
    assert [row[-1] for row in shown.rows] == ["200", "210"]
    said = list(reasons(fits, "against the best"))
    assert said[0] == "1: measured, 1 seed; 200 MHz (250 placed)"
    assert said[1].startswith("2: measured, 1 seed; against the best: ")
    assert said[2].endswith("rated for count as that rating")


def test_commands_build_what_was_measured(tmp_path: Path) -> None:
    given = {
        ("stream:w512", f"{T}/engines"): cells(20_000, 180, dsp=154.0),
        ("lowlat:w512", f"{T}/exp_pair"): cells(30_000, 180, dsp=128.0),
    }
    found = {
        one.candidate.point.part: build(one.candidate)
        for one in ask(tmp_path, given, Operation.modexp, 512).fits
    }
    assert found["engines"] == [
        "perle gen stream:w512 --bus exp --lanes 14 --prefix e0 --out ip/e0",
        "perle gen stream:w512 --bus exp --lanes 14 --prefix e1 --out ip/e1",
        "perle gen stream:w512_f2 --bus exp --lanes 8 --prefix e2 --out ip/e2",
    ]
    assert found["exp_pair"] == ["perle gen lowlat:w512 --bus exp --out ip   # two instances of it"]


def test_runners_up_are_compared_with_the_best(tmp_path: Path) -> None:
    found = ask(tmp_path, MULTIPLIERS, Operation.mul, 256, best=Objective.rate)
    assert found.fits[0].why == ""
    ratio = (150 / 44) / (140 / 3)
    assert found.fits[1].why.startswith(f"{ratio:.2g} × the rate, ")
    shown = table("t", found.fits)
    assert all(len(row) == len(shown.columns) for row in shown.rows)
    assert list(reasons(found.fits, "beside"))[1] == f"2: measured, 1 seed; beside: {found.fits[1].why}"


def test_a_small_difference_is_not_called_one(tmp_path: Path) -> None:
    given: Given = {
        ("orup:w256", T): cells(2000, 150, dsp=17.0),
        ("iterative:w256", T): cells(2080, 150, dsp=17.0),
    }
    found = ask(tmp_path, given, Operation.mul, 256, best=Objective.rate)
    assert "1.04 × the LUTs" in found.fits[1].why


def test_the_recorded_measurements_answer() -> None:
    """RSA-2048 on an ECP5 from the records of this repository, and key sizes with predictions only."""
    limits = (Limit(names.LUTS, 40_000), Limit(names.DSP, 120), Limit("rate", 500, at_least=True))
    targets = (names.ECP5_SLOW, names.ECP5_FAST)
    found = choose(Question(Operation.rsa_crt, 2048, targets, limits), Store(shipped=None))
    judged = [*found.fits, *found.unmeasured]
    assert judged
    for one in judged:
        figures = one.candidate.figures
        assert figures["luts"] <= 40_000
        assert figures["dsp"] <= 120
        assert figures["rate"] >= 500
        assert one.candidate.config.width >= 1024
    assert all(one.why for one in found.near)
