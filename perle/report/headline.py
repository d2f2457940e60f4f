# SPDX-License-Identifier: Apache-2.0
"""The table of all systems: as published, as rebuilt here, and Perle's own.

A line is a multiplier on one device; figures that are neither published nor measured are dashes. All measured
lines are for the same device, from current measurements.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from perle.cores.modexp.model import Command, early_cycles
from perle.cores.registry import Config, Family, Forwarding, families
from perle.report.costs import AREA_TIME, AREA_TIME_SAID, NOTHING, apply, silicon_energy, silicon_time
from perle.report.engine_load import sizes, timed, widths, work
from perle.report.line import (
    DERIVED_SAID,
    MEASURED,
    NOW,
    NS_PER_MS,
    NS_PER_US,
    PAIR,
    PRINTED,
    WIDTHS,
    Line,
)
from perle.report.published import printed
from perle.results import metrics, names
from perle.results.metrics import Halves
from perle.results.parts import PLACED, members, together
from perle.results.view import Point, View

TARGET = names.ECP5_FAST
RATED = (
    f"A core with multipliers counts as {names.RATED_MHZ[names.device(TARGET)]:.0f} MHz at most, "
    "what they are rated for."
)
LEAST_KEY = 508
"""Shortest key in bits that RSA figures are given for, that of shand1990."""
OWN = "Perle"
"""Source of the families that are not from a paper."""

TIMES = "RSA per second over software's"


def clock(config: Config, point: Point, view: View) -> float | None:
    """Return the median clock period of a placed core in ns, limited to its multipliers' rated clock."""
    fmax = view.metric(point, names.FMAX)
    return apply(lambda mhz: metrics.period(metrics.rated(config, mhz, point.target)), fmax)


def seeds(point: Point, view: View) -> tuple[int, ...]:
    """Return the seeds of place and route that a point's clock is the median of."""
    return tuple(sorted(run.seed for run in view.runs(point) if names.FMAX in run.metrics))


def chosen(family: Family, view: View) -> list[Config]:
    """Return a family's measured configurations with a width of WIDTHS; if there are none, the widest one."""
    configs = [family.config(name) for name in family.configs]
    there = [one for one in configs if view.metric(Point(one.spec, TARGET), names.FMAX) is not None]
    compared = [one for one in there if one.width in WIDTHS]
    return compared or sorted(there, key=lambda one: one.width)[-1:]


def line(config: Config, view: View) -> Line:
    """Return the line of a multiplier, from medians over its seeds; RSA is by exponentiators around it."""
    point = Point(config.spec, TARGET)
    luts, period = view.metric(point, names.LUTS), clock(config, point, view)
    interval = metrics.product_interval(config)
    multipliers = config.model.multipliers(config.params)
    factors = metrics.factor_bits(config)
    latency = apply(lambda each: metrics.latency(metrics.product_cycles(config), each), period)
    energy, product = silicon_energy(config, view), silicon_time(config, view)
    key = 2 * config.width
    timed = period if key >= LEAST_KEY else None
    return Line(
        *(config.spec, MEASURED, TARGET, config.width),
        multiplier_cycles=metrics.multiplier_cycles(multipliers, interval) if multipliers else None,
        lut_cycles=apply(lambda each: metrics.lut_cycles(each, interval), luts),
        eta=None if factors is None else metrics.utilisation(config.width, interval, multipliers, factors),
        product_us=apply(lambda each: each / NS_PER_US, latency),
        lut_us=apply(lambda area, each: metrics.area_delay(area, interval * each / NS_PER_US), luts, period),
        rsa_per_second=apply(lambda each: saturated(config, key, each), timed),
        rsa_ms=apply(
            lambda each: metrics.rsa_cycles(config, key, Halves.LANES, forwarded=True) * each / NS_PER_MS,
            timed,
        ),
        edp=apply(metrics.energy_delay, energy, product),
        seeds=seeds(point, view),
    )


def saturated(config: Config, key: int, period: float) -> float:
    """Return RSA private operations per second of a saturated core.

    A core that forwards products has one exponentiator: with several, it could not forward.
    """
    if isinstance(config.model, Forwarding):
        return metrics.rate(metrics.rsa_cycles(config, key, forwarded=True), period)
    return metrics.full_rsa_rate(config, key, period)


