# SPDX-License-Identifier: Apache-2.0
"""`perle results`: check, update and export recorded measurements."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Annotated

import typer
from msgspec import to_builtins

from perle.cli.arith import Force, Json
from perle.cli.boards import in_background
from perle.cli.io import console, files
from perle.cli.io.errors import Code, Fault, file_name, usage
from perle.flow.places import extra
from perle.measure.current import measurements, proofs
from perle.measure.runner import brought_up_to_date
from perle.results import Store, flat
from perle.tables import Table

app = typer.Typer(no_args_is_help=True, help="Check, update and export recorded measurements.")


@app.command()
def check(json: Json = False) -> None:
    """Show which measurements and proofs are valid for the current sources, and why others are stale.

    A result depends on the hardware sources (not on comments and layout), on parameters, on settings of the
    target and on the version of the flow; a proof also on models and testbenches. Runs no tool. Exit code 1
    if a result is stale.
    """
    found = [*measurements(Store().load()), *proofs()]
    stale = [one for one in found if one.why]
    if json:
        console.print_json({"stale": len(stale), "results": to_builtins(found)})
    else:
        if stale:
            table = Table(("stale", "why", "command"))
            for one in stale:
                table.add(one.what, "; ".join(one.why), one.command)
            console.output().print(table)
        for unseen in dict.fromkeys(one.unseen for one in found if one.unseen):
            count = sum(one.unseen == unseen for one in found)
            console.output().print(f"{count} results without comparison of settings: {unseen}")
        renamed = sum(one.renamed for one in found)
        names = f", {renamed} of them measured under other names" if renamed else ""
        console.output().print(f"{len(found) - len(stale)} of {len(found)} recorded results are valid{names}")
        if stale:
            console.output().print(
                "perle results stamp keeps measurements whose synthesised netlist is the same circuit"
            )
    if stale:
        raise typer.Exit(Code.WRONG)


@app.command()
def stamp(json: Json = False) -> None:
    """Keep stale measurements whose circuit has not changed, without place and route.

    Cores with moved or changed sources are synthesised again. If the result is the same circuit, the
    measurement is kept, with a mark if cells and nets had other names. Exit code 1 if a core has to be
    measured again.
    """
    store = Store()
    again = []
    with console.steps() as steps:
        for one in store.load():
            steps(f"{one.core} ({one.part}) on {one.target}, seed {one.seed}")
            fresh = in_background(partial(brought_up_to_date, store, one))
            if fresh is None:
                again.append(one)
            elif fresh != one:
                store.put(fresh)
    if json:
        console.print_json({"again": to_builtins(again)})
    else:
        for one in again:
            console.output().print(f"measure again: {one.core} ({one.part}) on {one.target}, seed {one.seed}")
    if again:
        raise typer.Exit(Code.WRONG)


PARQUET = extra("parquet")


@app.command()
def export(
    out: Annotated[
        str,
        typer.Option(
            "--out", "-o", metavar="FILE", parser=file_name, help="Output file; - is standard output."
        ),
    ] = files.STREAM,
    parquet: Annotated[
        bool, typer.Option("--parquet/--csv", help="Output format; Parquet needs the package pyarrow.")
    ] = False,
    force: Force = False,
) -> None:
    """Write all recorded measurements as one flat table with a row per run.

    Columns: core, part, target, device, seed, date, tools; whether the run is current, or why it is stale;
    why its settings were not compared, if a library is missing; every parameter (param.NAME); every metric,
    with the unit in its name. Failed runs have the error. Runs no tool.
    """
    if Path(out).suffix == ".parquet" and not parquet:
        raise usage(f"{out}: CSV is the default format; add --parquet")
    found = Store().load()
    verdicts = zip(found, measurements(found), strict=True)
    table = flat.rows((one, verdict.why, verdict.unseen) for one, verdict in verdicts)
    data = _parquet(table) if parquet else flat.as_csv(table).encode()
    with files.writing(out, force=force) as write:
        write(data)


def _parquet(table: list[dict[str, flat.Cell]]) -> bytes:
    try:
        arrow, form = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise Fault(Code.TOOL, f"Parquet needs the package pyarrow: {PARQUET}; CSV does not") from None
    whole = BytesIO()
    form.write_table(arrow.Table.from_pylist(table), whole)
    return whole.getvalue()
