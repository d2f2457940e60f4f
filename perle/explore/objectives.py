# SPDX-License-Identifier: Apache-2.0
"""The figures that configurations are compared by: measured areas, and times from the model's cycles.

Smaller is better for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from perle.cores.registry import resolve_any
from perle.explore.space import SpaceError
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
USUAL = ("luts", "dsp", "area", LATENCY, INTERVAL)
"""Default figures; those that a target does not report (cells or area) are left out."""


def usual(target: str) -> tuple[str, ...]:
    """Return the default figures that a target has: cells for a device, area for a process."""
    without = ("luts", "dsp") if target == names.SILICON else ("area",)
    return tuple(one for one in USUAL if one not in without)


def chosen(text: str | None) -> tuple[str, ...]:
    """Return the figures in a comma-separated list, by default USUAL; SpaceError for unknown names."""
    found = USUAL if text is None else tuple(dict.fromkeys(text.split(",")))
    unknown = [one for one in found if one not in NAMES]
    if unknown:
        raise SpaceError(f"no figure {unknown[0]!r}; there are: {', '.join(NAMES)}")
    return found


def cycles(core: str) -> tuple[float, float]:
    """Return the cycles of a product and to the next one; 1, 1 for active memories, which lack them."""
    config = resolve_any(core)
    if config.family.kind != "multiplier":
        return 1.0, 1.0
    return float(metrics.product_cycles(config)), float(metrics.product_interval(config))


def costs(run: Measurement, figures: Sequence[str] = USUAL) -> dict[str, float]:
    """Return the costs of a successful run, by figure with unit.

    SpaceError for a figure that its target does not have; areas among the default ones are left out instead.
    """
    run = counted(run)
    found = {}
    for figure in figures:
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
        latency, interval = cycles(run.core)
        count, said = (latency, "latency") if figure == LATENCY else (interval, "next product")
        return (f"{said}, cycles", count) if clock is None else (f"{said}, µs", count * clock / 1000)
    name = (COUNTS | MEASURED)[figure]
    return (name, run.metrics[name]) if name in run.metrics else None
