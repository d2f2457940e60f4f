# SPDX-License-Identifier: Apache-2.0
"""RSA private operations, as published and as measured: two charts and a table per key size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup, escape

from perle.papers import keys, load
from perle.report import headline
from perle.report.choose.candidates import Basis
from perle.report.costs import AREA_TIME, AREA_TIME_SAID
from perle.report.line import COLUMNS, DERIVED, DERIVED_SAID, MEASURED, NUMBERS_FROM, PRINTED, Line
from perle.report.quantities import quantity
from perle.report.site import paper_page, provenance
from perle.report.site.figures import Chart, Dot, dots, look
from perle.report.site.markup import filled
from perle.results.view import Point
from perle.tables import Table

LOOKS = {MEASURED: look(0), Basis.alone: look(0, hollow=True), PRINTED: look(1)}
"""Markers of the charts; a multiplier alone is no complete system."""


@dataclass(frozen=True)
class Chapter:
    """All systems for one key size."""

    bits: int
    rate: Chart
    latency: Chart | None
    table: Table


def chapters(lines: Iterable[Line]) -> Iterator[Chapter]:
    """Yield a chapter for every RSA key size that a line has a rate for.

    A multiplier alone is left out if a system with it was measured.
    """
    lines = list(lines)
    systems = {_spec(one) for one in lines if one.origin == MEASURED and one.whole}
    found: dict[int, list[Line]] = {}
    for one in lines:
        overtaken = _group(one) == Basis.alone and _spec(one) in systems
        if one.rsa_per_second is not None and 2 * one.bits >= headline.LEAST_KEY and not overtaken:
            found.setdefault(2 * one.bits, []).append(one)
    for bits, members in sorted(found.items()):
        right = range(NUMBERS_FROM, len(COLUMNS))
        cells = [[linked(one), *one.cells()[1:]] for one in members]
        table = _told(filled(Table(COLUMNS, cells, f"RSA-{bits}", right)))
        yield Chapter(bits, _rate(bits, members), _latency(bits, members), table)


def _told(table: Table) -> Table:
    """Return a table with remarks on what it has: a column of area · time, figures that no paper prints."""
    derived = any(str(cell).endswith(DERIVED) for row in table.rows for cell in row)
    said = {AREA_TIME_SAID: AREA_TIME in table.columns, DERIVED_SAID: derived}
    return replace(table, remarks=[remark for remark, needed in said.items() if needed])


def _spec(one: Line) -> str:
    return one.core.partition(", ")[0]


def linked(one: Line) -> Markup:
    """Return a line's system as a link to its provenance, or to the page of the paper that prints it."""
    if one.origin == MEASURED:
        core, _, system = one.core.partition(", ")
        return provenance.link(Point(core, one.device, _part(system)), one.core)
    for key in keys():
        paper = load(key)
        if one.core.startswith(f"{paper.authors[0].split()[-1]} {paper.year}"):
            return Markup('<a href="{}">{}</a>').format(paper_page.page_name(key), one.core)
    return escape(one.core)


def _part(system: str) -> str:
    """Return the part of a core that a line's text names."""
    systems = {words: part for part, (words, _) in headline.SYSTEMS.items()}
    if system.startswith("engine"):
        return "engines" if "+" in system else "engine"
    return systems.get(system, "mul")


def _said(one: Line, figure: str) -> str:
    origin = f"computed from what is {one.origin}" if figure in one.derived else one.origin
    full = f"{one.core}<br>" if short(one.core) != one.core else ""
    return f"{full}{origin}, {one.device}"


def short(core: str) -> str:
    """Return a line's system as the label of a chart: equal engines are counted, and not named again."""
    spec, _, system = core.partition(", engines ")
    if not system:
        return core
    members = system.split(" + ")
    kinds = Counter(one.partition(" ")[0] for one in members)
    if set(kinds) != {spec.partition(":")[2]}:
        named = (name if count == 1 else f"{count} × {name}" for name, count in kinds.items())
        return f"{spec}, engines: {', '.join(named)}"
    lanes = [one.partition("(")[2].partition(" ")[0] for one in members]
    return f"{spec}, {len(members)} engines" + (f" of {'+'.join(lanes)} lanes" if all(lanes) else "")


def _group(one: Line) -> str:
    return Basis.alone if one.origin == MEASURED and not one.whole else one.origin


def _rate(bits: int, lines: Sequence[Line]) -> Chart:
    what = f"Private operations of RSA-{bits} per second, as many in flight as the system takes."
    rows = [
        Dot(short(one.core), one.rsa_per_second or 0.0, _group(one), _said(one, "rsa_per_second"))
        for one in lines
    ]
    return dots(f"rate-{bits}", f"RSA-{bits}: operations per second", what, "per second", rows, LOOKS)


def _latency(bits: int, lines: Sequence[Line]) -> Chart | None:
    what = f"The time of one private operation of RSA-{bits}; shorter is better."
    rows = [
        Dot(short(one.core), one.rsa_ms, _group(one), _said(one, "rsa_ms"))
        for one in lines
        if one.rsa_ms is not None
    ]
    title = f"RSA-{bits}: time of one operation"
    return dots(f"latency-{bits}", title, what, "ms", rows, LOOKS) if rows else None


def highlights(lines: Sequence[Line]) -> Iterator[tuple[int, Table]]:
    """Yield the summary tables of the README, with their key sizes in bits."""
    for width in headline.SUMMARY_WIDTHS:
        rows = [[linked(one), *headline.summary_cells(one)[1:]] for one in headline.summary(lines, width)]
        yield 2 * width, _told(Table(headline.SUMMARY, rows, f"RSA-{2 * width}", range(3, 6)))


def best(lines: Iterable[Line], bits: int) -> str:
    """Return the highest measured rate for a key size; empty if none was measured."""
    rates = [
        one.rsa_per_second
        for one in lines
        if one.origin == MEASURED and 2 * one.bits == bits and one.rsa_per_second is not None
    ]
    return quantity(max(rates)) if rates else ""
