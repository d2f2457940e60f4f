# SPDX-License-Identifier: Apache-2.0
"""Tables of the costs of named configurations on an FPGA and in a silicon process, from measurements.

A figure without a current measurement is shown as a dash.
"""

from __future__ import annotations

from collections.abc import Callable

from perle.cores.registry import Config, Family, families, resolve
from perle.results import metrics, names
from perle.results.metrics import Halves, TooWideError
from perle.results.view import Point, View

KEY_BITS = 1024
NS_PER_US, PJ_PER_NJ = 1000, 1000
NOTHING = "–"
MANY = 999.5
"""Numbers from here on are shown as integers, because three significant digits would round them."""

AREA_TIME = "LUT · µs between products"
AREA_TIME_SAID = (
    f"{AREA_TIME}: LUTs times the time from one product to the next, which is shorter than a product where "
    "products overlap; multipliers are not counted."
)
CLOCK = "MHz (placed)"
CLOCK_SAID = (
    f"{CLOCK}: the clock of all times and rates, at most what the device's multipliers are rated for; in "
    "brackets what place and route reached, if that is more."
)
HEAD = ("family", "config", "widest M, bits", "latency, cycles")
FPGA = (*HEAD, "LUT", "multipliers", CLOCK, "product, µs", AREA_TIME, "RSA-1024 per second")
SILICON = (*HEAD, "µm²", "clock period, ns", "product, µs", "product, nJ")
WIRES = "of it wires"
PLACED = (*HEAD, "µm²", "wires, mm", "clock period, ns", WIRES, "product, nJ", WIRES)
NUMBERS_FROM = 2

ARRAYS = {
    "carry_save:w256": "scalable:r4_w16_p16_n256",
    "carry_save:w1024": "scalable:r4_w16_p32_n1024",
}
"""For each configuration of `carry_save`, the array it is compared with: the papers' radix-4 array with the
most elements."""
COMPARED = {spec.partition(":")[0] for spec in ARRAYS}
BESIDE = ("config", "beside", "mm² · ns", "the array's", "ratio", "nJ", "the array's", "ratio")
UM2_PER_MM2 = 1e6


def shown(value: float | None) -> str:
    """Return a number with three significant digits and thousands separators; a dash for None."""
    if value is None:
        return NOTHING
    return f"{value:,.0f}" if value >= MANY or value == int(value) else f"{value:.3g}"


def apply(function: Callable[..., float], *values: float | None) -> float | None:
    """Return function(*values), or None if one of the values is None."""
    known = [value for value in values if value is not None]
    return None if len(known) < len(values) else function(*known)


def clock(config: Config, fmax: float | None, target: str) -> str:
    """Return the clock in MHz that counts, which the rating limits; if it does, the placed clock as well."""
    counts = apply(lambda mhz: metrics.rated(config, mhz, target), fmax)
    return shown(counts) if counts == fmax else f"{shown(counts)} ({shown(fmax)})"


def rsa_rate(config: Config, period: float | None) -> float | None:
    """Return RSA-1024 operations per second, both halves on the same core; None if it is too narrow.

    With one exponentiator around the core, which forwards products if the family can do that.
    """
    try:
        taken = metrics.rsa_cycles(config, KEY_BITS, Halves.ONE, forwarded=True)
    except TooWideError:
        return None
    return apply(lambda each: metrics.rate(taken, each), period)


def fpga_row(config: Config, view: View, target: str = names.ECP5_FAST) -> list[str] | None:
    """Return a row for an FPGA; None if the configuration was not measured there."""
    point = Point(config.spec, target)
    luts, dsp, fmax = (view.metric(point, name) for name in (names.LUTS, names.DSP, names.FMAX))
    if luts is None and fmax is None:
        return None
    period = apply(lambda mhz: metrics.period(metrics.rated(config, mhz, target)), fmax)
    delay = apply(lambda each: metrics.latency(metrics.product_cycles(config), each) / NS_PER_US, period)
    between = apply(lambda each: metrics.latency(metrics.product_interval(config), each) / NS_PER_US, period)
    times = (delay, apply(metrics.area_delay, luts, between), rsa_rate(config, period))
    return [*_head(config), shown(luts), shown(dsp), clock(config, fmax, target), *map(shown, times)]


