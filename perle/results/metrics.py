# SPDX-License-Identifier: Apache-2.0
"""Derived metrics, each defined once. docs/metrics.md describes the same list.

Cycles are from models and exact; areas, clocks and energies are measured. No function here reads a store.
"""

from __future__ import annotations

from enum import Enum
from functools import cache

from perle.cores.modexp import model as exponentiator
from perle.cores.modexp.lanes import between, spans
from perle.cores.modexp.model import Command, Mode, count, cycles
from perle.cores.params import WIDEST_FACTOR
from perle.cores.registry import Config, Pipelined
from perle.results import names

NS_PER_S = 1e9


class Halves(Enum):
    """How the two exponentiations of an RSA private operation (Chinese remainder theorem) share hardware."""

    ONE = "one core, one half after the other"
    LANES = "one core with two lanes, both halves at once"
    TWO = "two cores, a half on each"


class TooWideError(ValueError):
    """The modulus is too wide for the core."""


def period(fmax_mhz: float) -> float:
    """Return the clock period in ns: 1000 / f, f in MHz."""
    return 1000 / fmax_mhz


def rated(config: Config, fmax_mhz: float, target: str) -> float:
    """Return a clock in MHz, limited to what the device's multipliers are rated for if the core has some."""
    rating = names.RATED_MHZ.get(target.partition("_")[0])
    return min(fmax_mhz, rating) if rating and config.model.multipliers(config.params) else fmax_mhz


def fmax(period_ns: float) -> float:
    """Return the clock frequency in MHz: 1000 / T, T in ns."""
    return 1000 / period_ns


def product_cycles(config: Config, bits: int | None = None) -> int:
    """Return the cycles of a product, from acceptance to response, by the family's model.

    At full width unless `bits` is given, which matters only if the operand width is an input of the core.
    """
    return exponentiator.product_cycles(config, bits)[0]


def product_interval(config: Config, bits: int | None = None) -> int:
    """Return the cycles from one product to the next when the multiplier is full; `bits` as above."""
    return between(config) if isinstance(config.model, Pipelined) else product_cycles(config, bits)


def operation_energy(config: Config, bits: int, energy_pj_a_product: float) -> float:
    """Return the energy of an exponentiation's products in nJ: products · energy of a product in pJ / 1000.

    In constant time, M and d of `bits` bits; the exponentiator around the multiplier is not included.
    """
    products = count(config, Command.EXP, Mode.WINDOW, bits)
    return (products.products + products.reduces) * energy_pj_a_product / 1000


def latency(cycles_taken: float, period_ns: float) -> float:
    """Return a time in ns: cycles · T."""
    return cycles_taken * period_ns


def rate(cycles_each: float, period_ns: float) -> float:
    """Return operations per second: 10^9 / (cycles · T); cycles from one operation to the next, T in ns."""
    return NS_PER_S / (cycles_each * period_ns)


def exponentiation_cycles(config: Config, bits: int, *, forwarded: bool = False) -> int:
    """Return the cycles of x^e mod M in constant time (ModeWindow), M and d of `bits` bits; TooWideError.

    From acceptance of the first product to the last response, including conversions into and out of the
    Montgomery domain, without loading and unloading. `forwarded`: by an exponentiator that has a multiplier
    of its own, which is faster if the family forwards products; else with the latency of the core.
    """
    if bits > config.width:
        raise TooWideError(f"{config.spec} takes moduli of {config.width} bits, not of {bits}")
    return cycles(config, Command.EXP, Mode.WINDOW, bits, bits=bits, alone=forwarded)


def rsa_cycles(config: Config, key_bits: int, halves: Halves = Halves.ONE, *, forwarded: bool = False) -> int:
    """Return the cycles of an RSA private operation: two exponentiations of key_bits / 2 bits.

    ONE: twice `exponentiation_cycles`. TWO: once. LANES: from the first product of either half to the last
    response of either, by the schedule of `perle.cores.modexp.lanes`: half of ONE where products overlap, ONE
    where the core accepts one at a time. Blinding, recombination and check are done by the host: no cycles.
    """
    half = exponentiation_cycles(config, key_bits // 2, forwarded=forwarded)
    if halves is Halves.TWO:
        return half
    if halves is Halves.ONE or not isinstance(config.model, Pipelined):
        return 2 * half
    return _lanes_cycles(config, key_bits // 2)


@cache
def _lanes_cycles(config: Config, bits: int) -> int:
    """Return the cycles of an exponentiation on each of two lanes; the schedule takes seconds to compute."""
    products = count(config, Command.EXP, Mode.WINDOW, bits)
    lanes = spans(config, [0, 1], [products, products], bits)
    return max(lane.end for lane in lanes) - min(lane.begin for lane in lanes)


def rsa_rate(config: Config, key_bits: int, period_ns: float, halves: Halves = Halves.ONE) -> float:
    """Return RSA private operations per second, on all the cores that `halves` names: 10^9 / (cycles · T)."""
    return rate(rsa_cycles(config, key_bits, halves), period_ns)


def full_rsa_rate(config: Config, key_bits: int, period_ns: float) -> float:
    """Return RSA private operations per second of a saturated core: 10^9 / (2·products · interval · T).

    The products are those of an exponentiation of key_bits / 2 bits, including conversions; the core is
    saturated by operations in flight.
    """
    if key_bits // 2 > config.width:
        raise TooWideError(f"{config.spec} takes moduli of {config.width} bits, not of {key_bits // 2}")
    products = count(config, Command.EXP, Mode.WINDOW, key_bits // 2)
    return rate(2 * (products.products + products.reduces) * product_interval(config), period_ns)


def area_delay(area: float, delay_ns: float) -> float:
    """Return area · delay, in LUT·ns, µm²·ns or whatever the area's unit is, by ns."""
    return area * delay_ns


def energy_delay(energy_nj: float, delay_ns: float) -> float:
    """Return energy · delay, in nJ·ns."""
    return energy_nj * delay_ns


def product_energy(energy_pj_a_cycle: float, cycles_taken: float) -> float:
    """Return the energy of a product in nJ: energy of a cycle in pJ · cycles / 1000."""
    return energy_pj_a_cycle * cycles_taken / 1000


def multiplier_cycles(multipliers: float, interval: float) -> float:
    """Return a product's share of a device's multipliers: multipliers · cycles from product to product."""
    return multipliers * interval


def lut_cycles(luts: float, interval: float) -> float:
    """Return a product's share of a device's logic: LUTs · cycles from product to product."""
    return luts * interval


def factor_bits(config: Config) -> tuple[int, int] | None:
    """Return the bits of the two factors of one of the core's multipliers; None for a core without any.

    A product that is too wide for a device multiplier uses four, of half its width.
    """
    params = config.params
    if config.model.multipliers(params) == 0:
        return None
    bits = params["RadixBits"] if "RadixBits" in params else params["LeafWidth"]
    if bits > WIDEST_FACTOR:
        bits = (bits + 1) // 2
    return bits, bits


def utilisation(bits: int, interval: float, multipliers: int, factors: tuple[int, int]) -> float:
    """Return η = 2·n² / (cycles · multipliers · w_a · w_b), without unit.

    2·n² bit products are those of x·y and of q·M for n bits; cycles are those from one product to the next.
    A core with schoolbook multiplication stays below 1; Karatsuba's algorithm may exceed it.
    """
    return 2 * bits**2 / (interval * multipliers * factors[0] * factors[1])