SYSTEMS = {
    "mul_pair": (PAIR, Halves.TWO),
    "exp": ("exponentiator", Halves.ONE),
    "exp_pair": ("dual exponentiator", Halves.TWO),
}
"""Parts with several cores or with exponentiators: how the table names them, and how they compute the two
halves of RSA."""


def system_line(config: Config, view: View, part: str) -> Line | None:
    """Return the line of a part of SYSTEMS; None if it was not measured.

    Of two co-placed cores, the metrics of a product are those of one core, at the clock that both reach. With
    exponentiators, they are those of forwarded products if the family can do that.
    """
    point = Point(config.spec, TARGET, part)
    luts, period = view.metric(point, names.LUTS), clock(config, point, view)
    if luts is None or period is None:
        return None
    name, halves = SYSTEMS[part]
    model, interval, product = config.model, metrics.product_interval(config), metrics.product_cycles(config)
    found = replace(line(config, view), core=f"{config.spec}, {name}")
    each = luts / len(together(config, part))
    forwarded = PLACED.get(part, part) == "exp" and isinstance(model, Forwarding)
    if forwarded:
        interval = product = early_cycles(config)
        used, factors = model.multipliers(config.params), metrics.factor_bits(config)
        eta = None if factors is None else metrics.utilisation(config.width, interval, used, factors)
        found = replace(found, multiplier_cycles=metrics.multiplier_cycles(used, interval), eta=eta)
    operation = metrics.rsa_cycles(config, 2 * config.width, halves, forwarded=True)
    return replace(
        found,
        lut_cycles=metrics.lut_cycles(each, interval),
        product_us=metrics.latency(product, period) / NS_PER_US,
        lut_us=metrics.area_delay(each, interval * period / NS_PER_US),
        rsa_per_second=metrics.rate(operation, period),
        rsa_ms=operation * period / NS_PER_MS,
        seeds=seeds(point, view),
    )


def engine_line(config: Config, view: View, part: str = "engine", bits: int | None = None) -> Line | None:
    """Return the line of a family's engine under a load of many operations, loading included.

    `bits` of the moduli (default: the widest). None if it was not measured. `engines` are several engines
    that fill a device: rates are those of all together, `rsa_ms` is that of the slowest engine with one lane
    for each half.
    """
    own, point = config.family.engine, Point(config.spec, TARGET, part)
    luts, period = view.metric(point, names.LUTS), clock(config, point, view)
    if own is None or luts is None or period is None:
        return None
    model = config.family.module(own.model)
    placed = members(config, part, TARGET)
    bits = bits or config.width
    works = [work(one, own, bits) for one in placed]
    multipliers = sum(one.multipliers for one in works)
    interval = 1 / sum(1 / one.interval for one in works)
    engines = "engine" if len(placed) == 1 else f"engines {' + '.join(one.name for one in placed)}"
    return Line(
        *(f"{config.spec}, {engines}", MEASURED, TARGET, bits),
        multiplier_cycles=metrics.multiplier_cycles(multipliers, interval),
        lut_cycles=metrics.lut_cycles(luts, interval),
        eta=sum(one.eta * one.multipliers for one in works) / multipliers,
        product_us=model.product_cycles(timed(config, bits)) * period / NS_PER_US,
        lut_us=metrics.area_delay(luts, interval * period / NS_PER_US),
        rsa_per_second=sum(metrics.rate(one.operation, period) for one in works),
        rsa_ms=max(model.cycles(one.config, Command.EXP, elen=bits, **sizes(config, bits)) for one in placed)
        * period
        / NS_PER_MS,
        seeds=seeds(point, view),
    )


def engine_lines(config: Config, view: View, part: str = "engine") -> Iterator[Line]:
    """Yield the lines of a family's engine, one for each size of modulus that has times of its own."""
    found = (engine_line(config, view, part, bits) for bits in widths(config))
    yield from (one for one in found if one is not None)


def measured(view: View) -> Iterator[Line]:
    """Yield the lines of all families, in the order of the registry."""
    for family in families().values():
        for config in chosen(family, view):
            yield line(config, view)
        for config in map(family.config, family.configs):
            systems = (system_line(config, view, part) for part in SYSTEMS)
            yield from (one for one in systems if one is not None)
            for part in ("engine", "engines"):
                yield from engine_lines(config, view, part)


def lines(view: View) -> list[Line]:
    """Return all lines of the table."""
    return [*printed(), *measured(view)]


