# SPDX-License-Identifier: Apache-2.0
"""Tables I to III of carter2012: one processing element, multipliers made of it, FPGA against silicon.

The comparison uses elements built as in the paper: q·M̂ is added first, and multiplexers handle the corner
cases of Booth recoding. Perle's own radix-4 elements, which differ in that, are listed in addition. The
paper's table II is table I times elements and cycles, without queue, control and the adder for 3Y. Both this
count and the measurement of a whole multiplier are given here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from perle.report.papers import carter_fpga
from perle.report.papers.carter_costs import (
    CPA,
    EQUAL,
    KINDS,
    PAPER,
    PE,
    Costs,
    counted,
    element,
    element_core,
    printed,
    whole,
)
from perle.report.papers.table import (
    Conclusion,
    Figure,
    Measured,
    Page,
    Row,
    alike,
    combined,
    counts,
    excess,
    order,
    ordering,
    row,
)
from perle.results import metrics, names

OURS = ("R4", "R4B")
"""Kinds of which Perle's own element differs from the paper's."""
REGISTERS = (
    "R4 hands on the words of 3Y and 3M̂ in registers, which weigh more here than in the paper's full-custom "
    "cells; without flip-flops, by cells"
)
PROCESS = "commercial 130 nm, full custom"
MM2, PERCENT = 1e-6, 100

Count = Callable[[Measured, str, int], Costs]


def table1(measured: Measured) -> Page:
    """Return table I: energy, delay and area of one element."""
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
        rows += _vector_pairs(measured, kind)
    for kind in OURS:
        rows += _our_element(measured, kind)
    rows.append(_adders(measured))
    conclusions = (
        ordering(
            "energy of an element",
            printed("pe_energy_{}"),
            {k: one.energy for k, one in ones.items()},
            cause=(REGISTERS, _gates(measured)),
        ),
        ordering("delay of an element", printed("pe_delay_{}"), {k: one.delay for k, one in ones.items()}),
        ordering(
            "area of an element",
            printed("pe_area_{}"),
            {k: one.area for k, one in ones.items()},
            cause=(REGISTERS, _gates(measured)),
        ),
    )
    remarks = (
        "Ours are synthesised standard cells, not placed; theirs are full custom with extracted wires.",
        "The paper says that wires of its R2 and R4B are under-driven; ours are sized by synthesis.",
        _registers(measured),
        *_with_ours(measured),
    )
    return Page("carter2012.table1", "One processing element of 16 bits", tuple(rows), conclusions, remarks)


def _vector_pairs(measured: Measured, kind: str) -> list[Row]:
    """Return the energy of an element that alternates between two random vectors, as on the paper's chip."""
    claim, applied = PAPER[f"pe_energy_{KINDS[kind][0]}"], PAPER["vector_pairs"].number
    return [
        row(
            claim,
            measured(element_core(measured, kind), names.SILICON, metric, PE),
            label=f"{claim.what}, by {pairs:,} pairs of vectors",
            printed_on=PROCESS,
            note="as the paper measured; other random pairs" if pairs == applied else "left: by ten pairs",
        )
        for pairs, metric in names.PAIRS_ENERGY.items()
    ]


def _adders(measured: Measured) -> Row:
    """Return the area of the two adders that compute 3Y and 3M̂ for the elements, with their registers."""
    name = element_core(measured, "R4")
    one = measured(name, names.SILICON, names.AREA, CPA)
    registers = measured(name, names.SILICON, names.FF, CPA).value
    note = "" if registers is None else f"with {2 * registers:.0f} flip-flops, which hold words and carries"
    return row(PAPER["cpa_area"], combined(lambda area: 2 * area, one), printed_on=PROCESS, note=note)


