# SPDX-License-Identifier: Apache-2.0
"""`perle preload`: run an unmodified program on boards."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from perle.boards.memory import build_memory
from perle.cli import boards
from perle.cli.apps import CLOCKS_NS
from perle.cli.io import console
from perle.cli.io.errors import bad_input, file
from perle.cli.io.process import passed_on
from perle.cores.registry import resolve_memory
from perle.host import Boards, resolve_spec
from perle.host.pam.spec import TIMING
from perle.host.pam.system import PS_PER_NS, System
from perle.host.preload import LEAST_BITS, PREFIX, Process, Products, environment, preload_path, reports
from perle.tables import Table

BITS = 2048
BY_SIGNAL = 128


def preload(
    program: Annotated[
        list[str],
        typer.Argument(
            metavar="PROGRAM [ARGUMENT …]", help="Program to run, with its arguments.", show_default=False
        ),
    ],
    board: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help=f"{boards.SPEC_HELP} Default: a board of {BITS} bits; none: no exponentiations.",
            show_default=False,
        ),
    ] = None,
    products: Annotated[
        str | None,
        typer.Option(
            metavar="MEMORY",
            help="Active memory for long products of GMP, such as bus_mul[none]:[/none]fixed512.",
            show_default=False,
        ),
    ] = None,
    least_bits: Annotated[
        int, typer.Option(metavar="N", help="Least bits of a modulus or factor that goes to a board.", min=3)
    ] = LEAST_BITS,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            parser=file,
            help="Append the call counts to this file as JSON lines, instead of printing them.",
        ),
    ] = None,
) -> None:
    """Run a program with the modular exponentiations of OpenSSL's libcrypto and GMP on boards.

    The program is not changed: LD_PRELOAD replaces BN_mod_exp… and mpz_powm…, and with --products mpn_mul….
    Software does what no board can take, and repeats what a board did wrong. Afterwards the call counts are
    printed. The exit code is the program's.
    """
    if shutil.which(program[0]) is None:
        raise bad_input(f"{program[0]}: no such program")
    if report is not None:
        with report.open("ab"):  # fails before the program runs
            pass
    with console.steps(quiet=True) as steps:
        chosen = boards.default_spec(BITS) if board is None else board
        spec = None if board == "none" else _power_board(chosen, steps)
        memory = None if products is None else _product_board(products)
        steps("building the library that is preloaded")
        library = preload_path()
    with tempfile.TemporaryDirectory(prefix="perle-preload-") as folder:
        noted = Path(folder) / "report" if report is None else report.absolute()
        try:
            variables = environment(library, spec, memory, least_bits, noted)
        except ValueError as error:
            raise bad_input(str(error)) from error
        code = _run(program, variables)
        if report is None:
            _tell(program[0], reports(noted))
    raise typer.Exit(code)


def _power_board(spec: str, steps: console.Steps) -> str:
    """Return the specification with its board built, after opening it once."""
    boards.refuse_system(spec)
    found = resolve_spec(spec, steps)
    Boards(found).close()
    return found


def _product_board(name: str) -> Products:
    config = resolve_memory(name)
    clock = CLOCKS_NS.get(config.family.name)
    if clock is None:
        raise bad_input(f"{name} does not multiply long integers; {' and '.join(CLOCKS_NS)} do")
    path = build_memory(config)
    System([(path, clock)], TIMING).close()
    return Products(path, round(PS_PER_NS * clock), TIMING)


def _run(program: list[str], variables: dict[str, str]) -> int:
    others = {name: text for name, text in os.environ.items() if not name.startswith(PREFIX)}
    with subprocess.Popen(program, env=others | variables) as process, passed_on(process.send_signal):
        while True:
            try:
                code = process.wait()
            except KeyboardInterrupt:  # Ctrl-C: the program gets the signal too, and decides what to do
                continue
            return BY_SIGNAL - code if code < 0 else code


def _tell(program: str, found: list[Process]) -> None:
    """Print the calls on standard error, because standard output is the program's."""
    if not any(process.functions for process in found):
        console.note(
            f"perle: {program} reported no replaced call: it uses other libraries, is linked statically, has "
            "privileges that forbid LD_PRELOAD, or ended without its exit handlers"
        )
        return
    table = Table(("program", "function", "calls", "on boards", "failed there", "cycles"), right=range(2, 6))
    for process in found:
        for name, calls in process.functions.items():
            counts = (calls.calls, calls.boards, calls.failed, calls.cycles)
            table.add(process.program, name, *(f"{count:,}" for count in counts))
    console.notes().print(table)
