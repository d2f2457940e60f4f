# SPDX-License-Identifier: Apache-2.0
"""Systems by name: `system:DRIVER[:CONFIG][,timing=NAME][,clock=NS]`, and the boards that a key needs.

Defaults are those of the paper: ROWS has the rows of shand1990's table 1 that use hardware; a driver's
default is its last row.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from perle.cores.registry import Config, memories, resolve_memory
from perle.host._headers import constants
from perle.host._lib import PerleError
from perle.host.key import Key
from perle.host.pam.driver import boards as boards_of
from perle.host.pam.driver import names
from perle.host.pam.system import System, Timing
from perle.host.pam.units import FAMILY, LOOSE_BITS, build_unit, units

PREFIX = "system:"
FORM = "system:DRIVER[:CONFIG][,timing=vme68020|axi][,clock=NS]"
KEY_BITS, OLD_KEY_BITS = 508, 512
TIMING = "vme68020"
REGISTERS = "reg_mul"
SHORTEST, LONGEST = 0.1, 1_000_000
TOO_WIDE: tuple[int, str] = (constants.PERLE_ERR_WIDTH, "PERLE_ERR_WIDTH")

Members = list[tuple[Config | Path, float]]
Progress = Callable[[str], None]


class SpecError(ValueError):
    """Invalid name of a system."""


@dataclass(frozen=True)
class Row:
    """A row: its driver, the boards' clock periods in ns, and the configurations of their families."""

    number: int
    driver: str
    clocks: tuple[float, ...]
    configs: tuple[str, ...]
    key_bits: int = KEY_BITS


def _row(number: int, driver: str, config: str, clock: float, count: int = 1) -> Row:
    return Row(number, driver, (clock,) * count, (config,) * count)


def _units(number: int, driver: str, unit: str, clock: float, third: str) -> Row:
    return Row(number, driver, (clock, clock, 50), (unit, unit, third))


ROWS = (
    Row(2, "full_bignum", (75,), ("fixed512",), OLD_KEY_BITS),
    Row(3, "full_straight", (75,), ("fixed512",), OLD_KEY_BITS),
    _row(6, "bus_bignum", "variable512", 75),
    _row(7, "bus_assembly", "variable512", 75),
    _row(8, "bus_assembly", "variable512", 66),
    _row(9, "bus_chained", "variable512", 66, 3),
    _row(10, "reg_naive", "serial", 75, 3),
    _row(11, "reg_naive", "serial", 40, 3),
    _row(12, "reg_naive", "booth", 40, 3),
    _row(13, "reg_straight", "booth", 40, 3),
    _units(14, "mpu_partial", "ripple", 75, "serial"),
    _units(15, "mpu_interleaved", "ripple", 75, "serial"),
    _units(16, "mpu_interleaved", "ripple", 55, "serial"),
    _units(17, "mpu_interleaved", "ripple", 38, "booth"),
    _units(18, "mpu_interleaved", "fast", 38, "booth"),
    _units(19, "mpu_inlined", "fast", 38, "booth"),
)
# Not in the table: the board of rows 8 and 9.
OTHERS = (_row(0, "bus_straight", "variable512", 66),)


def assemble(row: Row, prime: Callable[[str], int], progress: Progress | None = None) -> Members:
    """Return a row's boards and clocks; modular product units are built for the primes p and q."""
    found: Members = []
    for family, name, clock in zip(boards_of(row.driver), row.configs, row.clocks, strict=True):
        kind, _, which = family.partition(":")
        if which:
            unit = units(prime("p"), prime("q"), name)["pq".index(which)]
            found.append((build_unit(unit, progress=progress), clock))
        else:
            found.append((resolve_memory(f"{kind}:{name}"), clock))
    return found


@dataclass(frozen=True)
class SystemSpec:
    """A system by name; None means the paper's value, or one chosen for the key."""

    driver: str
    config: str | None = None
    timing: str = TIMING
    clock: float | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name. Raises SpecError, UnknownCoreError (the configuration) or PerleError (the timing)."""
        core, *options = text.removeprefix(PREFIX).split(",")
        driver, colon, config = core.partition(":")
        if driver not in names():
            raise SpecError(f"no driver {driver!r}; there are: {', '.join(names())}")
        if colon:
            resolve_memory(f"{boards_of(driver)[0].partition(':')[0]}:{config}")
        timing, clock = _options(options)
        return cls(driver, config if colon else None, timing, clock)

    @property
    def holds_primes(self) -> bool:
        """Whether the circuits of some of its boards contain a prime of the key."""
        return any(":" in family for family in boards_of(self.driver))

    def row(self, half_bits: int) -> Row:
        """Return the boards for primes of that many bits. Raises PerleError if none is wide enough.

        The paper's register multipliers have 256 bits; wider keys get wider ones.
        """
        row = next(row for row in reversed(ROWS + OTHERS) if row.driver == self.driver)
        families = [family.partition(":")[0] for family in boards_of(self.driver)]
        configs, clocks = list(row.configs), list(row.clocks)
        for i, family in enumerate(families):
            main = family == families[0]
            if main and self.clock is not None:
                clocks[i] = self.clock
            if main and self.config is not None:
                configs[i] = self.config
            elif family == REGISTERS:
                configs[i] = _registers(configs[i], half_bits)
        if self.holds_primes:
            _check_width(FAMILY, half_bits)
        return Row(row.number, row.driver, tuple(clocks), tuple(configs), row.key_bits)

    def opened(self, key: Key, progress: Progress | None = None) -> System:
        """Open the system for a key with primes; missing boards are built."""
        return System(assemble(self.row(key.half_bits), key.prime, progress), self.timing, progress=progress)


def _options(given: list[str]) -> tuple[str, float | None]:
    """Return timing and clock."""
    found: dict[str, str] = {}
    for option in given:
        name, _, value = option.partition("=")
        if name not in ("timing", "clock") or name in found:
            raise SpecError(f"{option!r}: a system takes timing=NAME and clock=NS, each once")
        found[name] = value
    timing, clock = found.get("timing", TIMING), found.get("clock")
    Timing.preset(timing)
    if clock is None:
        return timing, None
    if not re.fullmatch(r"[0-9]+(\.[0-9]+)?", clock) or not SHORTEST <= float(clock) <= LONGEST:
        raise SpecError(f"clock={clock}: the period of a clock in ns, {SHORTEST} to {LONGEST}")
    return timing, float(clock)


def _registers(name: str, half_bits: int) -> str:
    width = chosen = resolve_memory(f"{REGISTERS}:{name}").width
    while half_bits + LOOSE_BITS > width:
        width *= 2
    if width == chosen:
        return name
    _check_width(REGISTERS, width - LOOSE_BITS, half_bits)
    return f"w{width}"


def _check_width(family: str, half_bits: int, stated: int | None = None) -> None:
    most = memories()[family].params["Width"].hi - LOOSE_BITS
    if half_bits > most:
        told = f"a prime has {stated or half_bits} bits, the widest {family} takes {most}"
        raise PerleError(*TOO_WIDE, told)
