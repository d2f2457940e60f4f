# SPDX-License-Identifier: Apache-2.0
"""Table 1 of shand1990: printed rates compared with measured ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from perle.papers import load
from perle.report.papers.table import Compared, Conclusion, near

PAPER = "shand1990"
ROWS = range(1, 20)
SOFTWARE = (1, 4, 5)
"""Rows that are software without boards."""
DETECTOR_ROW = 18
BUS, BOARDS, HOST = "bus", "waiting for boards", "host"


@dataclass(frozen=True)
class Rate:
    """A measured row: bits per second, shares of the modelled time by name, and averages per block.

    A software row has no `shares`, and its `instructions` are those of a block. `products`, `cycles` (per
    product) and `busy` (share of the time) are those of the board with the most products. An access takes at
    least `access_ns` on the bus, and between two accesses the host executes `instructions`, each of
    `instruction_ns`. `resolve` of the cycles resolve carries, if their number depends on the data.
    """

    baud: float
    shares: Mapping[str, float]
    bits: int = 0
    clock_ns: float = 0
    busy: float = 0
    products: int = 0
    cycles: float = 0
    resolve: float = 0
    accesses: float = 0
    access_ns: float = 0
    instructions: float = 0
    instruction_ns: float = 0


def label(number: int) -> str:
    """Return the description of a row, with the clock of its boards if it is printed."""
    paper = load(PAPER)
    clock = paper.claims.get(f"t{number}_clock")
    return paper[f"t{number}_baud"].what + ("" if clock is None else f" @ {clock.value} ns")


def note(printed: float, rate: Rate | None) -> str:
    """Return how the time is spent; if the measured rate differs, also the limit that this shows."""
    if rate is None:
        return "there is no driver for this row yet"
    if not rate.shares:
        return software(printed, rate)
    ratio = rate.baud / printed
    parts = ", ".join(f"{share:.0%} {name}" for name, share in rate.shares.items())
    if near(printed, rate.baud):
        return f"time: {parts}"
    direction = "faster" if ratio > 1 else "slower"
    return f"{ratio:.2f} times, {direction} than printed: {cause(printed, rate)} (time: {parts})"


def software(printed: float, rate: Rate) -> str:
    """Return the modelled instructions of a software row, and how many the printed rate allows."""
    left = 1e9 * rate.bits / printed / rate.instruction_ns
    told = (
        f"the host's model: {rate.instructions:,.0f} instructions of {rate.instruction_ns:.0f} ns a block, "
        f"{rate.products} Montgomery products of three multiplications; the printed rate leaves {left:,.0f}"
    )
    return told if near(printed, rate.baud) else f"{rate.baud / printed:.2f} times; {told}"


def cause(printed: float, rate: Rate) -> str:
    """Return what limits the rate of a row here, and how much of that the printed rate allows."""
    block_ns = 1e9 * rate.bits / printed
    left = block_ns / rate.products / rate.clock_ns
    stated = load(PAPER)["mpu_cycles"].number
    carries = f", {rate.resolve:.1f} of them for carries (the paper states {stated} in all)"
    board = (
        f"a product takes the board {rate.cycles:.0f} cycles{carries if rate.resolve else ''}, and the "
        f"printed rate leaves {left:.0f} at most ({rate.products} products a block, {rate.clock_ns:g} ns)"
    )
    limit = max(rate.shares, key=lambda name: rate.shares[name])
    if limit == BOARDS:
        return f"the board is busy {rate.busy:.0%} of the time; {board}"
    per_access = (block_ns / rate.accesses - rate.access_ns) / rate.instruction_ns
    if limit == HOST:
        return (
            f"the host is what takes time, {rate.instructions:.1f} instructions beside an access, which are "
            f"assumed; the printed rate leaves {per_access:.1f} at most; {board}"
        )
    return (
        f"the bus is what takes time, {rate.accesses:.0f} accesses of {rate.access_ns:g} ns a block; the "
        f"printed rate leaves {block_ns / rate.access_ns:.0f} at most; {board}"
    )


def table1(rates: Mapping[int, Rate]) -> list[Compared]:
    """Return all rows of the table; those that were not measured have a note."""
    paper = load(PAPER)
    rows = []
    for number in ROWS:
        printed, rate = float(paper[f"t{number}_baud"].number), rates.get(number)
        measured = None if rate is None else rate.baud
        why = "; ".join((note(printed, rate), *(said(number, printed, rate) if rate else ())))
        rows.append(Compared(label(number), printed, measured, "baud", why))
    return rows


def said(number: int, printed: float, rate: Rate) -> Iterator[str]:
    """Yield further notes on a row: what the paper does not state, and what would explain a difference."""
    if number in (2, 3):
        told = f"the paper prints no clock for this row: {rate.clock_ns:g} ns are those of row 6"
        yield f"{told}, the same board's next"
    if number == SOFTWARE[0]:
        paper = load(PAPER)
        gain = float(paper["t4_baud"].number / paper["t1_baud"].number / paper["crt_speedup"].number)
        yield (
            f"of row 4 over row 1, printed rates leave a factor of {gain:.2f} beside the Chinese remainder "
            "theorem: row 1's original code was slower than the program of both here"
        )
    if number == DETECTOR_ROW and rate.resolve:
        late = 1e9 * rate.bits / printed / rate.products / rate.clock_ns - rate.cycles / rate.busy
        stated = float(load(PAPER)["mpu_cycles"].number) - rate.cycles
        chips = float(load(PAPER)["lca_columns"].number * load(PAPER)["lca_rows"].number)
        yield (
            f"a detector {late:.0f} cycles late (DetectLatency), {late * rate.clock_ns / 1000:.1f} us, would "
            f"give the printed rate; a register in each of {chips:.0f} chips is {chips:.0f} cycles, and the "
            f"{load(PAPER)['mpu_cycles'].number} that the paper states for a product leave {stated:.0f}: "
            + ("plausible" if late <= chips else "not plausible, the rest is not the detector's")
        )


def software_conclusions(rates: Mapping[int, Rate]) -> list[Conclusion]:
    """Return for every software row whether the model of the host reproduces its printed rate."""
    paper, found = load(PAPER), list[Conclusion]()
    for number in SOFTWARE:
        rate, printed = rates.get(number), float(paper[f"t{number}_baud"].number)
        if rate is None:
            continue
        what, same = f"row {number} from instructions and their time", near(printed, rate.baud)
        reason = "" if same else f"{rate.baud / printed:.2f} times; the row tells more"
        found.append(Conclusion(what, f"{printed:,.0f} baud", f"{rate.baud:,.0f} baud", same, reason))
    return found


APPLICATIONS = {
    "certify_speedup": "primality certification",
    "pi_speedup": "decimals of pi",
    "sin_speedup": "decimals of sin(10)",
    "print_speedup": "conversion to decimal, straightforward",
    "print_fast_speedup": "conversion to decimal, better algorithm",
}
"""Claims of section 2 about application programs that use a bignum library."""


@dataclass(frozen=True)
class Gain:
    """Speed-up of a program: modelled time in software divided by that with the board; `size` of its problem.

    `rest` is the time on the host when the board is used, divided by the time in software alone.
    """

    speedup: float
    size: str
    rest: float = 0.0


def programs(claim: str, gain: Gain) -> str:
    """Return a note on a program's speed-up; if it is not near the printed one, also what that implies."""
    paper = load(PAPER)
    told = f"{gain.size}; software as the host's model has it"
    printed, most = float(paper[claim].number), float(paper["raw_speedup_most"].number)
    if near(printed, gain.speedup):
        return told
    # Amdahl: 1/printed = rest + (1 - rest)/most
    rest = (1 / printed - 1 / most) / (1 - 1 / most)
    return (
        f"{told}: here {gain.rest:.0%} of the software's time stays with the host; "
        f"the printed gain implies {rest:.0%} if the rest gained {most:.0f} times"
    )


