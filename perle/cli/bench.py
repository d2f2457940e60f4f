# SPDX-License-Identifier: Apache-2.0
"""`perle bench`: how fast the simulated boards are on this machine."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from perle.boards.benchmark import SimBench, bench_sim
from perle.cli.arith import Json
from perle.cli.boards import CORE, config_of
from perle.cli.io import console
from perle.report.quantities import quantity, seconds
from perle.tables import Table

app = typer.Typer(no_args_is_help=True, help="Speed of the simulated boards on this machine.")

DEFAULT = ["orup:w512", "orup:w1024"]


@app.callback()
def _bench() -> None:
    """Keep `sim` a command of its own."""


@app.command()
def sim(
    configs: Annotated[
        list[str] | None, typer.Argument(metavar="[CONFIG]…", help=f"{CORE}. Default: {' '.join(DEFAULT)}.")
    ] = None,
    word_bits: Annotated[int, typer.Option(help="Data bus: 32 or 64 bits.")] = 64,
    json: Json = False,
) -> None:
    """Measure bus accesses and clock cycles per second, and what they make of an RSA operation.

    RSA takes a key of twice the board's width: two powers in constant time, on one core one after the other.
    """
    if word_bits not in (32, 64):
        raise typer.BadParameter("a data bus has 32 or 64 bits", param_hint="--word-bits")
    chosen = [config_of(name) for name in configs or DEFAULT]
    measured = []
    with console.steps() as steps:
        for config in chosen:
            steps(f"measuring {config.spec}")
            measured.append(bench_sim(config, word_bits=word_bits, progress=steps))
    rows = [facts(one) for one in measured]
    if json:
        console.print_json(rows)
        return
    table = Table(
        (
            *("board", "accesses/s, C", "accesses/s, Python", "cycles/s, idle", "cycles/s, busy"),
            *("cycles of a power", "wall time", "RSA, one core"),
        ),
        right=range(1, 8),
    )
    for row in rows:
        counts = (
            row[key] for key in ("accesses_c", "accesses_python", "idle_cycles", "busy_cycles", "exp_cycles")
        )
        rsa = f"RSA-{row['rsa_bits']} {seconds(row['rsa_seconds'])}"
        table.add(row["config"], *map(quantity, counts), seconds(row["exp_seconds"]), rsa)
    console.output().print(table)


def facts(one: SimBench) -> dict[str, Any]:
    """Return a measurement as JSON has it."""
    width = config_of(one.config).width
    power = one.exp_seconds
    return {**asdict(one), "exp_seconds": power, "rsa_bits": 2 * width, "rsa_seconds": 2 * power}
