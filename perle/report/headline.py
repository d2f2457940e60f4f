# SPDX-License-Identifier: Apache-2.0
"""The table of all systems: as published, as rebuilt here, and Perle's own.

A line is a multiplier on one device; figures that are not published or were not measured are dashes. All
measured lines are for the same device, from current measurements.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from perle.cores.modexp.model import Command, early_cycles
from perle.cores.registry import Config, Family, Forwarding, families
from perle.papers import load
from perle.report.costs import NOTHING, apply, shown, silicon_energy, silicon_time
from perle.report.engine_load import work
from perle.report.papers.nedjah2002 import DERIVED_CYCLES
from perle.results import metrics, names
from perle.results.metrics import Halves
from perle.results.parts import PLACED, members, together
from perle.results.view import Point, View

NS_PER_US, NS_PER_MS = 1e3, 1e6
TARGET = names.ECP5_FAST
RATED = (
    f"A core with multipliers counts as {names.RATED_MHZ[names.device(TARGET)]:.0f} MHz at most, "
    "what they are rated for."
)
WIDTHS = (256, 512, 1024, 2048)
"""Operand widths in bits at which cores are compared; a family without measurements at these has its widest
core in the table."""
LEAST_KEY = 508
"""Shortest key in bits that RSA figures are given for, that of shand1990."""
PRINTED, MEASURED, NOW = "printed", "measured", "measured now"
OWN = "Perle"
"""Source of the families that are not from a paper."""

COLUMNS = (
    *("core", "figures", "device", "bits", "multiplier-cycles", "LUT-cycles", "η", "product, µs", "LUT · µs"),
    *("RSA per second, saturated", "one RSA private operation, ms", "nJ · ns, 130 nm"),
)
NUMBERS_FROM = 3
TIMES = "RSA per second over software's"


@dataclass(frozen=True)
class Line:
    """A multiplier of `bits` bits. RSA keys are twice as wide, on one core unless `core` says otherwise.

    `lut_us` is LUTs times the initiation interval in µs, `edp` energy times latency of a product in 130 nm,
    and `times_software` `rsa_per_second` divided by that of software timed in the same run. `rsa_mj` is the
    energy of an RSA operation and `rsa_price` the price of 1,000 operations per second, both derived from
    numbers that a user stated.
    """

    core: str
    origin: str
    device: str
    bits: int
    multiplier_cycles: float | None = None
    lut_cycles: float | None = None
    eta: float | None = None
    product_us: float | None = None
    lut_us: float | None = None
    rsa_per_second: float | None = None
    rsa_ms: float | None = None
    edp: float | None = None
    times_software: float | None = None
    rsa_mj: float | None = None
    rsa_price: float | None = None
    currency: str = ""

    def cells(self) -> list[str]:
        """Return the line as texts, in the order of COLUMNS."""
        numbers = (self.multiplier_cycles, self.lut_cycles, self.eta, self.product_us, self.lut_us)
        return [
            *(self.core, self.origin, self.device, f"{self.bits}"),
            *map(shown, (*numbers, self.rsa_per_second, self.rsa_ms, self.edp)),
        ]

    @property
    def width(self) -> int:
        """The compared width it belongs to: the smallest one that is at least `bits`."""
        return min((width for width in WIDTHS if width >= self.bits), default=self.bits)

    @property
    def whole(self) -> bool:
        """Whether the measured hardware can do RSA; a multiplier alone still needs an exponentiator."""
        return self.core.partition(", ")[2] not in ("", SYSTEMS["mul_pair"][0])


def printed() -> Iterator[Line]:
    """Yield a line per published system, at its own width, with printed numbers or ones derived from them."""
    tang, chow, carter, nedjah, shand = (
        {name: float(one.number) for name, one in load(key).claims.items() if not isinstance(one.value, str)}
        for key in ("tang2003", "chow2010", "carter2012", "nedjah2002", "shand1990")
    )
    bits = round(shand["t_bits"])
    yield Line(
        *("Shand 1990, three boards", PRINTED, "Perle-0", bits // 2),
        rsa_per_second=shand["t19_baud"] / bits,  # a pipeline of three boards, whose latency is not printed
    )
    for kind, cycles in DERIVED_CYCLES.items():
        clock = nedjah[f"clock_{kind.lower()}_1024"]
        name = f"Nedjah 2002, {kind}"
        yield Line(name, PRINTED, "Virtex-E", 1024, product_us=cycles(1024) * clock / NS_PER_US)
    yield Line(
        *("Tang 2003", PRINTED, "XC2V3000-6", 512),
        multiplier_cycles=chow["tang_multipliers"] * tang["mul_512"],
        eta=metrics.utilisation(512, tang["mul_512"], round(chow["tang_multipliers"]), (17, 17)),
        product_us=tang["mul_512"] / tang["clock"],
    )
    yield Line(
        *("Tang 2003, two cores", PRINTED, "XC2V4000-6", 512),
        rsa_per_second=1e3 / tang["rsa_time"],
        rsa_ms=tang["rsa_time"],
    )
    yield Line(
        *("Chow 2010", PRINTED, "XC6VSX475T-2", 512),
        multiplier_cycles=chow["ours_multipliers"] * chow["ours_iterations"],
        lut_cycles=chow["ours_luts"] * chow["ours_iterations"],
        lut_us=chow["ours_lut_delay"],
    )
    for kind in ("r2", "r4", "r4b"):
        yield Line(
            *(f"Carter 2012, {kind.upper()}", PRINTED, "130 nm, full custom", 256),
            product_us=carter[f"delay_{kind}_p16"] / NS_PER_US,
            edp=carter[f"energy_{kind}_p16"] * carter[f"delay_{kind}_p16"],
        )


def clock(config: Config, point: Point, view: View) -> float | None:
    """Return the median clock period of a placed core in ns, limited to its multipliers' rated clock."""
    fmax = view.metric(point, names.FMAX)
    return apply(lambda mhz: metrics.period(metrics.rated(config, mhz, point.target)), fmax)