def section2(
    product_rate: float, raw: Gain, rates: Mapping[int, Rate], gains: Mapping[str, Gain]
) -> list[Compared]:
    """Return the claims of section 2: bits of product per second, and speed-ups of rows 2, 3 and programs."""
    paper = load(PAPER)
    software = float(paper["host_rate"].number)
    over = f"measured rate of the row over the printed {software:.0f} bit/s of software on the MC68020"

    def row(claim: str, what: str, measured: float | None, unit: str, why: str) -> Compared:
        return Compared(what, float(paper[claim].number), measured, unit, why)

    def gained(claim: str, what: str) -> Compared:
        return row(
            claim, f"{what} over software", gains[claim].speedup, "times", programs(claim, gains[claim])
        )

    clock = "; the clock, which is not printed, is that of row 6"
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
            raw.speedup,
            "times",
            f"{raw.size}, 66 ns; no independent check: the modelled software's word product is what this "
            "printed factor implies",
        ),
        row("bus_rsa_speedup", "RSA by bignum over software", speedups[0], "times", f"row 2: {over}{clock}"),
        row("fast_speedup", "RSA, overlapped, over software", speedups[1], "times", f"row 3: {over}{clock}"),
        *(gained(claim, what) for claim, what in APPLICATIONS.items()),
    ]
