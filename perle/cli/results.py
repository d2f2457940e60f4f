# SPDX-License-Identifier: Apache-2.0
"""`perle results`: what is recorded, and whether it still holds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from io import BytesIO
from typing import Annotated

import typer
from msgspec import to_builtins

from perle.cli.arith import Force, Json
from perle.cli.boards import in_background
from perle.cli.io import console, files
from perle.cli.io.errors import Code, Fault
from perle.measure.current import Verdict, measurements, proofs
from perle.measure.runner import brought_up_to_date
from perle.results import Store, flat
from perle.tables import Table

app = typer.Typer(no_args_is_help=True, help="Recorded measurements and proofs.")


@app.command()
def check(json: Json = False) -> None:
    """Tell which measurements and proofs hold for today's sources, and why the others do not.

    A result depends on the tokens of the hardware that went in, on parameters, settings of the target and the
    version of the flow, a proof on models and testbenches too; not on comments or layout. Runs no tool. Exit
    code 1 where something is stale.
    """
    found = [*measurements(Store()), *proofs()]
    stale = [one for one in found if one.why]
    if json:
        console.print_json({"stale": len(stale), "results": to_builtins(found)})
    else:
        if stale:
            table = Table(("stale", "why", "again"))
            for one in stale:
                table.add(one.what, "; ".join(one.why), one.command)
            console.output().print(table)
        for unseen in dict.fromkeys(one.unseen for one in found if one.unseen):
            count = sum(one.unseen == unseen for one in found)
            console.output().print(f"settings of {count} not compared: {unseen}")
        renamed = sum(one.renamed for one in found)
        names = f", {renamed} of them measured under other names" if renamed else ""
        console.output().print(f"{len(found) - len(stale)} of {len(found)} recorded results hold{names}")
        if stale:
            console.output().print("perle results stamp: keeps those whose netlist is the same circuit")
    if stale:
        raise typer.Exit(Code.WRONG)


@app.command()
def stamp(json: Json = False) -> None:
    """Bring records of what did not change in substance up to date, without placing and routing anything.

    Sources whose files moved or whose text changed are synthesised again; where the same circuit comes out
    the measurement stays, marked if its cells and nets had other names. Exit code 1 where something has to
    be measured again.
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


PARQUET = "pip install 'perle[parquet]'"


@app.command()
def export(
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="Where to; - is standard output.")
    ] = files.STREAM,
    parquet: Annotated[
        bool, typer.Option("--parquet/--csv", help="The format; Parquet needs the package pyarrow.")
    ] = False,
    force: Force = False,
) -> None:
    """Write all recorded measurements as one flat table, a row a run.

    Columns: core, part, target, device, seed, date, tools; whether the run is current, or why it is stale;
    every parameter (param.NAME) and every metric, whose unit is in its name. What failed is there, with its
    error. Runs no tool.
    """
    store = Store()
    verdicts = measurements(store)
    table = flat.rows((one, _why(verdict)) for one, verdict in zip(store.load(), verdicts, strict=True))
    data = _parquet(table) if parquet else flat.as_csv(table).encode()
    with files.writing(out, force=force) as write:
        write(data)


def _why(verdict: Verdict) -> Sequence[str]:
    if verdict.unseen and not verdict.why:
        return [f"{flat.CURRENT}, but settings not compared: {verdict.unseen}"]
    return verdict.why


def _parquet(table: list[dict[str, flat.Cell]]) -> bytes:
    try:
        arrow, form = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise Fault(Code.TOOL, f"Parquet needs the package pyarrow: {PARQUET}; CSV does not") from None
    whole = BytesIO()
    form.write_table(arrow.Table.from_pylist(table), whole)
    return whole.getvalue()
