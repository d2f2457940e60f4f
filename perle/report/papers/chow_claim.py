# SPDX-License-Identifier: Apache-2.0
"""The central claim of chow2010: area · time of a product with Karatsuba and with Tang's design.

LUT-cycles and multiplier-cycles are LUTs and multipliers times the initiation interval. They need synthesis
for the paper's device and the models, but no placement. At equal clocks they order designs as area · delay
does; the paper uses 300 MHz and an assumed 500 MHz. In addition, placed 256-bit cores are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from perle.cores.registry import resolve
from perle.report.papers.chow2010 import AREA, CLOCK, COMPARED, DEVICE, MICRO, OURS, PAPER, TANG
from perle.report.papers.table import (
    Conclusion,
    Figure,
    Measured,
    Page,
    Row,
    combined,
    computed,
    exact,
    ordering,
)
from perle.results import metrics, names

SMALL_LEAVES = "Karatsuba, leaves of 17 bits"
AT_EQUAL_CLOCK = {**COMPARED, SMALL_LEAVES: "karatsuba:w512"}
PLACED = {OURS: "karatsuba:w256", TANG: "orup:w256"}
KEYS = {TANG: "tang", OURS: "ours", SMALL_LEAVES: "ours"}
BOTH = tuple(COMPARED)


def _cycles(core: str) -> Figure:
    return exact(metrics.product_interval(resolve(core)))


def _printed(claim: str, name: str) -> float:
    return float(PAPER[f"{KEYS[name]}_{claim}"].number)


def _equal(measured: Measured, kind: str) -> tuple[list[Row], Conclusion]:
    """Return rows of LUT-cycles or multiplier-cycles, and which design needs less."""
    claim, metric, product = KINDS[kind]
    found = {
        name: combined(product, measured(core, AREA, metric), _cycles(core))
        for name, core in AT_EQUAL_CLOCK.items()
    }
    printed = {name: product(_printed(claim, name), _printed("iterations", name)) for name in found}
    rows = [
        computed(
            f"{kind} of a product of 512 bits: {name} ({AT_EQUAL_CLOCK[name]})",
            printed[name],
            found[name],
            f"{kind}",
            printed_on=f"{DEVICE}, normalised there",
            note="left, table II's area by its iterations",
        )
        for name in found
    ]
    rows.append(
        computed(
            f"{kind}: Tang's by Karatsuba's",
            printed[TANG] / printed[OURS],
            combined(lambda one, two: one / two, found[TANG], found[OURS]),
            "times",
            printed_on=f"{DEVICE}, normalised there",
            note="left, of table II",
        )
    )
    said = ordering(
        f"{kind} of a product of 512 bits, at equal clock",
        {name: printed[name] for name in BOTH},
        {name: found[name] for name in BOTH},
    )
    return rows, said


def _placed(measured: Measured, kind: str) -> tuple[list[Row], Conclusion]:
    """Return area · time of placed 256-bit cores, for which the paper prints no area."""
    _, metric, product = KINDS[kind]
    unit = f"{kind.partition('-')[0]} us"
    found = {}
    for name, core in PLACED.items():
        taken = combined(product, measured(core, CLOCK, metric), _cycles(core))
        found[name] = combined(metrics.area_delay, taken, measured.period(core, CLOCK))
    micro = {name: combined(lambda each: each / MICRO, figure) for name, figure in found.items()}
    rows = [
        computed(f"{unit} of a product of 256 bits, placed: {name} ({PLACED[name]})", None, figure, unit)
        for name, figure in micro.items()
    ]
    delay = {"LUT-cycles": "lut_delay", "multiplier-cycles": "multiplier_delay"}[kind]
    said = ordering(
        f"{unit} of a product, printed of 512 bits, here of 256 bits and placed",
        {name: _printed(delay, name) for name in BOTH},
        micro,
    )
    return rows, said


Product = Callable[[float, float], float]
KINDS: Mapping[str, tuple[str, str, Product]] = {
    "LUT-cycles": ("luts", names.LUTS, metrics.lut_cycles),
    "multiplier-cycles": ("multipliers", names.DSP, metrics.multiplier_cycles),
}
"""For each kind: the claim in table II, the measured metric, and the function of area and cycles."""


def page(measured: Measured) -> Page:
    """Return area · time of a product at equal clock and after placement, and which design needs less."""
    found = [each(measured, kind) for each in (_equal, _placed) for kind in KINDS]
    remarks = (
        "LUT-cycles, multiplier-cycles: area by the cycles from product to product; no clock is in them.",
        "Cycles are those of a full batch for Karatsuba, of one product after the other for Tang.",
        "Printed numbers stand on the left alone; Tang's were normalised there, a Virtex-6 LUT for a slice.",
    )
    return Page(
        "chow2010.claim",
        "Karatsuba against Tang, at equal clock and placed",
        tuple(one for rows, _ in found for one in rows),
        tuple(said for _, said in found),
        remarks,
    )
