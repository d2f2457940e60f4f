# SPDX-License-Identifier: Apache-2.0
"""Table 11 of nedjah2002: area, clock and area · time of the iterative (IM) and the systolic multiplier (SM).

The comparison uses multipliers built as in the paper: three states for each bit, and a row with one product
in flight. The paper's time is one clock period. By latency the ratios are the same: the cycles of IM and SM
differ by two as the paper describes them, by one here. If a ratio of measured to printed is far from 1, the
row explains it by counts of what was synthesized for the paper's device.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

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
    exact,
    order,
    ordering,
    row,
)
from perle.results import metrics, names

PAPER = load("nedjah2002")
SIZES = (128, 256, 512, 768, 1024)
AREA, CLOCK = names.VIRTEX_E, names.ECP5_SLOW
DEVICE = "Virtex-E (section 5; section 6 names a Spartan)"

IM, SM = "IM", "SM"
BETTER = f"{SM} < {IM}"
DERIVED_CYCLES: dict[str, Callable[[int], int]] = {
    IM: lambda n: int(PAPER.compute(f"3*iterations(n={n}) + 1")),
    SM: lambda n: int(PAPER.compute(f"out_bit(n={n}, j={n}) + extra")),
}
"""Cycles of a product of n bits, derived from what the paper describes; it prints neither count. IM, 3n + 1:
S1 loads, then S2, S3 and S4 for each of the n iterations of figure 1. SM, 3n + 3: result bit j = n by the
formula of section 5, of which the paper prints only j = 0, 2n + 3. Perle's multipliers take six (IM) and
three (SM) cycles more, as their results can be operands."""


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
    """Area in CLBs and cells, logic levels, and clock period in ns."""

    def __init__(self, measured: Measured, kind: str, bits: int) -> None:
        name = core(kind, bits)
        self.area = measured(name, AREA, names.CLBS)
        self.luts = measured(name, AREA, names.LUT)
        self.flip_flops = measured(name, AREA, names.FF)
        self.levels = measured(name, AREA, names.LEVELS)
        self.period = measured.period(name, CLOCK)


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
        _cycles(),
    )
    return Page(
        "nedjah2002.table11",
        "Iterative against systolic multiplier",
        tuple(rows),
        tuple(conclusions),
        remarks,
    )


def _cycles() -> str:
    """Return a remark on the cycles of a product, which do not change the comparison."""
    bits = SIZES[0]
    ours = [metrics.product_cycles(resolve(core(kind, bits))) for kind in (IM, SM)]
    theirs = [DERIVED_CYCLES[kind](bits) for kind in (IM, SM)]
    return (
        f"Time is the clock period. A product of {bits} bits takes {ours[0]} cycles in the IM, {ours[1]} in "
        f"the SM ({theirs[0]}, {theirs[1]} as derived from the paper): by latency ratios differ by under 1 %."
    )


def _rows(kind: str, bits: int, one: Costs) -> list[Row]:
    claim = {name: PAPER[f"{name}_{kind.lower()}_{bits}"] for name in ("area", "clock", "at")}
    return [
        row(claim["area"], one.area, printed_on=DEVICE, note=_area_note(kind, bits, one)),
        row(claim["clock"], one.period, printed_on=DEVICE, note=_clock_note(kind, bits, one)),
        row(
            claim["at"],
            combined(metrics.area_delay, one.area, one.period),
            printed_on=DEVICE,
            note="a larger area times a shorter period: the two rows above",
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
        label=f"area of our SM with two products in flight, {bits} bits; printed: their SM",
        printed_on=DEVICE,
        note="two products, registers at the ports, a FIFO: not the paper's",
    )


def _orders(bits: int, costs: dict[str, Costs]) -> list[Conclusion]:
    """Compare area, clock period and area · clock period of IM and SM."""
    printed = {
        name: {kind: float(PAPER[f"{name}_{kind.lower()}_{bits}"].number) for kind in (IM, SM)}
        for name in ("area", "clock", "at")
    }
    area: dict[str, Figure] = {kind: one.area for kind, one in costs.items()}
    period: dict[str, Figure] = {kind: one.period for kind, one in costs.items()}
    factors = {"area": (printed["area"], area), "clock period": (printed["clock"], period)}
    cause = _areas_printed(bits, printed["area"], period)
    return [
        ordering(f"area, {bits} bits", printed["area"], area),
        ordering(f"clock period, {bits} bits", printed["clock"], period),
        ordering(f"area × period, {bits} bits", printed["at"], _times(area, period), factors, cause),
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
    """Compare from which size on the systolic multiplier has the better area × period, by measured orders.

    The paper says: above 512 bits; its table has that order at 512 bits too. So 512 and the next size that
    was measured are both the paper's.
    """
    limit, table = int(PAPER["crossover"].number), _first(_printed_better())
    printed = f"> {limit} (from {table} on in its table)"
    what = "bits from which on the SM has the better area × period"
    found = {bits: one for bits in SIZES for one in conclusions if one.what == f"area × period, {bits} bits"}
    known = {bits: one.measured for bits, one in found.items() if one.measured is not None}
    above = [bits for bits in known if bits > limit]
    if not above or len(above) == len(known):
        return Conclusion(what, printed, None, None, f"not measured below and above {limit} bits")
    better = {bits: said == BETTER for bits, said in known.items()}
    first = _first(better)
    ours = "none of those measured" if first is None else str(first)
    if first in (limit, above[0]):
        return Conclusion(what, printed, ours, same=True)
    sizes = ", ".join(f"{bits}: {said}" for bits, said in known.items())
    causes = [found[bits].cause for bits in known if bits != limit and better[bits] != (bits > limit)]
    cause = "that of the sizes that differ" if all(causes) else ""
    return Conclusion(what, printed, ours, same=False, reason=f"here {sizes}", cause=cause)


def _printed_better() -> dict[int, bool]:
    """Return for each size whether the SM has the better area × period in the paper's table."""
    return {
        bits: order({kind: float(PAPER[f"at_{kind.lower()}_{bits}"].number) for kind in (IM, SM)}) == BETTER
        for bits in SIZES
    }


def _first(better: Mapping[int, bool]) -> int | None:
    """Return the first size from which on the SM is better at every size."""
    return next((bits for bits in better if all(said for b, said in better.items() if b >= bits)), None)
