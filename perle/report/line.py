# SPDX-License-Identifier: Apache-2.0
"""A line of the table of all systems, with its columns."""

from __future__ import annotations

from dataclasses import dataclass

from perle.report.costs import AREA_TIME, shown

NS_PER_US, NS_PER_MS = 1e3, 1e6
WIDTHS = (256, 512, 1024, 2048)
"""Operand widths in bits at which cores are compared; a family without measurements at these has its widest
core in the table."""
PRINTED, MEASURED, NOW = "printed", "measured", "measured now"
DERIVED = "†"
DERIVED_SAID = f"{DERIVED}: no paper prints this figure; it is computed from printed ones."
PAIR = "two multipliers"
"""How the table names two co-placed multipliers without exponentiators."""

COLUMNS = (
    *("core", "figures", "device", "bits", "RSA per second, saturated", "one RSA private operation, ms"),
    *("multiplier-cycles", "LUT-cycles", "η", "product, µs", AREA_TIME, "nJ · ns, 130 nm"),
)
NUMBERS_FROM = 3
FIGURES = (
    *("rsa_per_second", "rsa_ms", "multiplier_cycles", "lut_cycles"),
    *("eta", "product_us", "lut_us", "edp"),
)
"""Names of the figures in the columns after the first four."""


@dataclass(frozen=True)
class Line:
    """A multiplier of `bits` bits. RSA keys are twice as wide, on one core unless `core` says otherwise.

    `derived` names the figures of a printed line that no paper prints: they are computed from printed ones.
    `seeds` are those of place and route whose medians a measured line has. `lut_us` is LUTs times the
    initiation interval in µs, `edp` energy times latency of a product in 130 nm, and `times_software`
    `rsa_per_second` divided by that of software timed in the same run. `rsa_mj` is the energy of an RSA
    operation and `rsa_price` the price of 1,000 operations per second, both derived from numbers that a user
    stated.
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
    derived: tuple[str, ...] = ()
    seeds: tuple[int, ...] = ()

    def cells(self) -> list[str]:
        """Return the line as texts, in the order of COLUMNS."""
        return [*(self.core, self.origin, self.device, f"{self.bits}"), *map(self.figure, FIGURES)]

    def figure(self, name: str) -> str:
        """Return a figure as a text, with DERIVED if it is computed from printed ones."""
        text = shown(getattr(self, name))
        return f"{text} {DERIVED}" if name in self.derived else text

    @property
    def width(self) -> int:
        """The compared width it belongs to: the smallest one that is at least `bits`."""
        return min((width for width in WIDTHS if width >= self.bits), default=self.bits)

    @property
    def whole(self) -> bool:
        """Whether the measured hardware can do RSA; a multiplier alone still needs an exponentiator."""
        return self.core.partition(", ")[2] not in ("", PAIR)
