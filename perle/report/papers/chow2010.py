# SPDX-License-Identifier: Apache-2.0
"""Tables I and II of chow2010: a Virtex-6 full of multipliers against software, and earlier designs.

Areas are synthesized for Virtex-6; there is no place and route for it here, so that clocks are those of
another device. The first core of a width is built as in the paper, with 32-bit leaves and step 4; the others
have 17-bit leaves.
"""

from __future__ import annotations

from collections.abc import Mapping

from perle.cores.registry import resolve
from perle.papers import load
from perle.report.papers.table import (
    Conclusion,
    Figure,
    Measured,
    Page,
    Row,
    combined,
    computed,
    counts,
    exact,
    missing,
    ordering,
    row,
)
from perle.results import metrics, names

PAPER = load("chow2010")
AREA, CLOCK = names.VIRTEX_6, names.ECP5_FAST
DEVICE = str(PAPER["device"].value)
# XC6VSX475T: LUTs and DSP48E1, from the family's data sheet.
DEVICE_LUTS, DEVICE_DSPS = 297_600, 2_016
MICRO = 1000
PROCESSOR_WATTS = 80.0
"""Design power of the Xeon E5420 in its data sheet, which the paper takes as the power of software."""

CORES = {
    "128": ("w128_paper", "w128"),
    "256": ("w256_paper", "w256"),
    "512": ("w512_step4", "w512", "w512_fold"),
}
PLACED = {"128": "w128", "256": "w256", "512": "w512_fold"}
"""For each width, the core whose clock is compared; no other 512-bit core fits the ECP5 that clocks are
measured on."""
OURS, TANG, SUZUKI = "Karatsuba", "Tang", "Suzuki"
COMPARED = {OURS: "karatsuba:w512_step4", TANG: "orup:w512"}
CITED = missing("cited there; no core of this library")

Software = Mapping[str, Figure]
"""GMP's millions of products per second on this machine, by ONE_THREAD or ALL_CORES with a width."""
ONE_THREAD, ALL_CORES = "gmp_{}", "gmp_all_{}"
ASKED = missing("software is measured when the table is asked for")


def software_rate(software: Software | None, width: str) -> Figure:
    """Return millions of products per second as the paper does: the rate of one thread times the cores."""
    one = (software or {}).get(ONE_THREAD.format(width), ASKED)
    return combined(lambda rate: rate * float(PAPER["processor_cores"].number), one)


