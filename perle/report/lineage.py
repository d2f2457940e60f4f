# SPDX-License-Identifier: Apache-2.0
"""How the five papers build on each other: what each added and what later ones improve, on the same device.

Figures are medians of recorded measurements, all at one width; `perle/papers/lineage.toml` lists the systems.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from perle.cores.registry import Config, resolve_any
from perle.papers import LINEAGE, load
from perle.report.costs import AREA_TIME, AREA_TIME_SAID, apply, shown
from perle.report.headline import RATED
from perle.results import metrics, names
from perle.results.view import Point, View
from perle.tables import Table

NS_PER_US = 1000
COLUMNS = (
    *("year", "system", "what it added", "core", "latency, cycles", "initiation interval", "LUT"),
    *("multipliers", "MHz", "latency, µs", AREA_TIME, "a better latency", "a better LUT · µs"),
)
NUMBERS = range(4, 11)


@dataclass(frozen=True)
class System:
    """A system with its figures; those that were not measured are None.

    `latency` and `interval` of a product are in cycles; `lut_us` is LUTs times the interval in µs.
    """

    year: int
    name: str
    added: str
    core: str
    latency: int
    interval: int
    luts: float | None
    multipliers: float | None
    mhz: float | None

    @property
    def product_us(self) -> float | None:
        """Latency of a product in µs."""
        return apply(lambda mhz: self.latency / mhz, self.mhz)

    @property
    def lut_us(self) -> float | None:
        """Area · time: LUTs times the initiation interval in µs."""
        return apply(lambda luts, mhz: luts * self.interval / mhz, self.luts, self.mhz)


def _cycles(config: Config) -> tuple[int, int]:
    """Return latency and initiation interval of a product."""
    if config.family.kind == "active_memory":
        busy = int(config.family.module("model").product_cycles(config.params))
        return busy, busy + 1  # a product is accepted in the cycle before
    return metrics.product_cycles(config), round(metrics.product_interval(config))


def systems(view: View) -> list[System]:
    """Return the systems in the order of lineage.toml, which is that of their years."""
    read = tomllib.loads(LINEAGE.read_text(encoding="utf-8"))
    found, rating = [], names.RATED_MHZ[names.device(read["target"])]
    for one in read["system"]:
        config, point = resolve_any(one["core"]), Point(one["core"], read["target"], one.get("part", "mul"))
        paper = None if "year" in one else load(one["paper"])
        mhz, multipliers = view.metric(point, names.FMAX), view.metric(point, names.DSP)
        if multipliers:
            mhz = apply(lambda clock: min(clock, rating), mhz)
        found.append(
            System(
                one["year"] if paper is None else paper.year,
                one["paper"] if paper is None else paper.authors[0].split()[-1],
                one["added"],
                one["core"],
                *_cycles(config),
                view.metric(point, names.LUTS),
                multipliers,
                mhz,
            )
        )
    return found


def overtaken(found: Sequence[System], index: int, metric: Callable[[System], float | None]) -> str:
    """Return the first later system with a smaller metric, and by what factor; empty if there is none."""
    own = metric(found[index])
    for one in found[index + 1 :]:
        value = metric(one)
        if own is not None and value is not None and value < own:
            return f"{one.year} {one.name}, {one.core.partition(':')[0]}: {shown(own / value)} times"
    return ""


def table(view: View) -> Table:
    """Return the table of all systems."""
    found = systems(view)
    rows = [
        [
            *(f"{one.year}", one.name, one.added, one.core),
            *map(shown, (one.latency, one.interval, one.luts, one.multipliers, one.mhz)),
            *map(shown, (one.product_us, one.lut_us)),
            overtaken(found, index, lambda each: each.product_us),
            overtaken(found, index, lambda each: each.lut_us),
        ]
        for index, one in enumerate(found)
    ]
    return Table(
        COLUMNS, rows, "Five papers on one time axis and one device", NUMBERS, remarks=REMARKS, keys=2
    )


REMARKS = (
    "Every figure is measured here: all systems as their papers describe them, one width, one device.",
    "Except Chow's multiplier: as in the paper it was not routed, so it is Perle's version.",
    "Perle's versions of the other systems are in the table of all cores.",
    "Better: the first later system with a smaller figure, and by what factor.",
    AREA_TIME_SAID,
    RATED,
    "The unit of 1990 has its modulus built in, and is measured as a board, with its registers.",
)
