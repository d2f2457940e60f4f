# SPDX-License-Identifier: Apache-2.0
"""RSA private operations: what the papers print and what is measured here, a chart and a table a size of key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from perle.report import headline
from perle.report.headline import Line
from perle.report.quantities import quantity
from perle.report.site.figures import Chart, Dot, dots
from perle.results.view import View
from perle.tables import Table


@dataclass(frozen=True)
class Chapter:
    """All systems for keys of one size."""

    bits: int
    rate: Chart
    latency: Chart
    table: Table


def chapters(view: View) -> Iterator[Chapter]:
    """Yield what there is of every size of key that RSA has."""
    found: dict[int, list[Line]] = {}
    for one in headline.lines(view):
        if one.rsa_per_second is not None and 2 * one.bits >= headline.LEAST_KEY:
            found.setdefault(2 * one.bits, []).append(one)
    for bits, lines in sorted(found.items()):
        right = range(headline.NUMBERS_FROM, len(headline.COLUMNS))
        table = Table(headline.COLUMNS, [one.cells() for one in lines], f"RSA-{bits}", right)
        yield Chapter(bits, _rate(bits, lines), _latency(bits, lines), table)


def _said(one: Line) -> str:
    return f"{one.origin}, {one.device}"


def _rate(bits: int, lines: Sequence[Line]) -> Chart:
    what = f"Private operations of RSA-{bits} per second, as many in flight as the system takes."
    rows = [Dot(one.core, one.rsa_per_second or 0.0, one.origin, _said(one)) for one in lines]
    return dots(f"rate-{bits}", f"RSA-{bits}: operations per second", what, "per second", rows)


def _latency(bits: int, lines: Sequence[Line]) -> Chart:
    what = f"The time of one private operation of RSA-{bits}; shorter is better."
    rows = [Dot(one.core, one.rsa_ms, one.origin, _said(one)) for one in lines if one.rsa_ms is not None]
    return dots(f"latency-{bits}", f"RSA-{bits}: time of one operation", what, "ms", rows)


def highlights(view: View) -> Iterator[tuple[int, Table]]:
    """Yield the summary of every size of key that the README has."""
    lines = headline.lines(view)
    for width in headline.SUMMARY_WIDTHS:
        rows = [headline.summary_cells(one) for one in headline.summary(lines, width)]
        yield 2 * width, Table(headline.SUMMARY, rows, f"RSA-{2 * width}", range(3, 6))


def best(view: View, bits: int) -> str:
    """Return the highest measured rate for a size of key; empty where nothing is measured."""
    rates = [
        one.rsa_per_second
        for one in headline.measured(view)
        if 2 * one.bits == bits and one.rsa_per_second is not None
    ]
    return quantity(max(rates)) if rates else ""
