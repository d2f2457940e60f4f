# SPDX-License-Identifier: Apache-2.0
"""The work of the boards in a row of shand1990's table 1, from a log: products, and their cycles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from perle.host.pam.system import Event
from perle.host.sample import Numbers
from perle.pam.mod_product.driving import chain
from perle.pam.mod_product.model import READ_P
from perle.pam.reg_mul.model import SPECIFIER_BITS

LOGGED = 1 << 18
"""Maximum number of accesses in a log: enough for a stream of eight blocks, except on bus multipliers."""

PS_PER_NS = 1000
WORD_BYTES = 4


@dataclass(frozen=True)
class Work:
    """The busiest board: its utilization, its products per block, and the cycles of each."""

    clock_ns: float
    busy: float
    products: int
    cycles: float
    resolve: float = 0
    """How many of `cycles` resolve carries, on boards that detect when all carries are resolved."""


def products(driver: str, key: Numbers) -> list[int]:
    """Return the modular products per block of each board; if boards share a product, of all together.

    Square-and-multiply: b + w − 2 for an exponent of b bits, w of them ones. Modular product units use the
    digits 1 and 3, and one more product to leave their domain unless that is inlined.
    """
    binary = [max(1, x.bit_length() + x.bit_count() - 2) for x in key.halves]
    kind = driver.partition("_")[0]
    if kind == "full":
        return [key.d.bit_length() + key.d.bit_count()]  # two more for the conversions
    if kind == "bus":
        return [sum(binary)]
    if kind == "reg":
        return binary
    return [len(chain(x)) + int(driver != "mpu_inlined") for x in key.halves]


# Whether an access begins an activity, and whether that is part of a product; None: it continues the last
# one.
_Begins = Callable[[Event], bool | None]


def _unit(event: Event) -> bool | None:
    address = event.address // WORD_BYTES
    if not event.write:
        return False if address == READ_P else None
    return True if address > 1 else None


def _registers(event: Event) -> bool | None:
    return True if event.address // WORD_BYTES >> 3 * SPECIFIER_BITS else None


def _bus(event: Event) -> bool | None:
    return True if event.write else None


BEGINS: dict[str, _Begins] = {"full": _bus, "bus": _bus, "reg": _registers, "mpu": _unit}


def work(
    driver: str, key: Numbers, log: Sequence[Event], clocks: Sequence[float], blocks: float, total_ps: int
) -> Work:
    """Return the work of the busiest board; `log` covers a run of `total_ps`, or its beginning."""
    begins, share = BEGINS[driver.partition("_")[0]], (log[-1].end_ps - log[0].begin_ps) / total_ps
    found = []
    for board, count in enumerate(products(driver, key)):
        busy = cycles = 0
        counts = False
        for event in log:
            if event.board != board:
                continue
            busy += event.busy_cycles + 1
            begun = begins(event)
            counts = counts if begun is None else begun
            cycles += (event.busy_cycles + int(bool(begun))) if counts else 0
        span = (log[-1].end_ps - log[0].begin_ps) / (clocks[board] * PS_PER_NS)
        found.append(Work(clocks[board], min(1.0, busy / span), count, cycles / (count * blocks * share)))
    return max(found, key=lambda one: one.products)
