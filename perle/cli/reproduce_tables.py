# SPDX-License-Identifier: Apache-2.0
"""The tables of `perle reproduce` that come from recorded measurements."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

import typer
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from perle.cli import rendering
from perle.cli.io import console, files
from perle.cli.io.errors import usage
from perle.cli.rsa import software
from perle.flow.tools import ToolError
from perle.measure import software as gmp
from perle.papers import load
from perle.report import headline, lineage, prices
from perle.report.costs import shown
from perle.report.line import COLUMNS, NUMBERS_FROM, Line
from perle.report.pages import FORMATS
from perle.report.papers import (
    carter2012,
    carter_figures,
    chow2010,
    chow_claim,
    chow_figure5,
    nedjah2002,
    peers,
    shand_area,
    tang2003,
)
from perle.report.papers.table import Figure, Measured, Page, missing
from perle.report.prices import Price, PricesError
from perle.results.view import View
from perle.tables import Table, once

PUBLIC_EXPONENT, KEY_BITS = 65537, 1024
HEADLINE_KEYS = (1024, 2048, 4096)
SECONDS = 0.5
ALL, PEERS, HEADLINE, LINEAGE = "all", "peers", "headline", "lineage"
TITLES = {
    ALL: "Five papers, printed and measured",
    PEERS: "Other open cores",
    HEADLINE: "All systems by the same figures",
    LINEAGE: "What each paper added, and what came after",
}

Software = Mapping[str, Figure]
Make = Callable[[Measured, Callable[[], Software]], Page]


@dataclass(frozen=True)
class Maker:
    """Description of a table, and the function that makes it from measurements and software rates."""

    what: str
    make: Make


def _stored(make: Callable[[Measured], Page]) -> Make:
    return lambda measured, _: make(measured)


TABLES = {
    "shand1990.area": Maker("whether the boards fit into Perle-0", _stored(shand_area.area)),
    "tang2003.cycles": Maker("cycles of products and exponentiations", _stored(tang2003.table_cycles)),
    "tang2003.resources": Maker("device, clock, RSA-1024", _stored(tang2003.table_resources)),
    "tang2003.comparison": Maker(
        "RSA-1024 on other hardware, and in software on this machine",
        lambda measured, timed: tang2003.table_comparison(measured, timed()),
    ),
    "nedjah2002.table11": Maker("area and clock, iterative or systolic", _stored(nedjah2002.table11)),
    "carter2012.table1": Maker("one processing element in 130 nm", _stored(carter2012.table1)),
    "carter2012.table2": Maker("a product of 256 bits in 130 nm", _stored(carter2012.table2)),
    "carter2012.table3": Maker("FPGA against silicon", _stored(carter2012.table3)),
    "carter2012.figure9": Maker(
        "energy · delay of a 256-bit product, by amount of hardware",
        _stored(partial(carter_figures.figure, number=9)),
    ),
    "carter2012.figure10": Maker(
        "area · delay of a 256-bit product, by amount of hardware",
        _stored(partial(carter_figures.figure, number=10)),
    ),
    "chow2010.table1": Maker(
        "a device full of multipliers, and software on this machine",
        lambda measured, timed: chow2010.table1(measured, timed()),
    ),
    "chow2010.table2": Maker("512-bit multipliers compared", _stored(chow2010.table2)),
    "chow2010.claim": Maker("Karatsuba against Tang at equal clock, and placed", _stored(chow_claim.page)),
    "chow2010.figure5": Maker("resources by width", _stored(chow_figure5.page)),
}

Tables = Mapping[str, Maker]


def private_rate(bits: int) -> tuple[str, float]:
    """Return the library, and its RSA private operations per second on one core of this machine."""
    key = generate_private_key(PUBLIC_EXPONENT, bits)
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    rates = software.rates(pem, SECONDS)
    return rates.library, rates.private


def timed_software() -> Software:
    """Measure the software in comparisons: OpenSSL on one core, GMP in one thread and on all cores."""
    library, private = private_rate(KEY_BITS)
    found = {"openssl": Figure(1000 / private, f"{library}, one core of this machine")}
    ways: Mapping[str, tuple[Callable[[int, float], float], str]] = {
        chow2010.ONE_THREAD: (gmp.single, "GMP, one thread of this machine"),
        chow2010.ALL_CORES: (gmp.rate, f"GMP, all {gmp.cores()} cores of this machine"),
    }
    for width in chow2010.CORES:
        for name, (measure, where) in ways.items():
            try:
                figure = Figure(measure(int(width), SECONDS) / 1e6, where)
            except ToolError as error:
                figure = missing(f"{error.tool}: {error.message}; {error.hint}")
            found[name.format(width)] = figure
    return found


def named(what: str, tables: Tables = TABLES) -> list[str]:
    """Return the names of one table, of a paper's tables, or of all; [] for an unknown name."""
    return [name for name in tables if what in {ALL, name, name.partition(".")[0]}]


def listing(tables: Tables = TABLES, *, json: bool = False) -> None:
    """List the tables."""
    known = {name: table.what for name, table in tables.items()} | {
        HEADLINE: "all systems: as printed, as rebuilt, Perle's own; and software on this machine",
        LINEAGE: "five papers on one time axis and one device: what each added, what surpassed it",
        PEERS: "256-bit multipliers: Perle's and other open cores",
        ALL: "all of these; the name of a paper selects its tables",
    }
    if json:
        console.print_json(known)
        return
    width = max(map(len, tables))
    for name, what in known.items():
        typer.echo(f"{name:{width}}  {what}")


