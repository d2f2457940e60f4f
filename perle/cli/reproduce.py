# SPDX-License-Identifier: Apache-2.0
"""`perle reproduce`: what a paper prints, beside what is measured here."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Annotated

import typer

from perle.cli import console
from perle.cli.arith import Json
from perle.cli.boards import in_background
from perle.cli.errors import usage
from perle.measure import rsa_story
from perle.measure.rsa_story import Measured
from perle.report.tables import plain_table
from perle.reproduce import shand1990
from perle.reproduce.shand1990 import Compared, Rate

# From here on no decimals are shown.
DIGITS = 1000

TABLE1, SECTION2 = "shand1990.table1", "shand1990.section2"
TABLES = {
    TABLE1: "RSA rates of every system, from software to modular product units",
    SECTION2: "bits of product a second, and what the bus multiplier gains",
}


def reproduce(
    what: Annotated[
        str | None, typer.Argument(metavar="PAPER.TABLE", help="E.g. shand1990.table1.", show_default=False)
    ] = None,
    rows: Annotated[
        str | None, typer.Option(metavar="LIST", help="Only these rows, e.g. 6,9,13.", show_default=False)
    ] = None,
    blocks: Annotated[int, typer.Option(help="Messages of the measured stream.", min=1)] = rsa_story.BLOCKS,
    json: Json = False,
) -> None:
    """Measure what a paper's table is about, and print both numbers of every row.

    Rates of hardware come from co-simulation: simulated boards at the clocks of the row, on a bus of the
    paper's speed. Rows of software run on this machine and say so. Without an argument: what there is.
    """
    if what is None:
        for name, text in TABLES.items():
            typer.echo(f"{name}  {text}")
        return
    if what not in TABLES:
        raise usage(f"no such table: {what}; there are: {', '.join(TABLES)}")
    if what == SECTION2:
        if rows is not None:
            raise usage("--rows is for tables with numbered rows")
        _print(shand1990.section2(rsa_story.product_rate(), _measure({2, 3}, blocks)), json)
        return
    wanted = _numbers(rows)
    found = _measure(wanted, blocks)
    numbered = zip(shand1990.table1(found), shand1990.ROWS, strict=True)
    _print([row for row, number in numbered if number in wanted], json)


def _measure(wanted: set[int], blocks: int) -> dict[int, Rate]:
    found = {}
    with console.steps() as steps:
        for row in rsa_story.available():
            if row.number in wanted:
                steps(f"row {row.number}: {row.driver}")
                found[row.number] = _rate(in_background(partial(rsa_story.hardware, row, blocks=blocks)))
        for number in rsa_story.SOFTWARE:
            if number in wanted:
                steps(f"row {number}: software")
                found[number] = _rate(rsa_story.software(number))
    return found


def _numbers(rows: str | None) -> set[int]:
    if rows is None:
        return set(shand1990.ROWS)
    try:
        chosen = {int(text) for text in rows.split(",")}
    except ValueError:
        raise usage(f"--rows wants numbers with commas between them, not {rows!r}") from None
    if not chosen <= set(shand1990.ROWS):
        raise usage(f"--rows: the table's rows are {shand1990.ROWS[0]} to {shand1990.ROWS[-1]}")
    return chosen


def _rate(measured: Measured) -> Rate:
    """Split modelled time into what the bus needs, what boards let it wait, and the host's instructions."""
    taken = measured.time
    if taken is None:
        return Rate(measured.baud, {})
    parts = {
        "bus": taken.bus_ps - taken.waited_ps,
        "waiting for boards": taken.waited_ps,
        "host": taken.host_ps,
    }
    return Rate(measured.baud, {name: part / taken.now_ps for name, part in parts.items()})


def number(value: float) -> str:
    """Return a number with as many digits as say something."""
    return f"{value:,.0f}" if value >= DIGITS or value == int(value) else f"{value:.1f}"


def _print(table: list[Compared], json: bool) -> None:
    if json:
        console.print_json({"rows": [asdict(row) for row in table]})
        return
    shown = plain_table("row", "printed", "measured", "ratio", "unit", "note", right=(1, 2, 3))
    for row in table:
        measured = "-" if row.measured is None else number(row.measured)
        ratio = "-" if row.measured is None else f"{row.measured / row.printed:.2f}"
        shown.add_row(row.label, number(row.printed), measured, ratio, row.unit, row.note)
    console.output().print(shown)