def fitting(luts: float, dsps: float) -> float:
    """Return how many cores the device has LUTs and multipliers for, without any other logic."""
    by_luts = DEVICE_LUTS // luts
    return min(by_luts, DEVICE_DSPS // dsps) if dsps else by_luts


def table1(measured: Measured, software: Software | None = None) -> Page:
    """Return table I: cores per device, clock, rate and speedup over software for three widths."""
    rows = [
        one
        for width, cores in CORES.items()
        for name in cores
        for one in _width(measured, software, width, name)
    ]
    remarks = (
        f"Cores that fit: by all LUTs and multipliers of the device, {DEVICE_LUTS:,} and {DEVICE_DSPS:,}.",
        "Rate is cores · f / 3, three passes of a full batch; folded, cores · f / 9.",
        f"Software: GMP in one thread of this machine, times {PAPER['processor_cores'].value}, as the paper.",
        "Here GMP squares modulo M on its own; the paper calls it for the three products of algorithm 1.",
        "Its rate is by processor time: other work on this machine does not slow it.",
        f"Printed energies are those of {PROCESSOR_WATTS:.0f} W, the design power of the paper's processor.",
        "The power of a Virtex-6 and of this machine is not measured.",
    )
    conclusions = tuple(_speedups(measured, software))
    return Page(
        "chow2010.table1", "A device full of multipliers, and software", tuple(rows), conclusions, remarks
    )


def _rate(measured: Measured, name: str) -> tuple[Figure, Figure, Figure]:
    """Return the number of cores per device, their clock in MHz, and millions of products per second."""
    config = resolve(f"karatsuba:{name}")
    luts, dsps = (measured(config.spec, AREA, metric) for metric in (names.LUTS, names.DSP))
    period, interval = measured.period(config.spec, CLOCK), metrics.product_interval(config)
    cores = combined(fitting, luts, dsps)
    rate = combined(lambda count, each: count * metrics.rate(interval, each) / 1e6, cores, period)
    return cores, combined(metrics.fmax, period), rate


def _width(measured: Measured, software: Software | None, width: str, name: str) -> list[Row]:
    cores, clock, rate = _rate(measured, name)
    slow = software_rate(software, width)
    no_power = missing("the power of a Virtex-6 is not measured")

    def said(claim: str, figure: Figure) -> Row:
        printed = PAPER[f"{claim}_{width}"]
        return row(printed, figure, label=f"{printed.what} ({name})", printed_on=DEVICE)

    rows = [
        said("cores", cores),
        said("clock", clock),
        said("rate", rate),
        said("power", no_power),
        said("energy", no_power),
        said("speedup", combined(lambda fast, other: fast / other, rate, slow)),
        said("gain", no_power),
    ]
    if name == CORES[width][0]:
        rows = [_by_multipliers(width, name), *rows, *_software(software, width)]
    return rows


def _by_multipliers(width: str, name: str) -> Row:
    """Return how many of the paper's cores the device has multipliers for; this needs no measurement."""
    config = resolve(f"karatsuba:{name}")
    multipliers = config.model.multipliers(config.params)
    label = f"cores by multipliers alone, {multipliers} each, {width} bits"
    printed = float(PAPER[f"cores_{width}"].number)
    return computed(label, printed, exact(DEVICE_DSPS // multipliers), "cores", printed_on=DEVICE)


def _software(software: Software | None, width: str) -> list[Row]:
    """Return the rate of software as the paper computes it and on all cores, its power, and its energy."""
    rate, energy = (PAPER[f"software_{what}_{width}"] for what in ("rate", "energy"))
    slow, cores = software_rate(software, width), PAPER["processor_cores"].value
    processor = f"{PAPER['processor'].value}, one thread × {cores}"
    all_cores = (software or {}).get(ALL_CORES.format(width), ASKED)
    return [
        row(rate, slow, printed_on=processor, note=f"one thread × {cores}, as printed"),
        row(rate, all_cores, label=f"{rate.what}, all cores at once", printed_on=processor),
        computed(
            f"power of software, {width} bits",
            float(rate.number * energy.number),
            exact(PROCESSOR_WATTS, "data sheet of the paper's processor"),
            "W",
            printed_on=processor,
            note="left, the printed rate by the printed energy",
        ),
        row(energy, missing("the power of this machine is not measured"), printed_on=processor),
    ]


def _speedups(measured: Measured, software: Software | None) -> list[Conclusion]:
    """Compare how the rate decreases with the width, and the speedup if software was timed."""
    rates = {width: _rate(measured, name)[2] for width, name in PLACED.items()}
    slow = {width: software_rate(software, width) for width in CORES}
    speedups = {w: combined(lambda fast, other: fast / other, rates[w], slow[w]) for w in CORES}
    printed = {
        claim: {w: float(PAPER[f"{claim}_{w}"].number) for w in CORES}
        for claim in ("rate", "software_rate", "speedup")
    }
    factors = {"rate": (printed["rate"], rates), "software": (printed["software_rate"], slow)}
    by_rate = ordering("products per second, by width", printed["rate"], rates)
    if not software:
        return [by_rate]
    return [by_rate, ordering("speedup over software, by width", printed["speedup"], speedups, factors)]


def table2(measured: Measured) -> Page:
    """Return table II: LUTs, multipliers, cycles per product, clock and area · delay of 512-bit cores."""
    cited = {SUZUKI: CITED}
    luts = {name: measured(core, AREA, names.LUTS) for name, core in COMPARED.items()} | cited
    dsps = {name: measured(core, AREA, names.DSP) for name, core in COMPARED.items()} | cited
    period = {name: measured.period(core, CLOCK) for name, core in COMPARED.items()} | cited
    cycles = {name: exact(metrics.product_interval(resolve(core))) for name, core in COMPARED.items()} | cited
    delay = {name: combined(lambda c, t: c * t / MICRO, cycles[name], period[name]) for name in luts}
    lut_delay = {name: combined(metrics.area_delay, luts[name], delay[name]) for name in luts}
    dsp_delay = {name: combined(metrics.area_delay, dsps[name], delay[name]) for name in luts}
    rows = []
    for key, name in (("tang", TANG), ("suzuki", SUZUKI), ("ours", OURS)):
        clock = combined(metrics.fmax, period[name])
        for claim, figure in (
            ("luts", luts[name]),
            ("multipliers", dsps[name]),
            ("iterations", cycles[name]),
            ("clock", clock),
            ("lut_delay", lut_delay[name]),
            ("multiplier_delay", dsp_delay[name]),
        ):
            rows.append(row(PAPER[f"{key}_{claim}"], figure, printed_on=f"{DEVICE}, normalised there"))
    printed = {
        claim: {name: float(PAPER[f"{key}_{claim}"].number) for key, name in (("tang", TANG), ("ours", OURS))}
        for claim in ("luts", "multipliers", "iterations", "clock", "lut_delay", "multiplier_delay")
    }
    both = tuple(COMPARED)
    delays = {name: printed["iterations"][name] / printed["clock"][name] for name in both}
    conclusions = (
        counts(
            "clock cycles from product to product",
            {name: printed["iterations"][name] for name in both},
            {name: cycles[name].value or 0 for name in both},
        ),
        ordering(
            "LUT · delay",
            printed["lut_delay"],
            {name: lut_delay[name] for name in both},
            {"LUTs": (printed["luts"], luts), "time of a product": (delays, delay)},
        ),
        ordering(
            "multiplier · delay",
            printed["multiplier_delay"],
            {name: dsp_delay[name] for name in both},
            {"multipliers": (printed["multipliers"], dsps), "time of a product": (delays, delay)},
        ),
    )
    remarks = (
        "Left, Tang and Suzuki at an assumed 500 MHz, slices of Tang's as LUTs; ours at measured clocks.",
        "Cycles are those from product to product: a full batch for Karatsuba, one after the other for Tang.",
    )
    return Page("chow2010.table2", "512-bit multipliers compared", tuple(rows), conclusions, remarks)
