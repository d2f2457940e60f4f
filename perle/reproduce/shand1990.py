# SPDX-License-Identifier: Apache-2.0
"""Table 1 of shand1990: the printed rates beside measured ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from perle.papers import load

PAPER = "shand1990"
ROWS = range(1, 20)
ALIKE = 0.2
"""Relative difference above which a row needs a sentence."""

SOFTWARE_NOTE = "software: Python's integers on this machine, not the paper's"


@dataclass(frozen=True)
class Rate:
    """A measured row: bits a second; the parts of modelled time by name (nothing for software)."""

    baud: float
    shares: Mapping[str, float]


@dataclass(frozen=True)
class Compared:
    """A row: what it is, the printed and the measured number, and a sentence where they differ."""

    label: str
    printed: float
    measured: float | None
    unit: str
    note: str


def label(number: int) -> str:
    """Return what a row of the table is, and the clock of its boards where one is printed."""
    paper = load(PAPER)
    clock = paper.claims.get(f"t{number}_clock")
    return paper[f"t{number}_baud"].what + ("" if clock is None else f" @ {clock.value} ns")


def note(printed: float, rate: Rate | None) -> str:
    """Return why a measured rate differs, as far as its own time tells."""
    if rate is None:
        return "there is no driver for this row yet"
    if not rate.shares:
        return SOFTWARE_NOTE
    ratio = rate.baud / printed
    parts = ", ".join(f"{share:.0%} {name}" for name, share in rate.shares.items())
    if abs(ratio - 1) <= ALIKE:
        return f"time: {parts}"
    most = max(rate.shares, key=lambda name: rate.shares[name])
    direction = "faster" if ratio > 1 else "slower"
    return f"{ratio:.2f} times, {direction} than printed: most of its time is {most} ({parts})"


def table1(rates: Mapping[int, Rate]) -> list[Compared]:
    """Return every row of the table; those that were not measured say so."""
    paper = load(PAPER)
    rows = []
    for number in ROWS:
        printed, rate = float(paper[f"t{number}_baud"].number), rates.get(number)
        measured = None if rate is None else rate.baud
        rows.append(Compared(label(number), printed, measured, "baud", note(printed, rate)))
    return rows


def section2(product_rate: float, rates: Mapping[int, Rate]) -> list[Compared]:
    """Return what section 2 claims: bits of product a second, and what rows 2 and 3 gain over software."""
    paper = load(PAPER)
    software = float(paper["host_rate"].number)
    over = f"measured rate of the row over the printed {software:.0f} bit/s of software on the MC68020"

    def row(claim: str, what: str, measured: float | None, unit: str, why: str) -> Compared:
        return Compared(what, float(paper[claim].number), measured, unit, why)

    speedups = [None if number not in rates else rates[number].baud / software for number in (2, 3)]
    return [
        row(
            "product_rate",
            "bits of product",
            product_rate / 1e6,
            "Mbit/s",
            "512 × 512 + 1024 bits back to back, 66 ns",
        ),
        row(
            "raw_speedup_most",
            "multiplication over software",
            None,
            "times",
            "the host's software is not simulated",
        ),
        row("bus_rsa_speedup", "RSA by bignum over software", speedups[0], "times", f"row 2: {over}"),
        row("fast_speedup", "RSA, overlapped, over software", speedups[1], "times", f"row 3: {over}"),
    ]