def chosen(family: Family, view: View) -> list[Config]:
    """Return a family's measured configurations with a width of WIDTHS; if there are none, the widest one."""
    configs = [family.config(name) for name in family.configs]
    there = [one for one in configs if view.metric(Point(one.spec, TARGET), names.FMAX) is not None]
    compared = [one for one in there if one.width in WIDTHS]
    return compared or sorted(there, key=lambda one: one.width)[-1:]


def line(config: Config, view: View) -> Line:
    """Return the line of a multiplier, from medians over its seeds."""
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
        rsa_per_second=apply(lambda each: metrics.full_rsa_rate(config, key, each), timed),
        rsa_ms=apply(lambda each: metrics.rsa_cycles(config, key, Halves.LANES) * each / NS_PER_MS, timed),
        edp=apply(metrics.energy_delay, energy, product),
    )


SYSTEMS = {
    "mul_pair": ("two", Halves.TWO),
    "exp": ("exponentiator", Halves.ONE),
    "exp_pair": ("dual exponentiator", Halves.TWO),
}
"""Parts with several cores or with exponentiators: how the table names them, and how they compute the two
halves of RSA."""


def system_line(config: Config, view: View, part: str) -> Line | None:
    """Return the line of a part of SYSTEMS; None if it was not measured.

    Of two co-placed cores, the metrics of a product are those of one core, at the clock that both reach. With
    exponentiators, products are forwarded if the family can do that.
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
    operation = metrics.rsa_cycles(config, 2 * config.width, halves, forwarded=forwarded)
    return replace(
        found,
        lut_cycles=metrics.lut_cycles(each, interval),
        product_us=metrics.latency(product, period) / NS_PER_US,
        lut_us=metrics.area_delay(each, interval * period / NS_PER_US),
        rsa_per_second=metrics.rate(operation, period),
        rsa_ms=operation * period / NS_PER_MS,
    )


def engine_line(config: Config, view: View, part: str = "engine") -> Line | None:
    """Return the line of a family's engine under a load of many operations, loading included.

    None if it was not measured. `engines` are several engines that fill a device: rates are those of all
    together, `rsa_ms` is that of the slowest engine with one lane for each half.
    """
    own, point = config.family.engine, Point(config.spec, TARGET, part)
    luts, period = view.metric(point, names.LUTS), clock(config, point, view)
    if own is None or luts is None or period is None:
        return None
    model = config.family.module(own.model)
    placed = members(config, part, TARGET)
    works = [work(one, own) for one in placed]
    multipliers = sum(one.multipliers for one in works)
    interval = 1 / sum(1 / one.interval for one in works)
    engines = "engine" if len(placed) == 1 else f"engines {' + '.join(one.name for one in placed)}"
    return Line(
        *(f"{config.spec}, {engines}", MEASURED, TARGET, config.width),
        multiplier_cycles=metrics.multiplier_cycles(multipliers, interval),
        lut_cycles=metrics.lut_cycles(luts, interval),
        eta=sum(one.eta * one.multipliers for one in works) / multipliers,
        product_us=model.product_cycles(config.params) * period / NS_PER_US,
        lut_us=metrics.area_delay(luts, interval * period / NS_PER_US),
        rsa_per_second=sum(metrics.rate(one.operation, period) for one in works),
        rsa_ms=max(model.cycles(one.config, Command.EXP, elen=config.width) for one in placed)
        * period
        / NS_PER_MS,
    )


def measured(view: View) -> Iterator[Line]:
    """Yield the lines of all families, in the order of the registry."""
    for family in families().values():
        for config in chosen(family, view):
            yield line(config, view)
        for config in map(family.config, family.configs):
            systems = (system_line(config, view, part) for part in SYSTEMS)
            more = (*systems, engine_line(config, view), engine_line(config, view, "engines"))
            yield from (one for one in more if one is not None)


def lines(view: View) -> list[Line]:
    """Return all lines of the table."""
    return [*printed(), *measured(view)]


SUMMARY = ("core", "figures", "device", "RSA per second", "latency, ms", "LUT · µs")
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
    """Return all published lines for RSA keys of 2·width bits, and the fastest line of every family.

    Of a family that was measured with exponentiators, only such lines count. If there are more than
    SUMMARY_MOST lines, the slowest families are left out.
    """

    def rank(one: Line) -> tuple[bool, float]:
        return one.whole, one.rsa_per_second or 0.0

    best: dict[str, Line] = {}
    for one in found:
        name = one.core.partition(":")[0]
        if one.width != width or one.rsa_per_second is None:
            continue
        if one.origin == PRINTED or name not in best or rank(one) > rank(best[name]):
            best[name] = one
    order = sorted(best.values(), key=lambda one: (one.origin != PRINTED, -(one.rsa_per_second or 0)))
    return [one for one in best.values() if one in order[:SUMMARY_MOST]]


def summary_cells(one: Line) -> list[str]:
    """Return the table cells of a line, in the order of SUMMARY."""
    return [one.core, one.origin, one.device, *map(shown, (one.rsa_per_second, one.rsa_ms, one.lut_us))]


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
    f"Measured lines: one core on {TARGET}, median over the seeds, without harness; energy: {names.SILICON}.",
    "Two, co-placed: on one device; metrics of a product are those of one of them.",
    "Exponentiator, dual exponentiator: at the clock and with the area of all that does the operation.",
    RATED,
    "RSA is of a key twice as wide, by the Chinese remainder theorem.",
    "Measured RSA figures are of constant time; times printed by the papers depend on the key.",
    "Saturated: as many exponentiations in flight as the core takes. One operation: both halves on one core.",
    "Software: the library's signatures per second on one core of this machine, timed in the same run.",
    f"{NOTHING}: not printed, or not measured.",
)
