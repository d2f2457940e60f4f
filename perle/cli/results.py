# SPDX-License-Identifier: Apache-2.0
"""`perle results`: what is recorded, and whether it still holds."""

from __future__ import annotations

from dataclasses import asdict

import typer

from perle.cli import console
from perle.cli.arith import Json
from perle.cli.errors import Code
from perle.measure.current import measurements, proofs
from perle.report.tables import plain_table
from perle.results import Store

app = typer.Typer(no_args_is_help=True, help="Recorded measurements and proofs.")


@app.callback()
def _results() -> None:
    """Keep `check` a command of its own."""


@app.command()
def check(json: Json = False) -> None:
    """Tell which measurements and proofs hold for today's sources, and why the others do not.

    A result depends on the tokens of the hardware that went in, on parameters, settings of the target and the
    version of the flow, a proof on models and test benches too; not on comments or layout. Runs no tool. Exit
    code 1 where something is stale.
    """
    found = [*measurements(Store()), *proofs()]
    stale = [one for one in found if one.why]
    if json:
        console.print_json({"stale": len(stale), "results": [asdict(one) for one in found]})
    else:
        if stale:
            table = plain_table("stale", "why", "again")
            for one in stale:
                table.add_row(one.what, "; ".join(one.why), one.command)
            console.output().print(table)
        for unseen in dict.fromkeys(one.unseen for one in found if one.unseen):
            count = sum(one.unseen == unseen for one in found)
            console.output().print(f"settings of {count} not compared: {unseen}")
        console.output().print(f"{len(found) - len(stale)} of {len(found)} recorded results hold")
    if stale:
        raise typer.Exit(Code.WRONG)
