# SPDX-License-Identifier: Apache-2.0
"""`perle reproduce`: the numbers printed in a paper, and those measured here."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from perle.cli import apps, reproduce_tables
from perle.cli.arith import Force, Json
from perle.cli.boards import in_background
from perle.cli.io import console
from perle.cli.io.errors import file, usage
from perle.host.pam.spec import TIMING
from perle.host.pam.system import PS_PER_NS, Timing
from perle.measure.pam import interface_counts, rsa_scenario
from perle.measure.pam.bignum_scenario import LONG, raw_speedup
from perle.measure.pam.rsa_scenario import Measured
from perle.report.pages import FORMATS
from perle.report.papers import shand1990, shand_factors
from perle.report.papers.shand1990 import Gain, Rate
from perle.report.papers.table import Compared, Conclusion, Page

TABLE1, SECTION2, FACTORS = "shand1990.table1", "shand1990.section2", "shand1990.factors"
NUMBERED = {TABLE1, TABLE1.partition(".")[0], reproduce_tables.ALL}
"""Tables, and sets of tables, with rows that can be selected by number."""
TABLES = {
    TABLE1: "RSA rates of every system, from software to modular product units",
    SECTION2: "bits of product per second, and speed-ups of the bus multiplier",
    FACTORS: "counts and factors in the paper's text: accesses, cycles, speed-ups, download",
}


def reproduce(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="PAPER.TABLE", help="A table, a paper, or another name of the list.", show_default=False
        ),
    ] = None,
    rows: Annotated[
        str | None, typer.Option(metavar="LIST", help="Only these rows, such as 6,9,13.", show_default=False)
    ] = None,
    blocks: Annotated[
        int, typer.Option(help="With shand1990: number of messages per simulated run.", min=1)
    ] = rsa_scenario.BLOCKS,
    form: Annotated[
        str, typer.Option("--format", metavar="F", help=f"One of {', '.join(FORMATS)}.")
    ] = FORMATS[0],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", parser=file, help="Output file. Default: standard output.", show_default=False
        ),
    ] = None,
    prices: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            parser=file,
            help="With headline: power and price of devices, for the energy and price of RSA.",
            show_default=False,
        ),
    ] = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Print a paper's table with two numbers in every row: the printed one and the measured one.

    The ratio is measured by printed. Of a conclusion, "the same" means: equal counts, or the same order or
    ratio within 20 % (docs/metrics.md).

    Areas, clocks and energies are recorded by perle measure; for a missing one the row names the command that
    measures it. The rates of shand1990 are simulated now: boards at the clock of the row, on a bus of the
    paper's speed; rows about software use the same model of the host. Without an argument, lists the tables.
    """
    if rows is not None and what not in NUMBERED:
        raise usage("--rows needs a table with numbered rows")
    wanted = _numbers(rows)
    if json and what in TABLES:
        reproduce_tables.check_options(what, form=form, out=out, json=json, told=prices)
        page = _page(what, wanted, blocks)
        console.print_json(
            {name: [asdict(one) for one in getattr(page, name)] for name in ("rows", "conclusions")}
        )
        return
    known = {
        name: reproduce_tables.Maker(text, partial(_page, name, wanted, blocks))
        for name, text in TABLES.items()
    }
    known |= reproduce_tables.TABLES
    if what is None:
        reproduce_tables.listing(known, json=json)
    else:
        reproduce_tables.answer(what, form=form, out=out, force=force, json=json, told=prices, tables=known)


def _page(name: str, wanted: set[int], blocks: int, *_: object) -> Page:
    rows, conclusions = _rows(name, wanted, blocks)
    return Page(name, TABLES[name], tuple(rows), tuple(conclusions))


def _rows(name: str, wanted: set[int], blocks: int) -> tuple[list[Compared], list[Conclusion]]:
    if name == SECTION2:
        rates = _measure({2, 3}, blocks)
        raw = Gain(in_background(partial(raw_speedup, LONG)), f"{LONG} × {LONG} bits")
        return shand1990.section2(rsa_scenario.product_rate(), raw, rates, apps.gains()), []
    if name == FACTORS:
        counts = {claim: float(count()) for claim, count in interface_counts.COUNTS.items()}
        rates = _measure({shand_factors.BEST, *shand_factors.GAINS.values()}, blocks)
        return shand_factors.factors(counts, rates), []
    found = _measure(wanted, blocks)
    numbered = zip(shand1990.table1(found), shand1990.ROWS, strict=True)
    rows = [row for row, number in numbered if number in wanted]
    return rows, shand1990.software_conclusions(found)


def _measure(wanted: set[int], blocks: int) -> dict[int, Rate]:
    found = {}
    with console.steps() as steps:
        for row in rsa_scenario.available():
            if row.number in wanted:
                steps(f"row {row.number}: {row.driver}")
                found[row.number] = _rate(in_background(partial(rsa_scenario.hardware, row, blocks=blocks)))
        for number in rsa_scenario.SOFTWARE:
            if number in wanted:
                steps(f"row {number}: software")
                found[number] = _rate(rsa_scenario.software(number))
    return found


def _numbers(rows: str | None) -> set[int]:
    if rows is None:
        return set(shand1990.ROWS)
    try:
        chosen = {int(text) for text in rows.split(",")}
    except ValueError:
        raise usage(f"--rows needs numbers separated by commas, not {rows!r}") from None
    if not chosen <= set(shand1990.ROWS):
        raise usage(f"--rows: the table has rows {shand1990.ROWS[0]} to {shand1990.ROWS[-1]}")
    return chosen


def _rate(measured: Measured) -> Rate:
    """Split modelled time into bus transfers, waiting for boards, and instructions of the host."""
    if measured.program is not None:
        made = measured.program
        return Rate(
            measured.baud,
            {},
            bits=made.key_bits,
            products=made.products,
            instructions=made.instructions,
            instruction_ns=made.instruction_ps / PS_PER_NS,
        )
    taken, work = measured.time, measured.work
    if taken is None or work is None:
        return Rate(measured.baud, {})
    parts = {
        shand1990.BUS: taken.bus_ps - taken.waited_ps,
        shand1990.BOARDS: taken.waited_ps,
        shand1990.HOST: taken.host_ps,
    }
    accesses, timing = taken.reads + taken.writes, Timing.preset(TIMING)
    return Rate(
        measured.baud,
        {name: part / taken.now_ps for name, part in parts.items()},
        bits=measured.key_bits,
        clock_ns=work.clock_ns,
        busy=work.busy,
        products=work.products,
        cycles=work.cycles,
        resolve=work.resolve,
        accesses=accesses / measured.blocks,
        access_ns=(taken.bus_ps - taken.waited_ps) / accesses / PS_PER_NS,
        instructions=taken.host_ps / timing.instruction_ps / accesses,
        instruction_ns=timing.instruction_ps / PS_PER_NS,
    )
