# SPDX-License-Identifier: Apache-2.0
"""`perle bench`: speed of simulated boards on this machine, and rates of an engine at its bus."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from perle.boards.benchmark import SimBench, bench_sim
from perle.cli import bench_explore, bench_farm, bench_link
from perle.cli.arith import Json
from perle.cli.boards import CORE, alone, config_of, lanes_of
from perle.cli.io import console
from perle.cli.io.errors import usage
from perle.generate.rate import GAPS, WORKS, least_lanes, measure
from perle.generate.rate import table as rate_table
from perle.report.quantities import quantity, seconds
from perle.tables import Table

app = typer.Typer(
    no_args_is_help=True,
    help="Measure simulated boards, links to hardware boards, an engine at its bus, farms and sweeps.",
)
app.command()(bench_link.link)
app.command()(bench_farm.farm)
app.command()(bench_explore.explore)

DEFAULT = ["orup:w512", "orup:w1024"]


@app.command()
def sim(
    configs: Annotated[
        list[str] | None, typer.Argument(metavar="[CONFIG]…", help=f"{CORE}. Default: {' '.join(DEFAULT)}.")
    ] = None,
    word_bits: Annotated[int, typer.Option(help="Data bus: 32 or 64 bits.")] = 64,
    json: Json = False,
) -> None:
    """Measure bus accesses and clock cycles per second, and the resulting time of an RSA operation.

    The RSA key is twice as wide as the board: two exponentiations in constant time, one after the other.
    """
    if word_bits not in (32, 64):
        raise typer.BadParameter("a data bus has 32 or 64 bits", param_hint="--word-bits")
    chosen = [alone(name) for name in configs or DEFAULT]
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


ENGINE = "stream:w512,lanes=16"


@app.command()
def bus(
    core: Annotated[
        str,
        typer.Argument(
            metavar="[FAMILY:CONFIG,lanes=T]", help="A core with an engine, and the number of lanes."
        ),
    ] = ENGINE,
    gap: Annotated[
        list[int] | None,
        typer.Option(
            help="Cycles that each access costs the host beyond the bus; repeatable. Default: 0, 20, 100."
        ),
    ] = None,
    work: Annotated[
        list[str] | None, typer.Option(help=f"Operations: {', '.join(WORKS)}; repeatable. Default: all.")
    ] = None,
    json: Json = False,
) -> None:
    """Count cycles between operations at a 64-bit bus: over AXI4-Stream, and by register accesses.

    The hardware is simulated and its results are checked; rates assume a clock of 100 MHz.
    """
    config, lanes = config_of(core), lanes_of(core)
    if unknown := [name for name in work or [] if name not in WORKS]:
        raise typer.BadParameter(f"{unknown[0]!r}: {', '.join(WORKS)}", param_hint="--work")
    if any(one < 0 for one in gap or []):
        raise typer.BadParameter("cycles are 0 or more", param_hint="--gap")
    if lanes == 1 or config.family.engine is None:
        raise usage(f"{core}: needs a core with an engine, and its lanes, such as {ENGINE}")
    if lanes < (least := least_lanes(config, lanes)):
        raise usage(f"{core}: {lanes} lanes are too few for this engine; it needs {least}")
    with console.steps() as steps:
        rates = measure(config, lanes, gap or list(GAPS), work or list(WORKS), steps)
    if json:
        console.print_json([asdict(rate) for rate in rates])
        return
    console.output().print(rate_table(rates))


def facts(one: SimBench) -> dict[str, Any]:
    """Return a measurement as it is printed with --json."""
    width = config_of(one.config).width
    power = one.exp_seconds
    return {**asdict(one), "exp_seconds": power, "rsa_bits": 2 * width, "rsa_seconds": 2 * power}