def _our_element(measured: Measured, kind: str) -> list[Row]:
    """Return energy, delay and area of Perle's own element, compared with those printed for the paper's."""
    name, one = KINDS[kind][0], element(measured, kind, ours=True)
    return [
        row(
            PAPER[f"pe_{what}_{name}"],
            figure,
            label=f"{what} of our {kind}; printed: the paper's element",
            scale=scale,
            printed_on=PROCESS,
            note="not the paper's element",
        )
        for what, figure, scale in (
            ("energy", one.energy, 1000),
            ("delay", one.delay, 1),
            ("area", one.area, 1),
        )
    ]


def _with_ours(measured: Measured) -> list[str]:
    """Return how energy · delay and area · delay would compare with Perle's own elements."""
    found = []
    ones = {kind: counted(measured, kind, EQUAL[kind], ours=True) for kind in KINDS}
    for what, product in (("energy", metrics.energy_delay), ("area", metrics.area_delay)):
        values = {kind: combined(product, getattr(one, what), one.delay).value for kind, one in ones.items()}
        known = {kind: value for kind, value in values.items() if value is not None}
        if len(known) < len(KINDS):
            continue
        said = {kind: printed(f"{what}_{{p}}")[kind] * printed("delay_{p}")[kind] for kind in KINDS}
        found.append(
            f"With our elements {what} · delay orders {order(known)}, the paper's {order(said)}: without "
            f"corner cases R4B takes {known['R4B'] / known['R4']:.2f} times R4's, printed "
            f"{said['R4B'] / said['R4']:.2f}."
        )
    return found


def _gates(measured: Measured) -> dict[str, Figure]:
    """Return the number of cells of an element that are not flip-flops."""
    found = {}
    for kind in KINDS:
        name = element_core(measured, kind)
        cells, flip_flops = (measured(name, names.SILICON, what, PE) for what in (names.CELLS, names.FF))
        found[kind] = combined(lambda every, some: every - some, cells, flip_flops)
    return found


def _gates_delay(measured: Measured, delay: Mapping[str, Figure]) -> dict[str, Figure]:
    """Return elements times cells per element without flip-flops, times the delay of a product."""
    gates = _gates(measured)
    return {
        kind: combined(lambda count, ns, p=EQUAL[kind]: count * p * ns, gates[kind], delay[kind])
        for kind in KINDS
    }


def _registers(measured: Measured) -> str:
    """Return a remark on the registers of an element, which determine its area and energy."""
    counts = {
        kind: measured(element_core(measured, kind), names.SILICON, names.FF, PE).value for kind in KINDS
    }
    found = ", ".join(f"{kind} {count:.0f}" for kind, count in counts.items() if count is not None)
    why = "R4 hands on the words of 3Y and 3M̂ too, which R4B makes by selection"
    return f"Registers of an element here: {found or 'not measured'}. {why}."


def table2(measured: Measured) -> Page:
    """Return table II: cycles, energy, delay and area of a 256-bit product, counted in both ways."""
    rows = [
        one
        for kind, (_, _, numbers) in KINDS.items()
        for elements in numbers
        for how, count in (("", counted), (", whole multiplier", whole))
        if count is counted or elements == EQUAL[kind]
        for one in _size(measured, kind, elements, how, count)
    ]
    remark = (
        "Table II is table I by elements and cycles of equation (2): no queue, no control, no adder for 3Y. "
        "Rows of a whole multiplier, of m = n, have all of it, and the cycles to unload."
    )
    conclusions = (_cycles(measured), *_products(measured))
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


def _cycles(measured: Measured) -> Conclusion:
    """Compare the cycles of equation (2) with the printed ones, in the order of the rows."""
    printed_cycles, ours = dict[str, float](), dict[str, float]()
    for kind, (name, _, numbers) in KINDS.items():
        for elements in numbers:
            key = f"{kind} p = {elements}"
            printed_cycles[key] = float(PAPER[f"cycles_{name}_p{elements}"].number)
            ours[key] = counted(measured, kind, elements).cycles.value or 0
    return counts("clock cycles of a product by equation (2)", printed_cycles, ours)


