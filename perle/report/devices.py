# SPDX-License-Identifier: Apache-2.0
"""Table of the smaller ECP5 devices: systems that were measured there, and those that did not fit.

The rates are for RSA with a key twice as wide as the core, and with enough operations in flight to saturate
the system.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from perle.cores.registry import Config, resolve_any
from perle.report import headline
from perle.report.choose.pace import SYSTEMS, pace
from perle.report.choose.question import Operation
from perle.report.costs import CLOCK, clock, shown
from perle.report.line import NS_PER_MS
from perle.results import metrics, names
from perle.results.parts import members
from perle.results.view import Point, View

TARGETS = names.ECP5_45_FAST, names.ECP5_25_FAST
COLUMNS = (
    *("device", "core", "system", "LUT", "flip-flops", "multipliers", "block memories", CLOCK),
    *("RSA, bits", "per second", "latency, ms"),
)
NUMBERS_FROM = 3
CELLS = names.LUTS, names.FF, names.DSP, names.BRAM


def rows(view: View) -> Iterator[list[str]]:
    """Yield a row per measured system, sorted by key size and rate; those that did not fit are last."""
    for target in TARGETS:
        points = [one for one in view.points() if one.target == target and one.part in SYSTEMS]
        for one in sorted((_measured(point, view) for point in points), key=lambda one: one.order):
            yield one.cells()


@dataclass(frozen=True)
class System:
    """A part of a core on a device; if it fits, `rate` and `latency` (ms) of RSA with a `bits`-bit key."""

    device: str
    core: str
    what: str
    areas: tuple[float | None, ...]
    clock: str
    bits: int
    rate: float | None
    latency: float | None

    @property
    def order(self) -> tuple[bool, int, float]:
        """Sort key of `rows`."""
        return self.rate is None, self.bits, -(self.rate or 0.0)

    def cells(self) -> list[str]:
        """Return the table cells, in the order of COLUMNS."""
        figures = (self.bits, self.rate, self.latency)
        system = (self.device, f"`{self.core}`", self.what)
        return [*system, *map(shown, self.areas), self.clock, *map(shown, figures)]


def _measured(point: Point, view: View) -> System:
    config = resolve_any(point.core)
    key, fmax = 2 * config.width, view.metric(point, names.FMAX)
    rate = latency = None
    if fmax is not None:
        period = metrics.period(metrics.rated(config, fmax, point.target))
        taken = pace(config, point.part, Operation.rsa_crt, key, point.target)
        rate = metrics.rate(taken.interval, period)
        latency = metrics.latency(taken.latency, period) / NS_PER_MS
    device = view.device(point).partition(",")[0].rpartition(" ")[2]
    fault = view.fault(point).partition(": ")[2]
    words = [system(config, point.part, point.target), *([fault] if fault else [])]
    areas = tuple(view.metric(point, name) for name in CELLS)
    shown_clock = clock(config, fmax, point.target)
    return System(device, point.core, "; ".join(words), areas, shown_clock, key, rate, latency)


def system(config: Config, part: str, target: str) -> str:
    """Return the name of a part; that of an engine includes its number of lanes."""
    if not part.startswith("engine"):
        return headline.SYSTEMS[part][0]
    first, *others = (str(one.engine_lanes) for one in members(config, part, target))
    return f"engines, {' and '.join((first, *others))} lanes" if others else f"engine, {first} lanes"
