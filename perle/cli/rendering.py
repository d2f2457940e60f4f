# SPDX-License-Identifier: Apache-2.0
"""Output of tables with printed and measured numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from io import StringIO
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from rich.console import Console

from perle.cli.io import console, files
from perle.report.costs import AREA_TIME
from perle.report.pages import html, markdown, show
from perle.report.papers.peers import Core
from perle.report.papers.table import Compared, Conclusion, Page, Row
from perle.tables import NOTHING, Table, once, within

# Numbers from WHOLE on have no decimals, and from HUGE on four digits and a power of ten; ratios below TINY
# are shown in scientific notation.
WHOLE, HUGE, TINY = 1000, 10**9, 0.01
ORIGIN, CORES = "origin", "CORES"
TEXT_WIDTH = 100
"""Width in characters of tables that are written to a file or a pipe."""


def number(value: float | None) -> str:
    """Return a number with its significant digits."""
    if value is None:
        return NOTHING
    if abs(value) >= HUGE:
        return f"{number(value / HUGE)}·10⁹"
    return f"{value:,.0f}" if abs(value) >= WHOLE or value == int(value) else f"{value:.4g}"


def ratio(one: Compared) -> float | None:
    """Return measured divided by printed; None if either is missing, printed is 0, or their signs differ."""
    if one.measured is None or not one.printed or one.measured * one.printed < 0:
        return None
    return one.measured / one.printed


DEVICES = ("printed on", "measured on")
SHORT = dict(zip(DEVICES, ("pr. on", "on"), strict=True))
"""Shorter labels for the device columns, used where devices are abbreviated to letters."""
COLUMNS = ("row", "printed", "measured", "ratio", "unit", *DEVICES, "note")
NUMBERS, SAID, NOTE = (1, 2, 3), (4, 5, 6), 7
"""Indices of the columns of numbers, of those of unit and devices, and of the note."""


def _lettered(values: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Assign a letter to each value of a column; return the legend and the letters."""
    letters = dict(zip(dict.fromkeys(one for one in values if one), ascii_lowercase, strict=False))
    return [f"{key} {value}" for value, key in letters.items()], letters


def _narrow(table: Table, names: Mapping[str, str], *, lines: bool = False) -> Table:
    """Replace the texts of columns by letters, with a legend above the rows: a line for each text, or one.

    `names` are their labels, and the shorter ones that they get.
    """
    columns, head, rows = [*table.columns], [*table.head], [[*row] for row in table.rows]
    for index, name in enumerate(table.columns):
        if name in names:
            legend, letters = _lettered([str(row[index]) for row in rows])
            first, *more = legend if lines else ["; ".join(legend)]
            head += [f"{name}: {first}", *(" " * len(f"{name}: ") + each for each in more)]
            for row in rows:
                row[index] = letters.get(str(row[index]), row[index])
            columns[index] = names[name]
    return replace(table, columns=columns, head=head, rows=rows)


def tables(page: Page, *, narrow: bool = False) -> list[Table]:
    """Return a table's rows and its conclusions; with `narrow`, for a terminal, devices are letters."""
    title, rows = f"{page.name}: {page.title}", [_cells(one) for one in page.rows]
    whole = Table(COLUMNS, rows, title, right=NUMBERS, remarks=page.remarks)
    table = once(whole, (*SAID, NOTE), loose=SAID)
    table.head = [line.removeprefix(f"{COLUMNS[NOTE]}: ") for line in table.head]
    found = [_narrow(table, SHORT) if narrow else table]
    if page.conclusions:
        said = [_said(one) for one in page.conclusions]
        differ = [index for index, one in enumerate(page.conclusions) if one.same is False]
        columns = ["what follows", "printed", "here", "", "reason"]
        conclusions = Table(columns, said, f"{page.name}: conclusions", marked=differ)
        found.append(once(conclusions, [4] * (not any(one[4] for one in said))))
    return found


def _cells(one: Compared) -> list[str]:
    by = ratio(one)
    shown = NOTHING if by is None else f"{by:.2f}" if by >= TINY else f"{by:.1e}"
    devices = [one.printed_on, one.measured_on] if isinstance(one, Row) else ["", ""]
    return [one.label, number(one.printed), number(one.measured), shown, one.unit, *devices, one.note]


def _said(one: Conclusion) -> list[str]:
    same = {None: "", True: "the same", False: "differs"}[one.same]
    why = f"{one.reason}; cause: {one.cause}" if one.cause else one.reason
    return [one.what, one.printed, one.measured or NOTHING, same, why]


def peers(cores: Sequence[Core], remarks: Sequence[str], *, narrow: bool = False) -> Table:
    """Return the table of Perle's multipliers and other cores; those without a figure are named below it.

    With `narrow`, for a terminal, where the figures come from is a letter.
    """
    columns = ["core", "LUT", "DSP", "MHz", "µs", "µs between", AREA_TIME, ORIGIN, "note"]
    rows, lacking = [], dict[str, list[str]]()
    for one in cores:
        figures = (one.luts, one.dsp, one.fmax_mhz, one.us, one.us_between, one.lut_us)
        if any(value is not None for value in figures):
            rows.append([one.label, *map(number, figures), one.origin, one.note])
        else:
            lacking.setdefault(one.note.replace(one.label, CORES), []).append(one.label)
    absent = [why.replace(CORES, " ".join(those)) for why, those in lacking.items()]
    title = "Multipliers, other open cores and ours"
    table = once(Table(columns, rows, title, range(1, 7), remarks=[*remarks, *absent]))
    return _narrow(table, {ORIGIN: "from"}, lines=True) if narrow else table


def data(page: Page) -> dict[str, Any]:
    """Return a table for JSON."""
    return {
        "table": page.name,
        "title": page.title,
        "rows": [{**asdict(one), "ratio": ratio(one)} for one in page.rows],
        "conclusions": [asdict(one) for one in page.conclusions],
        "remarks": page.remarks,
    }


def _width(out: Path | None) -> int:
    """Return the width of text: that of the terminal, if it goes to one."""
    return TEXT_WIDTH if out is not None else console.output(TEXT_WIDTH).width


def write(title: str, shown: Sequence[Table], form: str, out: Path | None, *, force: bool) -> None:
    """Write tables in one of FORMATS to standard output or a file; an existing file only with `force`.

    Text for a file or a pipe has TEXT_WIDTH columns.
    """
    if form != "text":
        text = (markdown if form == "markdown" else html)(title, shown)
    else:
        shown = [part for table in shown for part in within(table, _width(out))]
        if out is None:
            show(shown, console.output(TEXT_WIDTH))
            return
        page = StringIO()
        show(shown, Console(file=page, width=TEXT_WIDTH, highlight=False))
        text = page.getvalue()
    if out is None:
        console.output().file.write(text)
        return
    with files.writing(str(out), force=force) as put:
        put(text.encode())