def silicon_row(config: Config, view: View, target: str = names.SILICON) -> list[str] | None:
    """Return a row for a silicon process; None if the configuration was not measured there."""
    area, period = (view.metric(Point(config.spec, target), name) for name in (names.AREA, names.PERIOD))
    if area is None and period is None:
        return None
    delay = apply(lambda each: each / NS_PER_US, silicon_time(config, view, target))
    return [*_head(config), *map(shown, (area, period, delay, silicon_energy(config, view, target)))]


def silicon_time(config: Config, view: View, target: str = names.SILICON) -> float | None:
    """Return the latency of a product in ns."""
    period = view.metric(Point(config.spec, target), names.PERIOD)
    return apply(lambda each: metrics.latency(metrics.product_cycles(config), each), period)


def silicon_energy(config: Config, view: View, target: str = names.SILICON) -> float | None:
    """Return the energy of a product in nJ."""
    energy = view.metric(Point(config.spec, target), names.PRODUCT_ENERGY)
    return apply(lambda each: each / PJ_PER_NJ, energy)


def placed_row(config: Config, view: View) -> list[str] | None:
    """Return a row for placed cells, with the wires' share of period and energy; None if not measured."""
    point = Point(config.spec, names.SILICON_PLACED)
    period, bare = (view.metric(point, name) for name in (names.PERIOD, names.BARE_PERIOD))
    if period is None:
        return None
    area, length = (view.metric(point, name) for name in (names.AREA, names.WIRES))
    energy, charged = (view.metric(point, name) for name in (names.PRODUCT_ENERGY, names.WIRES_ENERGY))
    slower = apply(lambda with_, without: 1 - without / with_, period, bare)
    share = apply(lambda all_, wires: wires / all_, energy, charged)
    product = silicon_energy(config, view, names.SILICON_PLACED)
    figures = [*map(shown, (area, length, period)), _percent(slower), shown(product), _percent(share)]
    return [*_head(config), *figures]


def _percent(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.0%}"


def beside_row(config: Config, view: View, target: str = names.SILICON) -> list[str] | None:
    """Return area × time and energy of a product in silicon, compared with an array.

    Each is given for this configuration and for the array of ARRAYS, followed by their ratio. None if the
    configuration has no array, or was not measured.
    """
    if config.spec not in ARRAYS or silicon_time(config, view, target) is None:
        return None
    array = resolve(ARRAYS[config.spec])
    figures = []
    for of_product in (_area_time, silicon_energy):
        own, its = of_product(config, view, target), of_product(array, view, target)
        figures += [own, its, apply(lambda a, b: a / b, own, its)]
    return [f"`{config.name}`", f"`{array.spec}`", *map(shown, figures)]


def _area_time(config: Config, view: View, target: str) -> float | None:
    """Return area × latency of a product in mm² · ns."""
    area = view.metric(Point(config.spec, target), names.AREA)
    time = silicon_time(config, view, target)
    return apply(lambda um2, ns: metrics.area_delay(um2 / UM2_PER_MM2, ns), area, time)


def _head(config: Config) -> list[str]:
    family = config.family
    link = f"[{family.name}](../perle/cores/{family.name}/README.md)"
    cycles = f"{metrics.product_cycles(config):,}"
    return [link, f"`{config.name}`", f"{config.width}", cycles]


def rows(
    make: Callable[[Config, View], list[str] | None], view: View, only: Family | None = None
) -> list[list[str]]:
    """Return the rows of all measured configurations that have a name, or of those of one family."""
    among = families().values() if only is None else [only]
    configs = [family.config(name) for family in among for name in family.configs]
    found = (make(config, view) for config in configs)
    return [row for row in found if row is not None]
