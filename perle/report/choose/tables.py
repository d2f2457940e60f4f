# SPDX-License-Identifier: Apache-2.0
"""The answer as tables and lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from perle.report.choose.candidates import Basis, Candidate
from perle.report.choose.choice import Choice, Judged
from perle.report.choose.commands import build, measure
from perle.report.choose.question import ENERGY, LATENCY, RATE, TITLES
from perle.report.quantities import brief, quantity, seconds
from perle.results import names
from perle.tables import Table

MS_PER_S = 1e3
SHORT = {
    **TITLES,
    RATE: "rate, 1/s",
    ENERGY: "energy, nJ",
    names.AREA: "µm²",
    names.FF: "FF",
    names.DSP: "mult.",
    names.BRAM: "mem.",
}
SAID = 100
"""Maximum number of characters shown of a tool's message."""


def sure(one: Candidate) -> str:
    """Return how reliable the figures are: seeds and their spread, or the error of the prediction."""
    if one.basis is Basis.measured:
        low = 1 - 1 / (1 + one.errors.get(RATE, 0.0))
        runs = "" if not one.seeds else ", 1 seed" if one.seeds == 1 else f", {one.seeds} seeds"
        return f"measured{runs}" + (f", slowest −{brief(100 * low)} %" if RATE in one.errors else "")
    shown = {"clock": RATE, "LUT": names.LUTS, "µm²": names.AREA}
    factors = {what: f"{1 + one.errors.get(name, 0.0):.2f}" for what, name in shown.items()}
    off = [f"{what} ×÷ {factor}" for what, factor in factors.items() if factor != "1.00"]
    return ", ".join([str(one.basis), *off])


def table(title: str, rows: Sequence[Judged], last: str) -> Table:
    """Return the table of candidates; `last` is the label of the column with reasons, if there are any."""
    figures = [name for name in TITLES if any(name in one.candidate.figures for one in rows)]
    clocked = any(one.candidate.clock_mhz for one in rows)
    labels = [SHORT[name] for name in figures]
    columns = ["core", "part", "target", *labels, *(["MHz"] if clocked else []), "how sure"]
    numbers = range(3, 3 + len(labels) + clocked)
    cells = [_cells(one, figures, clocked=clocked) for one in rows]
    if any(one.why for one in rows):
        columns = [*columns, last]
        cells = [[*row, one.why] for row, one in zip(cells, rows, strict=True)]
    return Table(columns, cells, title, numbers)


def _cells(one: Judged, figures: Sequence[str], *, clocked: bool) -> list[str]:
    found = one.candidate
    point = found.point
    clock = [quantity(found.clock_mhz) if found.clock_mhz else "–"] if clocked else []
    shown = [_figure(name, found.figures.get(name)) for name in figures]
    return [point.core, point.part, point.target, *shown, *clock, sure(found)]


def _figure(name: str, value: float | None) -> str:
    if value is None:
        return "–"
    return seconds(value / MS_PER_S) if name == LATENCY else quantity(value) if value else "0"


def lines(choice: Choice) -> Iterator[str]:
    """Yield notes on the best candidate (how to build it, its reliability) and on measurements not used."""
    best = choice.best
    if best is not None:
        one = best.candidate
        yield f"build it: {'; '.join(build(one))}"
        yield f"measured {one.date} on {one.device}"
        if one.seeds == 1 and all(unused.point != one.point for unused in choice.failed):
            yield f"one seed only; more: {one.point.command} --seeds 3"
        if best.doubts:
            yield f"the slowest of {one.seeds} seeds does not keep: {'; '.join(best.doubts)}"
        if one.note:
            yield one.note
    else:
        yield from _nothing(choice)
    if best is not None and (missing := choice.missing):
        yield f"no {missing} is known on {best.candidate.point.target}: the least area is first"
    if choice.seed_spread is not None:
        points, off = choice.seed_spread
        yield f"of {points} points here with several seeds, one is up to {brief(100 * off)} % from its median"
    for unused in choice.failed:
        point = unused.point
        what = f"{point.core} ({point.part}) on {point.target}"
        yield f"failed: {what}: {unused.why[:SAID]}; again: {unused.command}"
    for unused in choice.stale:
        point = unused.point
        what = f"{point.core} ({point.part}) on {point.target}"
        yield f"stale, not used: {what}: {unused.why[:SAID]}; again: {unused.command}"


def _nothing(choice: Choice) -> Iterator[str]:
    wide = any(one.candidate.basis is Basis.measured for one in choice.near)
    bits = choice.question.width
    yield (
        "nothing that was measured is within these limits"
        if wide
        else f"nothing that does this on {bits} bits was measured here as a whole"
    )
    if not (choice.unmeasured or choice.near):
        yield "nor is there anything to predict it from"


def to_measure(rows: Sequence[Judged]) -> Iterator[str]:
    """Yield for each prediction the command that measures it, its sources, and limits that it may miss."""
    if any(one.candidate.basis is Basis.alone for one in rows):
        yield f"{Basis.alone}: areas and energies are without an exponentiator, which nothing here predicts"
    for one in rows:
        found = one.candidate
        yield f"measure {found.point.core} ({found.point.part}): {measure(found)}   # from {found.sources}"
        if one.doubts:
            yield f"  within its error it may not keep: {'; '.join(one.doubts)}"
        if found.note:
            yield f"  {found.note}"
