# SPDX-License-Identifier: Apache-2.0
"""The tables of `perle reproduce` that are made of stored measurements."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import typer
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from perle.cli import console, sheets, software
from perle.cli.errors import usage
from perle.flow.tools import ToolError
from perle.measure import software as gmp
from perle.papers import load
from perle.report.pages import FORMATS
from perle.reproduce import carter2012, chow2010, nedjah2002, peers, tang2003
from perle.reproduce.table import Figure, Measured, Page, missing
from perle.results.view import View

PUBLIC_EXPONENT, KEY_BITS = 65537, 1024
SECONDS = 0.5
ALL, PEERS = "all", "peers"
TITLES = {ALL: "Five papers, printed and measured", PEERS: "Other open cores"}

Software = Mapping[str, Figure]
Make = Callable[[Measured, Callable[[], Software]], Page]


@dataclass(frozen=True)
class Table:
    """A table: what it is, and what makes it of measurements, and of software for those that call for it."""

    what: str
    make: Make


def _stored(make: Callable[[Measured], Page]) -> Make:
    return lambda measured, _: make(measured)


TABLES = {
    "tang2003.cycles": Table("cycles of products and exponentiations", _stored(tang2003.table_cycles)),
    "tang2003.resources": Table("device, clock, RSA-1024", _stored(tang2003.table_resources)),
    "tang2003.comparison": Table(
        "RSA-1024 on other hardware, and in software on this machine",
        lambda measured, timed: tang2003.table_comparison(measured, timed()),
    ),
    "nedjah2002.table11": Table("area and clock, iterative or systolic", _stored(nedjah2002.table11)),
    "carter2012.table1": Table("one processing element in 130 nm", _stored(carter2012.table1)),
    "carter2012.table2": Table("a product of 256 bits in 130 nm", _stored(carter2012.table2)),
    "carter2012.table3": Table("FPGA against silicon", _stored(carter2012.table3)),
    "chow2010.table1": Table(
        "a device full of multipliers, and software on this machine",
        lambda measured, timed: chow2010.table1(measured, timed()),
    ),
    "chow2010.table2": Table("512-bit multipliers compared", _stored(chow2010.table2)),
}

Tables = Mapping[str, Table]


def timed_software() -> Software:
    """Measure what tables set beside hardware: OpenSSL on one core, GMP on all cores of this machine."""
    key = generate_private_key(PUBLIC_EXPONENT, KEY_BITS)
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    rates = software.rates(pem, SECONDS)
    found = {"openssl": Figure(1000 / rates.private, f"{rates.library}, one core of this machine")}
    where = f"GMP, all {gmp.cores()} cores of this machine"
    for width in chow2010.CORES:
        name = f"gmp_{width}"
        try:
            found[name] = Figure(gmp.rate(int(width), SECONDS) / 1e6, where)
        except ToolError as error:
            found[name] = missing(f"{error.tool}: {error.message}; {error.hint}")
    return found


def named(what: str, tables: Tables = TABLES) -> list[str]:
    """Return the names of a table, of a paper's tables or of all of them; none where nothing has the name."""
    return [name for name in tables if what in {ALL, name, name.partition(".")[0]}]


def listing(tables: Tables = TABLES) -> None:
    """Print what tables there are."""
    width = max(map(len, tables))
    for name, table in tables.items():
        typer.echo(f"{name:{width}}  {table.what}")
    typer.echo(f"{PEERS:{width}}  our multipliers of 256 bits beside other open cores")
    typer.echo(f"{ALL:{width}}  all of these; the name of a paper: its tables")


def pages(what: str, tables: Tables = TABLES) -> list[Page]:
    """Make tables; software is measured once if at all."""
    measured, known = Measured(View()), dict[str, Figure]()

    def timed() -> Software:
        if not known:
            with console.steps() as steps:
                steps.work("software on this machine")
                known.update(timed_software())
        return known

    return [tables[name].make(measured, timed) for name in named(what, tables)]


def heading(what: str) -> str:
    """Return the title of a page: that of the paper, where it is about one."""
    if what in TITLES:
        return TITLES[what]
    paper = load(what.partition(".")[0])
    return f"{paper.title} ({', '.join(paper.authors)}, {paper.year})"


def answer(what: str, *, form: str, out: Path | None, json: bool, tables: Tables = TABLES) -> None:
    """Print tables, or write them to a file."""
    if form not in FORMATS:
        raise usage(f"--format is one of {', '.join(FORMATS)}, not {form!r}")
    if json and (form != FORMATS[0] or out is not None):
        raise usage("--json goes without --format and --out")
    if what != PEERS and not named(what, tables):
        raise usage(f"no such table: {what}; there are: {', '.join([*tables, PEERS, ALL])}")
    found = pages(what, tables)
    cores = peers.cores(Measured(View())) if what in {PEERS, ALL} else []
    if json:
        _print_json(what, found, cores, single=what in tables)
        return
    shown = [grid for page in found for grid in sheets.grids(page)]
    if cores:
        shown.append(sheets.peer_grid(cores, peers.remarks()))
    sheets.write(heading(what), shown, form, out)


def _print_json(what: str, found: list[Page], cores: list[peers.Core], *, single: bool) -> None:
    beside = {"rows": [asdict(one) for one in cores], "remarks": peers.remarks()}
    if what == PEERS:
        console.print_json(beside)
        return
    shown = [sheets.data(page) for page in found]
    more = {"peers": beside} if cores else {}
    console.print_json(shown[0] if single else {"tables": shown, **more})
