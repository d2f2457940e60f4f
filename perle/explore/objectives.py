# SPDX-License-Identifier: Apache-2.0
"""The figures that configurations are compared by: measured areas, and times from the model's cycles.

Smaller is better for each. Times are those of products: parts that compute something else are compared by
their clock period.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from perle.cores.registry import resolve_any
from perle.explore.space import FIRST, SpaceError
from perle.results import Measurement, metrics, names
from perle.results.view import counted

LATENCY, INTERVAL, CLOCK = "latency", "interval", "period"
COUNTS = {"luts": names.LUTS, "ff": names.FF, "dsp": names.DSP, "bram": names.BRAM}
"""Counts of device cells; 0 if a design uses none."""
MEASURED = {"area": names.AREA, "levels": names.LEVELS, "energy": names.PRODUCT_ENERGY}
"""Area in µm², levels of logic and energy of a product in pJ, which only some targets report."""
NAMES = (*COUNTS, *MEASURED, LATENCY, INTERVAL, CLOCK)
"""All figures. LATENCY of a product and INTERVAL between products are in µs, or in cycles if no clock was
measured; CLOCK is the clock period in ns."""
OF_PRODUCTS = (LATENCY, INTERVAL)
USUAL = ("luts", "dsp", "area", *OF_PRODUCTS)
"""Default figures; those that a target does not report (cells or area) are left out. For parts that do not
compute products, CLOCK is in place of LATENCY and INTERVAL."""
MULTIPLIERS = {"mul": 1, "mul_pair": 2}
"""The parts that compute products, and the number of their multipliers."""
BOARD = "board"
"""An active memory, which is timed as if a product took one cycle."""


def usual(target: str, part: str = FIRST, *, clocked: bool = True) -> tuple[str, ...]:
    """Return the default figures of a part on a target: cells for a device, area for a process.

    `clocked`: whether the target reports a clock.
    """
    without = ("luts", "dsp") if target in names.PROCESSES else ("area",)
    found = tuple(one for one in USUAL if one not in without)
    if _of_products(part):
        return found
    return (*(one for one in found if one not in OF_PRODUCTS), *((CLOCK,) if clocked else ()))


def _of_products(part: str) -> bool:
    return part in (FIRST, BOARD, *MULTIPLIERS)


def check(figures: Sequence[str], part: str) -> None:
    """Raise SpaceError for a figure of products, except the default ones, if a part computes none."""
    wrong = [one for one in figures if one in OF_PRODUCTS]
    if wrong and figures != USUAL and not _of_products(part):
        has = " and ".join(MULTIPLIERS)
        raise SpaceError(f"{wrong[0]!r} is of a product: {has} have it, not {part}")


def chosen(text: str | None) -> tuple[str, ...]:
    """Return the figures in a comma-separated list, by default USUAL; SpaceError for unknown names."""
    found = USUAL if text is None else tuple(dict.fromkeys(text.split(",")))
    unknown = [one for one in found if one not in NAMES]
    if unknown:
        raise SpaceError(f"no figure {unknown[0]!r}; there are: {', '.join(NAMES)}")
    return found


def cycles(core: str, part: str) -> tuple[float, float] | None:
    """Return the cycles of a product and to the next one; 1, 1 for active memories, which lack them.

    None for a part that does not compute products.
    """
    if part == BOARD:
        return 1.0, 1.0
    if part not in MULTIPLIERS:
        return None
    config = resolve_any(core)
    return float(metrics.product_cycles(config)), metrics.product_interval(config) / MULTIPLIERS[part]


def costs(run: Measurement, figures: Sequence[str] = USUAL) -> dict[str, float]:
    """Return the costs of a successful run, by figure with unit.

    SpaceError for a figure that its target does not have; areas among the default ones are left out instead.
    """
    check(figures, run.part)
    run = counted(run)
    found = {}
    more = () if figures != USUAL or _of_products(run.part) else (CLOCK,)
    for figure in (*figures, *more):
        one = _cost(run, figure)
        if one is not None:
            label, value = one
            found[label] = value
        elif figure in COUNTS and names.LUTS in run.metrics:
            found |= {} if figures == USUAL else {COUNTS[figure]: 0.0}
        elif figures != USUAL:
            raise SpaceError(f"{run.target} does not tell {figure!r} of {run.core}")
    return found


def vector(runs: Sequence[Measurement], figures: Sequence[str]) -> list[float]:
    """Return the median of each figure over successful runs of a core; 0 for a count that is missing."""
    found = [[_cost(counted(one), figure) for one in runs] for figure in figures]
    return [median([one[1] for one in seeds if one] or [0.0]) for seeds in found]


def _cost(run: Measurement, figure: str) -> tuple[str, float] | None:
    fmax, period = run.metrics.get(names.FMAX), run.metrics.get(names.PERIOD)
    clock = metrics.period(fmax) if fmax else period
    if figure == CLOCK:
        return None if clock is None else ("period, ns", clock)
    if figure in (LATENCY, INTERVAL):
        taken = cycles(run.core, run.part)
        if taken is None:
            return None
        latency, interval = taken
        count, said = (latency, "latency") if figure == LATENCY else (interval, "next product")
        return (f"{said}, cycles", count) if clock is None else (f"{said}, µs", count * clock / 1000)
    name = (COUNTS | MEASURED)[figure]
    return (name, run.metrics[name]) if name in run.metrics else None
