# SPDX-License-Identifier: Apache-2.0
"""`perle gen`: hardware for people without Perle."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from perle.cli.arith import Json
from perle.cli.io import console
from perle.cores import registry
from perle.generate.generate import generate


class Wrapping(StrEnum):
    """What the hardware is wrapped in."""

    axil = "axil"
    none = "none"


def gen(
    core: Annotated[
        str, typer.Argument(metavar="FAMILY:CONFIG", help="E.g. orup:w1024.", show_default=False)
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Where to.", show_default=False)],
    bus: Annotated[
        Wrapping, typer.Option(help="axil: the whole board behind AXI4-Lite; none: the bare multiplier.")
    ] = Wrapping.axil,
    word_bits: Annotated[
        int | None, typer.Option(help="Data bus of the board: 32 or 64 bits (64).", show_default=False)
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace what was generated in DIR before.")] = False,
    json: Json = False,
) -> None:
    """Write a self-contained IP directory: SystemVerilog, testbench, FuseSoC and Bender files, README."""
    if word_bits not in (None, 32, 64):
        raise typer.BadParameter("a data bus has 32 or 64 bits", param_hint="--word-bits")
    if word_bits is not None and bus is Wrapping.none:
        raise typer.BadParameter("the bare multiplier has no data bus", param_hint="--word-bits")
    config = registry.resolve(core)
    with console.steps(quiet=True) as steps:
        steps(f"generating {core}")
        made = generate(
            config,
            out,
            bus="axil" if bus is Wrapping.axil else "none",
            word_bits=word_bits or 64,
            force=force,
        )
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
    console.note(f"{made.top}, {len(made.files)} files; its testbench: make -C {made.folder} sim")
