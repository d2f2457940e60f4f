# SPDX-License-Identifier: Apache-2.0
"""`perle gen`: an IP directory that can be used without Perle."""

from __future__ import annotations

import shlex
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from perle.boards.wrapper import MAX_LANES
from perle.cli.arith import Json
from perle.cli.boards import config_of, lanes_of
from perle.cli.io import console
from perle.cli.io.errors import folder, usage
from perle.generate.generate import generate
from perle.generate.ip import IllegalIpError, Ip


class Wrapping(StrEnum):
    """The bus around the core."""

    axil = "axil"
    apb = "apb"
    wishbone = "wishbone"
    axis = "axis"
    exp = "exp"
    none = "none"


BUS_HELP = """axil, apb, wishbone: a board with registers behind that bus; axis: operands and results as
records over two AXI4-Streams; exp: the exponentiator with its word port; none: the bare multiplier."""


def gen(
    core: Annotated[
        str,
        typer.Argument(
            metavar="FAMILY:CONFIG",
            help="For example orup:w1024 or stream:w512,lanes=40; with other parameters (perle show) "
            "orup:w300+RadixBits=16.",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", metavar="DIR", parser=folder, help="Output directory.", show_default=False
        ),
    ],
    bus: Annotated[Wrapping, typer.Option(help=BUS_HELP)] = Wrapping.axil,
    word_bits: Annotated[
        int | None,
        typer.Option(
            help="Data bus: 32 or 64 bits; a master of 32 bits needs 32. Default: 64; for APB 32.",
            show_default=False,
        ),
    ] = None,
    lanes: Annotated[
        int | None,
        typer.Option(
            help="Boards on one bus that share a multiplier, or lanes of the family's engine. Default: 1.",
            min=1,
            max=MAX_LANES,
            show_default=False,
        ),
    ] = None,
    prefix: Annotated[
        str,
        typer.Option(help="Prefix of all module and package names, to use several cores in one design."),
    ] = "",
    force: Annotated[
        bool, typer.Option("--force", help="Replace files that were generated in DIR before.")
    ] = False,
    json: Json = False,
) -> None:
    """Write a self-contained IP directory: SystemVerilog, Verilog, testbench, packaging, README."""
    if word_bits not in (None, 32, 64):
        raise typer.BadParameter("a data bus has 32 or 64 bits", param_hint="--word-bits")
    if word_bits is not None and bus is Wrapping.none:
        raise typer.BadParameter("the bare multiplier has no data bus", param_hint="--word-bits")
    named = lanes_of(core)
    if lanes is not None and named not in (1, lanes):
        raise usage(f"--lanes {lanes}, but {core!r} has lanes={named}")
    try:
        bits = word_bits or (32 if bus is Wrapping.apb else 64)
        ip = Ip(config_of(core), bus.value, bits, lanes or named, prefix)
    except IllegalIpError as error:
        raise usage(str(error)) from error
    with console.steps(quiet=True) as steps:
        steps(f"generating {core}")
        made = generate(ip, out, force=force)
    if json:
        facts = {
            "path": str(made.folder.resolve()),
            "top": made.top,
            "files": list(made.files),
            "sources": made.source_hash,
        }
        console.print_json(facts)
        return
    typer.echo(made.folder)
    console.note(
        f"{made.top}, {len(made.files)} files; its testbench: make -C {shlex.quote(str(made.folder))} sim"
    )
