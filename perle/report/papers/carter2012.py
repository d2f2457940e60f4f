# SPDX-License-Identifier: Apache-2.0
"""Tables I to III of carter2012: one processing element, multipliers made of it, FPGA against silicon.

Table II is table I times elements and cycles: it leaves out queue, control and the adder for 3Y. Both are
shown here, the paper's way of counting and the whole multiplier as it was measured.
"""

from __future__ import annotations

from collections.abc import Callable

from perle.report.papers.carter_costs import (
    EQUAL,
    KINDS,
    PAPER,
    PE,
    Costs,
    core,
    counted,
    element,
    element_core,
    printed,
    whole,
)
from perle.report.papers.table import (
    Conclusion,
    Measured,
    Page,
    Row,
    alike,
    combined,
    ordering,
    row,
)
from perle.results import metrics, names

FPGA = names.ECP5_FAST
PROCESS, VIRTEX = "commercial 130 nm, full custom", "Virtex-II, cited there"
MM2, PERCENT = 1e-6, 100

Count = Callable[[Measured, str, int], Costs]


def table1(measured: Measured) -> Page:
    """Return energy, delay and area of one element."""
    rows: list[Row] = []
    ones = {kind: element(measured, kind) for kind in KINDS}
    for kind, (name, _, _) in KINDS.items():
        one = ones[kind]
        for claim, figure, scale in (
            ("pe_energy", one.energy, 1000),
            ("pe_sim_energy", one.energy, 1000),
            ("pe_delay", one.delay, 1),
            ("pe_area", one.area, 1),
        ):
            rows.append(row(PAPER[f"{claim}_{name}"], figure, scale=scale, printed_on=PROCESS))
    conclusions = (
        ordering("energy of an element", printed("pe_energy_{}"), {k: one.energy for k, one in ones.items()}),
        ordering("delay of an element", printed("pe_delay_{}"), {k: one.delay for k, one in ones.items()}),
        ordering("area of an element", printed("pe_area_{}"), {k: one.area for k, one in ones.items()}),
    )
    remarks = (
        "Ours are synthesised standard cells, not placed; theirs are full custom with extracted wires.",
        "The paper says that wires of its R2 and R4B are under-driven; ours are sized by synthesis.",
        _registers(measured),
    )
    return Page("carter2012.table1", "One processing element of 16 bits", tuple(rows), conclusions, remarks)


def _registers(measured: Measured) -> str:
    """Tell what decides area and energy of our elements: their registers."""
    counts = {kind: measured(element_core(measured, kind), names.SILICON, "ff", PE).value for kind in KINDS}
    found = ", ".join(f"{kind} {count:.0f}" for kind, count in counts.items() if count is not None)
    why = "R4 hands on the words of 3Y and 3M̂ too, which R4B makes by selection"
    return f"Registers of an element here: {found or 'not measured'}. {why}."


def table2(measured: Measured) -> Page:
    """Return cycles, energy, delay and area of a product of 256 bits, counted in both ways."""
    rows = [
        one
        for kind, (_, _, counts) in KINDS.items()
        for elements in counts
        for how, count in (("", counted), (", whole multiplier", whole))
        for one in _size(measured, kind, elements, how, count)
    ]
    remark = (
        "Table II is table I by elements and cycles of equation (2): no queue, no control, no adder for 3Y. "
        "Rows of a whole multiplier have all of it, and the cycles to unload."
    )
    conclusions = (*_products(measured, counted, "counted"), *_products(measured, whole, "whole"))
    return Page("carter2012.table2", "A product of 256 × 256 bits", tuple(rows), conclusions, (remark,))


def _size(measured: Measured, kind: str, elements: int, how: str, count: Count) -> list[Row]:
    one, key = count(measured, kind, elements), f"{KINDS[kind][0]}_p{elements}"
    parts = {"cycles": one.cycles, "energy": one.energy, "delay": one.delay, "area": one.area}
    return [
        row(
            PAPER[f"{claim}_{key}"],
            figure,
            label=f"table II, {kind}, p = {elements}: {claim}{how}",
            scale=MM2 if claim == "area" else 1,
            printed_on=PROCESS,
        )
        for claim, figure in parts.items()
    ]


