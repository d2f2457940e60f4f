# SPDX-License-Identifier: Apache-2.0
"""The answer as tables and lines of text; a line that is a command is indented and stands alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import shorten

from perle.report.choose.candidates import Basis, Candidate
from perle.report.choose.choice import Choice, Judged
from perle.report.choose.commands import build, measure
from perle.report.choose.question import ENERGY, LATENCY, MS_PER_S, RATE, TITLES
from perle.report.choose.unused import Unused
from perle.report.quantities import brief, quantity, seconds
from perle.results import names
from perle.results.parts import members
from perle.tables import Table

SHORT = {
    **TITLES,
    RATE: "rate,\n1/s",
    ENERGY: "energy,\nnJ",
    names.AREA: "µm²",
    names.FF: "FF",
    names.DSP: "mult.",
    names.BRAM: "mem.",
}
SAID = 300
"""Maximum number of characters shown of a reason."""


def sure(one: Candidate) -> str:
    """Return how reliable the figures are: seeds and their spread, or the error of the prediction."""
    if one.basis is Basis.measured:
        low = 1 - 1 / (1 + one.errors.get(RATE, 0.0))
        slowest = f"slowest −{brief(100 * low)} %" if RATE in one.errors else ""
        return f"measured{_seeds(one.seed_numbers, slowest)}"
    shown = {"clock": RATE, "LUT": names.LUTS, "µm²": names.AREA}
    factors = {what: f"{1 + one.errors.get(name, 0.0):.2f}" for what, name in shown.items()}
    off = [f"{what} ×÷ {factor}" for what, factor in factors.items() if factor != "1.00"]
    return ", ".join([str(one.basis), *off])


def _seeds(numbers: tuple[int, ...], slowest: str) -> str:
    """Return how many seeds there are, which if they are not the first ones, and about the slowest."""
    if not numbers:
        return ""
    count = f", {len(numbers)} seed{'' if len(numbers) == 1 else 's'}"
    if numbers == tuple(range(1, len(numbers) + 1)):
        return f"{count}, {slowest}" if slowest else count
    return "; ".join(filter(None, (f"{count}: {', '.join(map(str, numbers))}", slowest)))


def table(title: str, rows: Sequence[Judged]) -> Table:
    """Return the table of candidates, numbered; `reasons` are the lines to be shown below it.

    A target that all have is in the title.
    """
    figures = [name for name in TITLES if any(name in one.candidate.figures for one in rows)]
    clocked = any(one.candidate.clock_mhz for one in rows)
    labels = [SHORT[name] for name in figures] + ["MHz"] * clocked
    targets = {one.candidate.point.target for one in rows}
    several = len(targets) > 1
    title += "" if several else f", on {''.join(targets)}"
    columns = ["", "core", "part", *["target"] * several, *labels]
    first = len(columns) - len(labels)
    cells = []
    for number, one in enumerate(rows, 1):
        found = one.candidate
        shown = [_figure(name, found.figures.get(name)) for name in figures]
        clock = [quantity(found.clock_used_mhz) if found.clock_used_mhz else "–"] * clocked
        target = [found.point.target] * several
        cells.append([str(number), found.point.core, found.point.part, *target, *shown, *clock])
    return Table(columns, cells, title, (0, *range(first, len(columns))), keys=2, tight=True)


def _figure(name: str, value: float | None) -> str:
    if value is None:
        return "–"
    return seconds(value / MS_PER_S) if name == LATENCY else quantity(value) if value else "0"


def reasons(rows: Sequence[Judged], what: str) -> Iterator[str]:
    """Yield the lines below a table: for each row, how sure it is, and after `what` its reason.

    For one that was not measured also its sources, the command that measures it, and limits that it may miss.
    """
    for number, one in enumerate(rows, 1):
        found = one.candidate
        why = f"{what}: {one.why}" if one.why else ""
        yield f"{number}: {'; '.join(filter(None, (sure(found), _clock(found), why)))}"
        if found.basis is not Basis.measured:
            yield f"   from {found.sources}"
            yield f"   {measure(found)}"
            if one.doubts:
                yield f"   within its error it may not keep: {'; '.join(one.doubts)}"
            if found.note:
                yield f"   {found.note}"
    if any(_clock(one.candidate) for one in rows):
        yield "clocks above what the device's multipliers are rated for count as that rating"
    if any(one.candidate.basis is Basis.alone for one in rows):
        yield f"{Basis.alone}: areas and energies are without an exponentiator, which nothing here predicts"


def _clock(one: Candidate) -> str:
    """Return the clock that counts and the placed one, if they differ."""
    if one.clock_mhz is None or one.clock_mhz == one.clock_used_mhz:
        return ""
    return f"{quantity(one.clock_used_mhz or 0)} MHz ({quantity(one.clock_mhz)} placed)"


def lines(choice: Choice, designs: Sequence[str] = ()) -> Iterator[str]:
    """Yield notes on the best candidate (how to build it, its reliability) and on measurements not used.

    `designs` are the commands that make a design for a board of it.
    """
    best = choice.best
    if best is not None:
        one = best.candidate
        yield "build it:"
        yield from (f"  {command}" for command in build(one))
        if designs:
            several = len(members(one.config, one.point.part, one.point.target)) > 1
            yield f"{'one of them ' if several else ''}on a board with this device:"
            yield from (f"  {command}" for command in designs)
        yield f"measured {one.date} on {one.device}"
        if one.seeds == 1 and all(unused.point != one.point for unused in choice.failed):
            yield "one seed only; more:"
            yield f"  {one.point.command} --seeds 3"
        if best.doubts:
            yield f"the slowest of {one.seeds} seeds does not keep: {'; '.join(best.doubts)}"
        if one.note:
            yield one.note
    else:
        yield from _nothing(choice)
    if missing := choice.missing:
        yield f"no {missing} is known on {choice.question.place}: the least area is first"
    measured = any(one.candidate.basis is Basis.measured for one in (*choice.fits, *choice.near))
    if choice.seed_spread is not None and measured:
        points, off = choice.seed_spread
        yield f"of {points} points here with several seeds, one is up to {brief(100 * off)} % from its median"
    for unused in choice.failed:
        yield from _told("failed", unused) if unused.command else [f"{_name(unused)} {unused.why}"]
    for unused in choice.stale:
        yield from _told("stale, not used", unused)


def _name(unused: Unused) -> str:
    return f"{unused.point.core} ({unused.point.part}) on {unused.point.target}"


def _told(what: str, unused: Unused) -> Iterator[str]:
    yield f"{what}: {_name(unused)}: {shorten(unused.why, SAID, placeholder=' …')}; again:"
    yield f"  {unused.command}"


def _nothing(choice: Choice) -> Iterator[str]:
    wide = any(one.candidate.basis is Basis.measured for one in choice.near)
    bits = choice.question.width
    yield (
        "nothing that was measured is within these limits"
        if wide
        else f"nothing that does this on {bits} bits was measured here as a whole"
    )
    if choice.widest is not None:
        yield f"nor is there anything to predict it from: {choice.widest.text}"