def pages(what: str, tables: Tables = TABLES) -> list[Page]:
    """Make tables; software is measured at most once."""
    measured, known = Measured(View()), dict[str, Figure]()

    def timed() -> Software:
        if not known:
            with console.steps() as steps:
                steps.work("software on this machine")
                known.update(timed_software())
        return known

    return [tables[name].make(measured, timed) for name in named(what, tables)]


def stored(view: View) -> list[Page]:
    """Make all tables from records only, without the rates of software on this machine."""
    measured = Measured(view)
    return [table.make(measured, dict) for table in TABLES.values()]


def heading(what: str) -> str:
    """Return the title of a page; for a paper, the title of the paper."""
    if what in TITLES:
        return TITLES[what]
    paper = load(what.partition(".")[0])
    return f"{paper.title} ({', '.join(paper.authors)}, {paper.year})"


@dataclass(frozen=True)
class Beside:
    """Tables that belong to no paper: rows for JSON, tables, and remarks."""

    rows: list[dict[str, object]]
    tables: list[Table]
    remarks: tuple[str, ...] = ()


def _peers(*, narrow: bool) -> Beside:
    cores = peers.cores(Measured(View()))
    table = rendering.peers(cores, peers.remarks(), narrow=narrow)
    return Beside([asdict(one) for one in cores], [table], peers.remarks())


def _one(rows: list[dict[str, object]], table: Table) -> Beside:
    return Beside(rows, [table], tuple(table.remarks))


def _headline(told: Mapping[str, Price]) -> Beside:
    """Return all systems, a table per key size, compared with software that is measured now.

    `told` has power and price of devices, for the columns of energy and cost.
    """
    rates = {}
    with console.steps() as steps:
        for bits in HEADLINE_KEYS:
            steps.work(f"RSA-{bits} in software on this machine")
            library, rates[bits] = private_rate(bits)
    timed = headline.Software(library, software.processor(), rates)
    view = View()
    lines = prices.applied(timed.beside(headline.lines(view)), told)
    columns = (*COLUMNS, headline.TIMES, *(prices.COLUMNS if told else ()))
    right = range(NUMBERS_FROM, len(columns))
    tables = [
        Table(
            columns,
            [_cells(one, told) for one in found],
            f"{width} bits",
            right,
            remarks=[*filter(None, [headline.seeds_said(found)])],
        )
        for width, found in headline.by_width(lines).items()
    ]
    remarks = (*headline.REMARKS, *prices.remarks(told))
    tables[-1] = replace(tables[-1], remarks=[*tables[-1].remarks, *remarks])
    tables.append(carter_figures.elements_table(Measured(view)))
    return Beside([asdict(one) for one in lines], [once(table) for table in tables], remarks)


def _cells(line: Line, told: Mapping[str, Price]) -> list[str]:
    return [*line.cells(), shown(line.times_software), *(prices.cells(line) if told else ())]


def _lineage() -> Beside:
    view = View()
    return _one([asdict(one) for one in lineage.systems(view)], lineage.table(view))


Told = Mapping[str, Price]
BESIDE: Mapping[str, Callable[[Told, bool], Beside]] = {
    HEADLINE: lambda told, _: _headline(told),
    PEERS: lambda _, narrow: _peers(narrow=narrow),
    LINEAGE: lambda *_: _lineage(),
}
"""Functions of what is known of devices, and of whether a terminal shows the tables."""


def check_options(what: str, *, form: str, out: Path | None, json: bool, told: Path | None) -> None:
    """Refuse an unknown format, and options that have no effect together or for a table."""
    if form not in FORMATS:
        raise usage(f"--format is one of {', '.join(FORMATS)}, not {form!r}")
    if json and (form != FORMATS[0] or out is not None):
        raise usage("--json excludes --format and --out")
    if told is not None and what not in {HEADLINE, ALL}:
        raise usage(f"--prices needs the table {HEADLINE}")


def answer(
    what: str,
    *,
    form: str,
    out: Path | None,
    force: bool,
    json: bool,
    told: Path | None = None,
    tables: Tables = TABLES,
) -> None:
    """Print tables, or write them to a file; an existing one only with `force`.

    `told` is a file with power and price of devices, for the table of all systems.
    """
    if what not in BESIDE and not named(what, tables):
        raise usage(f"no such table: {what}; there are: {', '.join([*tables, *BESIDE, ALL])}")
    check_options(what, form=form, out=out, json=json, told=told)
    try:
        known = prices.read(told) if told else {}
    except PricesError as error:
        raise usage(str(error)) from error
    if out is not None:
        files.check(out, force=force)
    found = pages(what, tables)
    narrow = form == FORMATS[0]
    more = {name: make(known, narrow) for name, make in BESIDE.items() if what in {name, ALL}}
    if json:
        _print_json(what, found, more, single=what in tables)
        return
    shown = [table for page in found for table in rendering.tables(page, narrow=narrow)]
    rendering.write(
        heading(what),
        [*shown, *(table for one in more.values() for table in one.tables)],
        form,
        out,
        force=force,
    )


def _print_json(what: str, found: list[Page], more: Mapping[str, Beside], *, single: bool) -> None:
    beside = {name: {"rows": one.rows, "remarks": one.remarks} for name, one in more.items()}
    if what in beside:
        console.print_json(beside[what])
        return
    shown = [rendering.data(page) for page in found]
    console.print_json(shown[0] if single else {"tables": shown, **beside})
