# SPDX-License-Identifier: Apache-2.0
"""Table 11 of nedjah2002: area, clock and area · time of the iterative (IM) and the systolic multiplier (SM).

The comparison uses multipliers built as in the paper: three states for each bit, and a row with one product
in flight. The paper's time is one clock period. Area · latency is given too: the cycle counts of IM and SM
differ by one, so that the paper's ratios hold for it as well. If a ratio is far from 1, the row explains it
by counts of what was synthesized for the paper's device.
"""

from __future__ import annotations

from collections.abc import Callable

from perle.cores.registry import resolve
from perle.papers import load
from perle.report.papers.table import (
    Cause,
    Conclusion,
    Figure,
    Measured,
    Page,
    Row,
    combined,
    computed,
    exact,
    ordering,
    row,
)
from perle.results import metrics, names

PAPER = load("nedjah2002")
SIZES = (128, 256, 512, 768, 1024)
AREA, CLOCK = names.VIRTEX_E, names.ECP5_SLOW
DEVICE = "Virtex-E (section 5; section 6 names a Spartan)"

IM, SM = "IM", "SM"
PRINTED_CYCLES: dict[str, Callable[[int], int]] = {
    IM: lambda n: 3 * (n + 2) + 1,
    SM: lambda n: 3 * (n + 1) + 3,
}
"""Cycles of a product as the paper describes them. IM: three states for each of n + 2 bits; SM: 3n' + 3 for
n' = n + 1 columns."""


REGISTERS = {IM: ("A", "B", "M", "R"), SM: ("A", "B", "M", "MB", "R")}
"""Registers of n flip-flops that each of the paper's multipliers has."""
CLB = 4
"""Flip-flops, and also look-up tables, in a CLB of a Virtex-E."""
FAR = 0.3
"""A ratio of measured to printed that deviates from 1 by more than this must have a note with its cause."""


def core(kind: str, bits: int) -> str:
    """Return the paper's own configuration of a size."""
    return f"{'iterative' if kind == IM else 'bit_systolic'}:w{bits}_paper"