SUMMARY = ("core", "figures", "device", "RSA per second", "latency, ms", AREA_TIME)
SUMMARY_WIDTHS = (512, 1024)
"""Operand widths of the summary, which has one table for each; RSA keys are twice as wide."""
SUMMARY_MOST = 5
"""Maximum number of rows of a summary table."""


def by_width(found: Iterable[Line]) -> dict[int, list[Line]]:
    """Return the lines grouped by compared width, so that no table mixes several key sizes."""
    tables: dict[int, list[Line]] = {}
    for one in found:
        tables.setdefault(one.width, []).append(one)
    return dict(sorted(tables.items()))


def summary(found: Iterable[Line], width: int) -> list[Line]:
    """Return all published lines for RSA keys of 2·width bits, and the fastest system of every family.

    A multiplier without an exponentiator is no system. If there are more than SUMMARY_MOST lines, the slowest
    families are left out.
    """
    best: dict[str, Line] = {}
    for one in found:
        name = one.core.partition(":")[0]
        if one.width != width or one.rsa_per_second is None or not (one.whole or one.origin == PRINTED):
            continue
        before = best.get(name)
        if one.origin == PRINTED or before is None or one.rsa_per_second > (before.rsa_per_second or 0.0):
            best[name] = one
    order = sorted(best.values(), key=lambda one: (one.origin != PRINTED, -(one.rsa_per_second or 0)))
    return [one for one in best.values() if one in order[:SUMMARY_MOST]]


def summary_cells(one: Line) -> list[str]:
    """Return the table cells of a line, in the order of SUMMARY."""
    return [one.core, one.origin, one.device, *map(one.figure, ("rsa_per_second", "rsa_ms", "lut_us"))]


def seeds_said(found: Iterable[Line]) -> str:
    """Return which seeds of place and route the measured lines have; most have the same, named last."""
    lines_of: dict[tuple[int, ...], list[str]] = {}
    for one in found:
        if one.seeds:
            lines_of.setdefault(one.seeds, []).append(one.core)
    if not lines_of:
        return ""
    *others, most = sorted(lines_of, key=lambda each: len(lines_of[each]))
    said = [f"{_listed(each)} of {' · '.join(lines_of[each])}" for each in others]
    last = f"{_listed(most)} of every {'other ' if others else ''}measured line"
    return f"Seeds of place and route: {'; '.join([*said, last])}."


def _listed(each: tuple[int, ...]) -> str:
    return ", ".join(map(str, each))


@dataclass(frozen=True)
class Software:
    """A library on one core of a processor: RSA private operations per second, by key size in bits."""

    library: str
    processor: str
    rates: Mapping[int, float]

    def lines(self) -> list[Line]:
        """Return a line for every key size."""
        return [
            Line(
                *(self.library, NOW, f"one core, {self.processor}", bits // 2),
                rsa_per_second=rate,
                rsa_ms=1e3 / rate,
            )
            for bits, rate in self.rates.items()
        ]

    def beside(self, found: Iterable[Line]) -> list[Line]:
        """Return the lines and this software's, each with its rate relative to software at that key size."""
        return [
            replace(one, times_software=apply(lambda rate, mine=mine: rate / mine, one.rsa_per_second))
            if (mine := self.rates.get(2 * one.bits))
            else one
            for one in (*found, *self.lines())
        ]


REMARKS = (
    "Printed lines: each on its own device, at the size that the paper gives.",
    DERIVED_SAID,
    f"Measured lines: on {TARGET}, median over the seeds, without harness; energy: {names.SILICON}.",
    "A line without a further word: a multiplier alone; RSA with an exponentiator around it, at its clock.",
    "Exponentiator, dual exponentiator, engine: with the clock and area of all that does the operation.",
    "Dual exponentiator: two co-placed, one half on each; metrics of a product are those of one of them.",
    "Engines … + …: those named, co-placed; metrics of all together, times of one product or operation.",
    RATED,
    AREA_TIME_SAID,
    "RSA is of a key twice as wide, by the Chinese remainder theorem.",
    "Measured RSA figures are of constant time; times printed by the papers depend on the key.",
    "Saturated: as many exponentiations in flight as the core takes.",
    "One operation: both halves on one core, in two lanes if it has them; on both of a dual exponentiator.",
    "Software: the library's signatures per second on one core of this machine, timed in the same run.",
    f"{NOTHING}: not printed, or not measured.",
)
