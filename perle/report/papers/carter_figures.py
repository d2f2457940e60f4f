# SPDX-License-Identifier: Apache-2.0
"""Figures 9 and 10 of carter2012: energy · delay and area · delay of a 256-bit product over m = v·w·p.

A point is an element's costs times elements and cycles, as the paper counts. The paper's table II has the
values of energy, area and delay for its points. `python -m perle.report.pictures --write` draws both figures
from measurements; a test checks that the committed pictures are up to date.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from perle.cores.registry import CORES, resolve
from perle.cores.scalable import model
from perle.report.costs import shown
from perle.report.line import DERIVED, DERIVED_SAID
from perle.report.papers.carter_costs import EQUAL, KINDS, PAPER, core, counted, whole
from perle.report.papers.table import Conclusion, Measured, Page, Row, combined, computed
from perle.report.plot_svg import Axis, Dot, Series, render
from perle.results import metrics, names
from perle.tables import Table

PROCESS = "commercial 130 nm, full custom"
LARGEST = 1024
"""Largest m that is drawn."""
MM2 = 1e-6
MADE = "made by perle.report.papers.carter_figures"
FIGURES: dict[int, tuple[str, str, Callable[[float, float], float], float]] = {
    9: ("energy", "nJ ns", metrics.energy_delay, 1.0),
    10: ("area", "mm2 ns", metrics.area_delay, MM2),
}
"""For each figure: the quantity that is multiplied by the delay, the unit, and the factor that converts
measured values to it."""


def hardware(kind: str, elements: int) -> int:
    """Return m = v·w·p, the number of multiplier bits that one pass processes."""
    params = resolve(core(kind, EQUAL[kind])).params
    return model.radix_bits(params) * params["WordWidth"] * elements


def elements_of(kind: str) -> list[int]:
    """Return the numbers of elements that are drawn: powers of two, which include those of table II."""
    found, count = [], 2
    while hardware(kind, count) <= LARGEST:
        found.append(count)
        count *= 2
    return found


def figure(measured: Measured, number: int) -> Page:
    """Return printed and measured points of figure 9 or 10, and the p at which each kind saturates."""
    what, unit, product, scale = FIGURES[number]
    rows: list[Row] = []
    for kind, (name, _, counts) in KINDS.items():
        for elements in counts:
            one, key = counted(measured, kind, elements), f"{name}_p{elements}"
            printed = float(PAPER[f"{what}_{key}"].number * PAPER[f"delay_{key}"].number)
            ours = combined(lambda value, delay: product(value, delay) * scale, getattr(one, what), one.delay)
            label = f"figure {number}, {kind}, m = {hardware(kind, elements)}: {what} · delay"
            note = "printed: from table II, which the figure draws"
            rows.append(computed(label, printed, ours, unit, printed_on=PROCESS, note=note))
    title = f"{what} · delay of a product of 256 bits over the hardware m"
    return Page(f"carter2012.figure{number}", title, tuple(rows), tuple(_saturation(kind) for kind in KINDS))


ELEMENTS = (
    *("Carter 2012, as in the paper", "p", "m", "printed: elements only", "measured: elements only"),
    "measured: whole multiplier",
)
ELEMENTS_SAID = (
    "Energy · delay of a product of 256 bits in nJ · ns, 130 nm.",
    "p: processing elements; m = v·w·p, v bits of a digit, w of a word: the paper's measure of hardware.",
    "The paper counts processing elements alone; a multiplier also has queue, control, operands and result.",
    f"{DERIVED_SAID} Measured: {names.SILICON}; a whole multiplier where m = 256.",
)


def elements_table(measured: Measured) -> Table:
    """Return energy · delay as printed, as measured of elements, and of whole multipliers with m = n."""
    rows = []
    for kind, (name, _, counts) in KINDS.items():
        for elements in (count for count in counts if count >= EQUAL[kind]):
            key = f"{name}_p{elements}"
            ways = [counted, *([whole] if elements == EQUAL[kind] else [])]
            costs = [way(measured, kind, elements) for way in ways]
            found = [combined(metrics.energy_delay, one.energy, one.delay).value for one in costs]
            printed = float(PAPER[f"energy_{key}"].number * PAPER[f"delay_{key}"].number)
            cells = (f"{shown(printed)} {DERIVED}", *map(shown, (*found, None)[:2]))
            rows.append([kind, f"{elements}", f"{hardware(kind, elements)}", *cells])
    title = "Energy · delay of Carter's multipliers"
    return Table(ELEMENTS, rows, title, range(1, len(ELEMENTS)), remarks=ELEMENTS_SAID)


def _saturation(kind: str) -> Conclusion:
    """Compare the number of elements beyond which a product does not get faster: in the paper, p ≈ n/w."""
    params = resolve(core(kind, EQUAL[kind])).params
    width, counts = params["Width"], elements_of(kind)

    def cycles(elements: int) -> int:
        return model.kernel_cycles(params | {"Elements": elements}, width)

    best = min(counts, key=cycles)
    printed = int(PAPER.compute(f"saturation(n={width}, w={params['WordWidth']})"))
    return Conclusion(f"{kind} saturates at p", str(printed), str(best), best == printed)


def draw(measured: Measured, number: int) -> str:
    """Return the SVG text of a figure: all p for each kind, with the paper's elements as measured here."""
    what, unit, product, scale = FIGURES[number]
    series = []
    for kind in KINDS:
        dots = []
        for elements in elements_of(kind):
            one = counted(measured, kind, elements)
            value = combined(product, getattr(one, what), one.delay).value
            if value is not None:
                dots.append(Dot(hardware(kind, elements), value * scale))
        series.append(Series(kind, dots))
    title = f"Figure {number} with our figures: {what} · delay over m; p = m/16, for radix 4 m/32"
    said = f"{what} · delay in {unit} over the hardware m = v·w·p, for radix 2, radix 4 and Booth radix 4."
    ticks = (32, 64, 128, 256, 512, 1024)
    return render(MADE, title, said, Axis("m", log=True, ticks=ticks), Axis(unit), series)


def picture(number: int) -> Path:
    """Return the path of a figure's picture."""
    return CORES / "scalable" / f"figure{number}.svg"