def _products(measured: Measured, count: Count, how: str) -> list[Conclusion]:
    """Compare the orders by energy · delay and area · delay at m = n = 256."""
    costs = {kind: count(measured, kind, EQUAL[kind]) for kind in KINDS}
    energy = {kind: one.energy for kind, one in costs.items()}
    delay = {kind: one.delay for kind, one in costs.items()}
    area = {kind: one.area for kind, one in costs.items()}
    said = printed("delay_{p}")
    return [
        ordering(
            f"{what} · delay at m = 256, {how}",
            {kind: printed(f"{what}_{{p}}")[kind] * said[kind] for kind in KINDS},
            {kind: combined(product, ours[kind], delay[kind]) for kind in KINDS},
            {what: (printed(f"{what}_{{p}}"), ours), "delay": (said, delay)},
        )
        for what, ours, product in (
            ("energy", energy, metrics.energy_delay),
            ("area", area, metrics.area_delay),
        )
    ]


def table3(measured: Measured) -> Page:
    """Return frequencies and area · delay on FPGA and silicon at m = n, and the abstract's ratios."""
    costs = {kind: counted(measured, kind, EQUAL[kind]) for kind in KINDS}
    period = {kind: measured.period(core(kind, EQUAL[kind]), FPGA) for kind in KINDS}
    luts = {kind: measured(core(kind, EQUAL[kind]), FPGA, names.LUTS) for kind in KINDS}
    delay = {kind: combined(metrics.latency, costs[kind].cycles, period[kind]) for kind in KINDS}
    lut_delay = {kind: combined(metrics.area_delay, luts[kind], delay[kind]) for kind in KINDS}
    area_delay = {kind: combined(metrics.area_delay, one.area, one.delay) for kind, one in costs.items()}
    fpga = {kind: combined(metrics.fmax, period[kind]) for kind in KINDS}
    silicon = {kind: combined(metrics.fmax, element(measured, kind).delay) for kind in KINDS}

    rows = []
    for kind, (name, _, _) in KINDS.items():
        rows += [
            row(PAPER[f"fpga_{name}"], fpga[kind], printed_on=VIRTEX),
            row(PAPER[f"silicon_{name}"], silicon[kind], printed_on=PROCESS),
            row(PAPER[f"lutdp_{name}"], lut_delay[kind], printed_on=VIRTEX, note=_implied(kind)),
            row(PAPER[f"adp_{name}"], area_delay[kind], scale=MM2, printed_on=PROCESS),
        ]
    energy_delay = {
        kind: combined(metrics.energy_delay, one.energy, one.delay) for kind, one in costs.items()
    }
    for claim, kind, products in (
        ("edp_r2_over_r4", "R2", energy_delay),
        ("adp_r2_over_r4", "R2", area_delay),
        ("edp_r4b_over_r4", "R4B", energy_delay),
        ("adp_r4b_over_r4", "R4B", area_delay),
    ):
        rows.append(row(PAPER[claim], combined(_more, products[kind], products["R4"]), printed_on=PROCESS))
    conclusions = (
        ordering("frequency on FPGA", printed("fpga_{}"), fpga),
        ordering("frequency on silicon", printed("silicon_{}"), silicon),
        ordering("LUT · delay", printed("lutdp_{}"), lut_delay),
        ordering("area · delay on silicon", printed("adp_{}"), area_delay),
        alike("FPGA and silicon order the elements by area · delay", lut_delay, area_delay),
    )
    return Page("carter2012.table3", "FPGA against silicon, m = n = 256", tuple(rows), conclusions)


def _more(value: float, than: float) -> float:
    """Return by how many per cent a value is above another."""
    return PERCENT * (value / than - 1)


def _implied(kind: str) -> str:
    """Return how many LUTs the printed LUT · delay stands for: more than any device has."""
    name = KINDS[kind][0]
    luts = PAPER.compute(f"lutdp_{name}*fpga_{name}/(1000*cycles_{name}_p{EQUAL[kind]})")
    return f"as printed it would be {float(luts):,.0f} LUTs: its power of ten cannot be right"
