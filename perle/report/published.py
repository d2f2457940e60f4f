# SPDX-License-Identifier: Apache-2.0
"""The published systems in the table of all systems: printed figures, and figures computed from these."""

from __future__ import annotations

from collections.abc import Iterator

from perle.papers import load
from perle.report.line import NS_PER_US, PRINTED, Line
from perle.report.papers.nedjah2002 import DERIVED_CYCLES
from perle.results import metrics


def printed() -> Iterator[Line]:
    """Yield a line per published system, at its own width; figures that no paper prints are `derived`.

    Carter's table II counts processing elements alone, so its energy is beside no other line's:
    `carter_figures.elements_table` has it.
    """
    tang, chow, carter, nedjah, shand = (
        {name: float(one.number) for name, one in load(key).claims.items() if not isinstance(one.value, str)}
        for key in ("tang2003", "chow2010", "carter2012", "nedjah2002", "shand1990")
    )
    bits = round(shand["t_bits"])
    yield Line(
        *("Shand 1990, three boards", PRINTED, "Perle-0", bits // 2),
        rsa_per_second=shand["t19_baud"] / bits,  # a pipeline of three boards, whose latency is not printed
        derived=("rsa_per_second",),
    )
    for kind, cycles in DERIVED_CYCLES.items():
        clock = nedjah[f"clock_{kind.lower()}_1024"]
        yield Line(
            *(f"Nedjah 2002, {kind}", PRINTED, "Virtex-E", 1024),
            product_us=cycles(1024) * clock / NS_PER_US,
            derived=("product_us",),
        )
    yield Line(
        *("Tang 2003", PRINTED, "XC2V3000-6", 512),
        multiplier_cycles=chow["tang_multipliers"] * tang["mul_512"],
        eta=metrics.utilisation(512, tang["mul_512"], round(chow["tang_multipliers"]), (17, 17)),
        product_us=tang["mul_512"] / tang["clock"],
        derived=("multiplier_cycles", "eta", "product_us"),
    )
    yield Line(
        *("Tang 2003, two cores", PRINTED, "XC2V4000-6", 512),
        rsa_per_second=1e3 / tang["rsa_time"],
        rsa_ms=tang["rsa_time"],
        derived=("rsa_per_second",),
    )
    yield Line(
        *("Chow 2010", PRINTED, "XC6VSX475T-2", 512),
        multiplier_cycles=chow["ours_multipliers"] * chow["ours_iterations"],
        lut_cycles=chow["ours_luts"] * chow["ours_iterations"],
        lut_us=chow["ours_lut_delay"],
        derived=("multiplier_cycles", "lut_cycles"),
    )
    for kind in ("r2", "r4", "r4b"):
        key = f"{kind}_p16"
        yield Line(
            f"Carter 2012, {kind.upper()}, p = 16, m = {carter[f'm_{key}']:.0f}, elements only",
            *(PRINTED, "130 nm, full custom", 256),
            product_us=carter[f"delay_{key}"] / NS_PER_US,
        )
