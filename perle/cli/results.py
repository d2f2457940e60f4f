# SPDX-License-Identifier: Apache-2.0
"""`perle results`: what is recorded, and whether it still holds."""

from __future__ import annotations

from functools import partial

import typer
from msgspec import to_builtins

from perle.cli.arith import Json
from perle.cli.boards import in_background
from perle.cli.io import console
from perle.cli.io.errors import Code
from perle.measure.current import measurements, proofs
from perle.measure.runner import brought_up_to_date
from perle.results import Store
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
