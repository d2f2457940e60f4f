# SPDX-License-Identifier: Apache-2.0
"""Output of tables with printed and measured numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
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
from perle.tables import Table, within

# Numbers from WHOLE on have no decimals, and from HUGE on four digits and a power of ten; ratios below TINY
# are shown in scientific notation.
WHOLE, HUGE, TINY = 1000, 10**9, 0.01
NOTHING = "–"
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


UNIT, DEVICES = "unit", ("printed on", "measured on")
SHORT = dict(zip(DEVICES, ("pr. on", "on"), strict=True))
"""Shorter labels for the device columns, used where devices are abbreviated to letters."""
COLUMNS = ("row", "printed", "measured", "ratio", UNIT, *DEVICES, "note")


def _once(
    columns: Sequence[str], rows: Sequence[Sequence[str]], among: Sequence[str]
) -> tuple[list[str], list[str], list[list[str]]]:
    """Remove columns in `among` with the same value in all rows; return a line for each value instead.

    Empty cells agree with any value; a column that is empty everywhere is removed without a line.
    """
    said = {name: {row[index] for row in rows} - {""} for index, name in enumerate(columns) if name in among}
    out = {name for name, values in said.items() if len(values) < 2}
    head = [f"{name}: {value}" for name in columns if name in out for value in said[name]]
    left = [index for index, name in enumerate(columns) if name not in out]
    return head, [columns[index] for index in left], [[row[index] for index in left] for row in rows]


def _keyed(column: str, values: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Assign a letter to each value of a column; return the legend and the letters."""
    letters = dict(zip(dict.fromkeys(one for one in values if one), ascii_lowercase, strict=False))
    return f"{column}: " + "; ".join(f"{key} {value}" for value, key in letters.items()), letters


def _narrow(head: list[str], columns: list[str], rows: list[list[str]]) -> None:
    """Replace device names by letters, with a legend above the rows."""
    for name in DEVICES:
        if name in columns:
            index = columns.index(name)
            line, letters = _keyed(name, [row[index] for row in rows])
            head.append(line)
            for row in rows:
                row[index] = letters.get(row[index], row[index])
            columns[index] = SHORT[name]


def tables(page: Page, *, narrow: bool = False) -> list[Table]:
    """Return a table's rows and its conclusions; with `narrow`, for a terminal, devices are letters."""
    head, columns, rows = _once(COLUMNS, [_cells(one) for one in page.rows], (UNIT, *DEVICES))
    if narrow:
        _narrow(head, columns, rows)
    title = f"{page.name}: {page.title}"
    found = [Table(columns, rows, title, right=(1, 2, 3), remarks=page.remarks, head=head)]
    if page.conclusions:
        said = [_said(one) for one in page.conclusions]
        differ = [index for index, one in enumerate(page.conclusions) if one.same is False]
        columns = ["what follows", "printed", "here", "", "reason"]
        found.append(Table(columns, said, f"{page.name}: conclusions", marked=differ))
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


def peers(cores: Sequence[Core], remarks: Sequence[str]) -> Table:
    """Return the table of Perle's multipliers and other cores."""
    columns = ["core", "LUT", "DSP", "MHz", "µs", "µs between", AREA_TIME, "origin", "note"]
    rows = [
        [
            one.label,
            *map(number, (one.luts, one.dsp, one.fmax_mhz, one.us, one.us_between, one.lut_us)),
            one.origin,
            one.note,
        ]
        for one in cores
    ]
    return Table(columns, rows, "Multipliers, other open cores and ours", range(1, 7), remarks=remarks)


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