def holding(kind: str, bits: int) -> int:
    """Return the minimum number of CLBs for the registers of a multiplier."""
    return -(-len(REGISTERS[kind]) * bits // CLB)


class Costs:
    """Area in CLBs and cells, logic levels, clock period in ns, and latency of a product in ns."""

    def __init__(self, measured: Measured, kind: str, bits: int) -> None:
        name = core(kind, bits)
        config = resolve(name)
        self.area = measured(name, AREA, names.CLBS)
        self.luts = measured(name, AREA, names.LUT)
        self.flip_flops = measured(name, AREA, names.FF)
        self.levels = measured(name, AREA, names.LEVELS)
        self.period = measured.period(name, CLOCK)
        taken = metrics.product_cycles(config)
        self.latency = combined(lambda each: metrics.latency(taken, each), self.period)


def table11(measured: Measured) -> Page:
    """Return table 11: area, clock and area · time of both, and the size from which the SM is better."""
    rows: list[Row] = []
    conclusions: list[Conclusion] = []
    for bits in SIZES:
        costs = {kind: Costs(measured, kind, bits) for kind in (IM, SM)}
        for kind, one in costs.items():
            rows += _rows(kind, bits, one)
        rows.append(_two_in_flight(measured, bits))
        conclusions += _orders(bits, costs)
    conclusions.append(_crossover(conclusions))
    remarks = (
        "Ours in CLBs: the least that hold what was counted, were each of them full.",
        "Printed areas cannot hold the registers: A, B, M and R alone are 4n flip-flops, n CLBs.",
        "There is no place and route for Virtex-E here: periods are those of another, younger device.",
        "The printed period of the SM grows with n because M + B is added in one cycle, as ours does.",
        "Printed area × time is by the clock period; rows with the cycles of a product are by its latency.",
    )
    return Page(
        "nedjah2002.table11",
        "Iterative against systolic multiplier",
        tuple(rows),
        tuple(conclusions),
        remarks,
    )


def _rows(kind: str, bits: int, one: Costs) -> list[Row]:
    claim = {name: PAPER[f"{name}_{kind.lower()}_{bits}"] for name in ("area", "clock", "at")}
    cycles = PRINTED_CYCLES[kind](bits)
    whole = float(claim["area"].number * claim["clock"].number) * cycles
    return [
        row(claim["area"], one.area, printed_on=DEVICE, note=_area_note(kind, bits, one)),
        row(claim["clock"], one.period, printed_on=DEVICE, note=_clock_note(kind, bits, one)),
        row(
            claim["at"],
            combined(metrics.area_delay, one.area, one.period),
            printed_on=DEVICE,
            note="a larger area times a shorter period: the two rows above",
        ),
        computed(
            f"area × time of the {kind}, {bits} bits, with the cycles of a product",
            whole,
            combined(metrics.area_delay, one.area, one.latency),
            "CLB ns",
            printed_on=DEVICE,
            note=f"left: printed area × clock × {cycles:,} cycles; the ratio is that of area and clock",
        ),
    ]


def _area_note(kind: str, bits: int, one: Costs) -> str:
    """Return a note with the minimum CLBs for the registers, and the counted cells."""
    least = f"{', '.join(REGISTERS[kind])} take {holding(kind, bits):,} CLBs at least"
    if one.luts.value is None or one.flip_flops.value is None:
        return least
    return f"{least}; here {one.flip_flops.value:,.0f} flip-flops and {one.luts.value:,.0f} LUTs are counted"


def _clock_note(kind: str, bits: int, one: Costs) -> str:
    """Return a note with the time per logic level on either device."""
    printed = float(PAPER[f"clock_{kind.lower()}_{bits}"].number)
    if one.levels.value is None or one.period.value is None:
        return "another device"
    levels = one.levels.value
    each = f"{printed / levels:.2f} ns each as printed, {one.period.value / levels:.3f} ns here"
    return f"another device; {levels:,.0f} levels of logic on Virtex-E: {each}"


def _two_in_flight(measured: Measured, bits: int) -> Row:
    """Return the area of Perle's own SM, with two products in flight, compared with the printed SM."""
    return row(
        PAPER[f"area_sm_{bits}"],
        measured(f"bit_systolic:w{bits}", AREA, names.CLBS),
        label=f"area of our SM with two products in flight, {bits} bits; left: the printed SM",
        printed_on=DEVICE,
        note="two products, registers at the ports, a FIFO: not the paper's",
    )


def _orders(bits: int, costs: dict[str, Costs]) -> list[Conclusion]:
    """Compare area, clock period, area · clock period and area · latency of IM and SM."""
    printed = {
        name: {kind: float(PAPER[f"{name}_{kind.lower()}_{bits}"].number) for kind in (IM, SM)}
        for name in ("area", "clock", "at")
    }
    whole = {kind: printed["at"][kind] * PRINTED_CYCLES[kind](bits) for kind in (IM, SM)}
    area: dict[str, Figure] = {kind: one.area for kind, one in costs.items()}
    period: dict[str, Figure] = {kind: one.period for kind, one in costs.items()}
    latency: dict[str, Figure] = {kind: one.latency for kind, one in costs.items()}
    factors = {"area": (printed["area"], area), "clock period": (printed["clock"], period)}
    short, long = (_areas_printed(bits, printed["area"], time) for time in (period, latency))
    return [
        ordering(f"area, {bits} bits", printed["area"], area),
        ordering(f"clock period, {bits} bits", printed["clock"], period),
        ordering(f"area × period, {bits} bits", printed["at"], _times(area, period), factors, short),
        ordering(f"area × latency, {bits} bits", whole, _times(area, latency), factors, long),
    ]


def _areas_printed(bits: int, printed: dict[str, float], time: dict[str, Figure]) -> Cause | None:
    """Return as a cause that a printed area is too small for the registers; None if it is not."""
    short = [kind for kind in (IM, SM) if printed[kind] < holding(kind, bits)]
    if not short:
        return None
    said = " and ".join(
        f"{kind}'s {holding(kind, bits):,} CLBs of registers in {printed[kind]:,.0f}" for kind in short
    )
    areas = {kind: exact(value) for kind, value in printed.items()}
    return f"printed areas cannot hold {said}; with them and our times", _times(areas, time)


def _times(area: dict[str, Figure], time: dict[str, Figure]) -> dict[str, Figure]:
    return {kind: combined(metrics.area_delay, area[kind], time[kind]) for kind in area}


def _crossover(conclusions: list[Conclusion]) -> Conclusion:
    """Compare from which size on the systolic multiplier has the better area × period."""
    printed = str(PAPER["crossover"].value)
    found = {bits: one for bits in SIZES for one in conclusions if one.what == f"area × period, {bits} bits"}
    known = {bits: one.measured for bits, one in found.items() if one.measured is not None}
    what = "bits from which on the SM has the better area × period"
    if not known:
        return Conclusion(what, printed, None, None, "not measured")
    # a conclusion that holds within the tolerance counts as the paper's
    concluded = {bits: found[bits].printed if found[bits].same else said for bits, said in known.items()}
    better = [bits for bits, said in concluded.items() if said == "SM < IM"]
    first = next((bits for bits in known if all(b in better for b in known if b >= bits)), None)
    ours = "none of those measured" if first is None else str(first)
    if ours == printed:
        return Conclusion(what, printed, ours, same=True)
    sizes = ", ".join(f"{bits}: {said}" for bits, said in known.items())
    causes = {bits: found[bits].cause for bits in known if found[bits].same is False}
    cause = "that of the sizes that differ" if causes and all(causes.values()) else ""
    return Conclusion(what, printed, ours, same=False, reason=f"here {sizes}", cause=cause)