def _products(measured: Measured) -> list[Conclusion]:
    """Compare the orders by energy · delay and area · delay at m = n = 256, counted as the paper counts."""
    costs = {kind: counted(measured, kind, EQUAL[kind]) for kind in KINDS}
    energy = {kind: one.energy for kind, one in costs.items()}
    delay = {kind: one.delay for kind, one in costs.items()}
    area = {kind: one.area for kind, one in costs.items()}
    said = printed("delay_{p}")
    return [
        ordering(
            f"{what} · delay at m = 256",
            {kind: printed(f"{what}_{{p}}")[kind] * said[kind] for kind in KINDS},
            {kind: combined(product, ours[kind], delay[kind]) for kind in KINDS},
            {what: (printed(f"{what}_{{p}}"), ours), "delay": (said, delay)},
            cause=(f"{REGISTERS}, by delay", _gates_delay(measured, delay)),
        )
        for what, ours, product in (
            ("energy", energy, metrics.energy_delay),
            ("area", area, metrics.area_delay),
        )
    ]


def table3(measured: Measured) -> Page:
    """Return table III: frequencies and area · delay on FPGA and silicon at m = n, and the abstract's ratios.

    LUT · delay is that of a 1024-bit exponentiation, as for the FPGAs that the paper cites.
    """
    costs = {kind: counted(measured, kind, EQUAL[kind]) for kind in KINDS}
    period = {kind: carter_fpga.period(measured, kind) for kind in KINDS}
    lut_delay = {kind: carter_fpga.lut_delay(measured, kind) for kind in KINDS}
    area_delay = {kind: combined(metrics.area_delay, one.area, one.delay) for kind, one in costs.items()}
    fpga = {kind: combined(metrics.fmax, period[kind]) for kind in KINDS}
    silicon = {kind: combined(metrics.fmax, element(measured, kind).delay) for kind in KINDS}

    rows = []
    for kind, (name, _, _) in KINDS.items():
        rows += [
            row(PAPER[f"fpga_{name}"], fpga[kind], printed_on=carter_fpga.VIRTEX),
            row(PAPER[f"silicon_{name}"], silicon[kind], printed_on=PROCESS),
            *carter_fpga.lut_delay_rows(measured, kind),
            row(PAPER[f"adp_{name}"], area_delay[kind], scale=MM2, printed_on=PROCESS),
        ]
    rows += [one for kind in OURS for one in carter_fpga.cited(measured, kind)]
    energy_delay = {
        kind: combined(metrics.energy_delay, one.energy, one.delay) for kind, one in costs.items()
    }
    ratios = []
    for claim, kind, products in (
        ("edp_r2_over_r4", "R2", energy_delay),
        ("adp_r2_over_r4", "R2", area_delay),
        ("edp_r4b_over_r4", "R4B", energy_delay),
        ("adp_r4b_over_r4", "R4B", area_delay),
    ):
        more = combined(_more, products[kind], products["R4"])
        rows.append(row(PAPER[claim], more, printed_on=PROCESS))
        ratios.append(excess(PAPER[claim], more))
    conclusions = (
        ordering("frequency on FPGA", printed("fpga_{}"), fpga),
        ordering("frequency on silicon", printed("silicon_{}"), silicon),
        carter_fpga.conclusion(measured),
        ordering("area · delay on silicon", printed("adp_{}"), area_delay),
        alike(
            f"FPGA ({carter_fpga.MIXED}) and silicon order the elements by area · delay",
            lut_delay,
            area_delay,
        ),
        *ratios,
    )
    title = "FPGA against silicon, m = n = 256"
    remarks = carter_fpga.remarks(measured)
    return Page("carter2012.table3", title, tuple(rows), conclusions, remarks)


def _more(value: float, than: float) -> float:
    """Return by how many percent `value` exceeds `than`."""
    return PERCENT * (value / than - 1)
