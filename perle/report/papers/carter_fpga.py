# SPDX-License-Identifier: Apache-2.0
"""The FPGA side of carter2012's table III: LUT · delay of a 1024-bit exponentiation, and LUTs.

LUTs are counted for the paper's device, Virtex-II. No open tool places on it, so clocks are those of
multipliers with the same elements, of 256 bits, on an ECP5. LUT · delay at the printed clocks is shown in
addition; it compares nothing but LUTs, so no conclusion is drawn from it.
"""

from __future__ import annotations

from perle.cores.registry import resolve
from perle.cores.scalable import model
from perle.report.papers.carter_costs import EQUAL, KINDS, PAPER, PE, core, printed
from perle.report.papers.table import Conclusion, Figure, Measured, Row, combined, order, ordering, row
from perle.results import metrics, names

AREA, CLOCK = names.VIRTEX_2, names.ECP5_FAST
VIRTEX = "Virtex-II, cited there"
AMBERG = "FPGA, Amberg et al. 2008: not in the paper"
MIXED = "LUTs of Virtex-II, clocks of ECP5"
LARGE = {
    "R2": "scalable:r2_w16_p64_n1024",
    "R4": "scalable:r4_w16_p32_n1024_paper",
    "R4B": "scalable:b4_w16_p32_n1024_paper",
}
"""Multipliers of 1024 bits with m = n, used for the LUT · delay of table III."""


def cycles(kind: str) -> int:
    """Return the cycles of a 1024-bit exponentiation as the paper counts them: 2·1024 products."""
    config = resolve(LARGE[kind])
    return 2 * config.width * model.kernel_cycles(config.params, config.width)


def period(measured: Measured, kind: str) -> Figure:
    """Return the clock period in ns of the 256-bit multiplier on an ECP5."""
    return measured.period(core(kind, EQUAL[kind]), CLOCK)


def luts(measured: Measured, kind: str) -> Figure:
    """Return the LUTs of the 1024-bit multiplier on Virtex-II."""
    return measured(LARGE[kind], AREA, names.LUTS)


def lut_delay(measured: Measured, kind: str) -> Figure:
    """Return LUT · ns of an exponentiation at the clock measured on an ECP5."""
    return combined(
        lambda area, ns: metrics.area_delay(area, metrics.latency(cycles(kind), ns)),
        luts(measured, kind),
        period(measured, kind),
    )


def _printed_time(kind: str) -> float:
    """Return the ns of an exponentiation at the printed clock."""
    return metrics.latency(cycles(kind), metrics.period(printed("fpga_{}")[kind]))


def _at_printed_clock(measured: Measured, kind: str) -> Figure:
    return combined(lambda area: metrics.area_delay(area, _printed_time(kind)), luts(measured, kind))


def lut_delay_rows(measured: Measured, kind: str) -> list[Row]:
    """Return LUT · delay at the measured and at the printed clock."""
    claim = PAPER[f"lutdp_{KINDS[kind][0]}"]
    time = "LUTs times the time of a 1024-bit exponentiation, 2·1024 products"
    return [
        row(
            claim,
            lut_delay(measured, kind),
            printed_on=VIRTEX,
            note=f"{time}, at the clock of 256 bits on ECP5: no open tool places on Virtex-II",
        ),
        row(
            claim,
            _at_printed_clock(measured, kind),
            label=f"{claim.what}; measured: LUTs alone, at the printed clock",
            printed_on=VIRTEX,
            note=f"{time}; the clock is the paper's",
        ),
    ]


def cited(measured: Measured, kind: str) -> list[Row]:
    """Return LUTs of R4 and R4B compared with those of Amberg et al. 2008, and how ours are distributed."""
    claim = PAPER[f"cited_luts_{KINDS[kind][0]}"]
    elements = resolve(LARGE[kind]).params["Elements"]
    whole = luts(measured, kind)
    one = measured(core(kind, EQUAL[kind]), AREA, names.LUTS, PE)
    chain = combined(lambda each: elements * each, one)
    rest = combined(lambda every, some: every - some, whole, chain).value
    spent = (
        ""
        if rest is None or rest < 0  # synthesized alone, elements may take more than in the multiplier
        else (
            f"{rest:,.0f} of them are not elements: operand registers and their word multiplexers, FIFO, "
            "sizes at run time, unloading, comparing and subtracting"
        )
    )
    return [
        row(claim, chain, label=f"{claim.what}; measured: {elements} elements alone", printed_on=AMBERG),
        row(
            claim,
            whole,
            label=f"{claim.what}; measured: the whole multiplier",
            printed_on=AMBERG,
            note=spent,
        ),
    ]


def conclusion(measured: Measured) -> Conclusion:
    """Compare the order by LUT · delay at measured clocks with the printed one."""
    said, clocks = printed("lutdp_{}"), printed("fpga_{}")
    periods = {kind: period(measured, kind) for kind in KINDS}
    implied = {kind: said[kind] / _printed_time(kind) for kind in KINDS}
    factors = {
        "LUTs": (implied, {kind: luts(measured, kind) for kind in KINDS}),
        "clock period": ({kind: metrics.period(clocks[kind]) for kind in KINDS}, periods),
    }
    ours = {kind: lut_delay(measured, kind) for kind in KINDS}
    return ordering(f"LUT · delay, {MIXED}", said, ours, factors)


def remarks(measured: Measured) -> tuple[str, ...]:
    """Return the orders by LUT · delay at the printed clocks, and with LUTs and clocks of the ECP5."""
    at_printed = _order({kind: _at_printed_clock(measured, kind) for kind in KINDS})
    alone = _order({kind: _ecp5(measured, kind) for kind in KINDS})
    return (
        f"At the printed clocks LUT · delay orders {at_printed}: the paper's clocks, only the LUTs are ours.",
        f"With LUTs and clocks of the ECP5, both of 256 bits, LUT · delay orders {alone}.",
    )


def _ecp5(measured: Measured, kind: str) -> Figure:
    """Return LUT · ns of a 256-bit product, all on the ECP5."""
    name = core(kind, EQUAL[kind])
    config = resolve(name)
    taken = model.kernel_cycles(config.params, config.width)
    return combined(
        lambda area, ns: metrics.area_delay(area, metrics.latency(taken, ns)),
        measured(name, CLOCK, names.LUTS),
        period(measured, kind),
    )


def _order(figures: dict[str, Figure]) -> str:
    """Return the order, or that figures are missing."""
    known = {kind: figure.value for kind, figure in figures.items() if figure.value is not None}
    return order(known) if len(known) == len(figures) else "(not measured)"
