# SPDX-License-Identifier: Apache-2.0
"""`perle report`: a static site of all recorded measurements."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import perle
from perle.cli import rendering, reproduce, reproduce_tables
from perle.cli.arith import Force
from perle.cli.io import console
from perle.cli.io.errors import Code, Fault, folder
from perle.flow.cache import content_hash
from perle.flow.places import extra
from perle.generate import output
from perle.results import Store
from perle.results.view import View

FOLDER = Path("perle-report")
NEEDED = extra("report")


def report(
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR",
            parser=folder,
            help="Output directory; index.html is the first page.",
        ),
    ] = FOLDER,
    force: Force = False,
) -> None:
    """Write a static site of all recorded measurements, which a browser can open without a server or network.

    Pages: overview, Pareto explorer, each family, each paper, RSA by key size, and the origin of each figure.
    Reads records and runs no tool. With --force, files that were generated in DIR before are replaced.
    """
    try:
        from perle.report.site import build, paper_page  # noqa: PLC0415 - packages of the extra `report`
    except ModuleNotFoundError as error:
        raise Fault(Code.TOOL, f"the site needs the package {error.name}: {NEEDED}") from None
    output.check_free(out, force=force)
    with console.steps() as steps:
        store = Store()
        steps.work("reading the records")
        shown = [
            paper_page.Shown(page, rendering.tables(page)) for page in reproduce_tables.stored(View(store))
        ]
        try:
            files = build.build(store, shown, reproduce.TABLES)
        except build.PlotlyMissingError as error:
            raise Fault(Code.TOOL, f"{error}: {NEEDED}") from None
        listing = output.manifest(files, f"perle report, Perle {perle.__version__}", content_hash([], files))
        output.write({**files, output.MANIFEST: listing}, out, force=force)
    console.output().print(f"{out / 'index.html'}: {len(files)} files", markup=False, soft_wrap=True)
