# SPDX-License-Identifier: Apache-2.0
"""`perle speed`: RSA on boards compared with RSA in software, like `openssl speed`."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from perle.cli import provider_speed
from perle.cli.arith import Json
from perle.cli.board_time import CLOCK_MHZ, Clock, measure
from perle.cli.boards import SPEC_HELP, opened, refuse_system
from perle.cli.io import console, openssl
from perle.cli.io.console import Steps
from perle.cli.io.errors import finite, usage
from perle.cli.rsa import load, software
from perle.report.quantities import quantity, seconds
from perle.tables import Table

BITS = "512,1024,2048"
SHORTEST, LONGEST = 512, 8192


def speed(
    board: Annotated[
        str | None,
        typer.Option(
            "--board",
            metavar="SPEC",
            help=SPEC_HELP + " Default: two of half the key's width; for public operations one of its width.",
            show_default=False,
        ),
    ] = None,
    bits: Annotated[str, typer.Option(metavar="LIST", help="Key sizes.")] = BITS,
    clock: Clock = CLOCK_MHZ,
    duration: Annotated[
        float,
        typer.Option(
            "--seconds",
            help="Duration of each measurement; at least one operation is run.",
            min=0.0,
            callback=finite,
        ),
    ] = 1.0,
    public: Annotated[
        bool, typer.Option(help="Measure public operations too; they need wider boards.")
    ] = True,
    provider: Annotated[
        bool,
        typer.Option(
            "--provider",
            help="Run openssl speed with and without the provider; board times use the measured clock.",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Measure RSA operations: cycles, time at an assumed clock, operations per second.

    "board" is the rate of the hardware at --clock, "simulator" that of its simulation on this machine, and
    "software" that of OpenSSL on one core of this machine with the same key.
    """
    refuse_system(board)
    sizes = _sizes(bits)
    if provider:
        if clock != CLOCK_MHZ:
            raise usage("--clock: --provider uses the measured clock")
        with TemporaryDirectory(prefix="perle-speed-") as folder, console.steps() as steps:
            found = provider_speed.rows(Path(folder), sizes, board, duration, steps)
        if json:
            console.print_json({"rows": found})
        else:
            provider_speed.show(found)
        return
    with TemporaryDirectory(prefix="perle-speed-") as folder, console.steps() as steps:
        rows = [
            row
            for size in sizes
            for row in _measure(Path(folder), size, board, public, (clock, duration), steps)
        ]
    if json:
        console.print_json({"clock_mhz": clock, "rows": rows})
        return
    table = Table(
        (
            *("key", "operation", "boards", "cycles", f"at {clock:g} MHz"),
            *("board op/s", "simulator op/s", "software op/s"),
        ),
        right=range(3, 8),
    )
    for row in rows:
        rates = (row["board_ops_per_second"], row["simulator_ops_per_second"], row["software_ops_per_second"])
        board_time = seconds(row["board_seconds"])
        key = f"RSA-{row['key_bits']}"
        table.add(
            key, row["operation"], row["board"], f"{row['cycles']:,}", board_time, *map(quantity, rates)
        )
    console.output().print(table)
    console.output().print(
        f"{clock:g} MHz is an assumption (--clock). Software: {rows[0]['software']}, one core."
    )


def _sizes(text: str) -> list[int]:
    words = text.split(",")
    if not all(word.strip().isdecimal() and SHORTEST <= int(word) <= LONGEST for word in words):
        raise usage(f"--bits must be key sizes from {SHORTEST} to {LONGEST}, such as {BITS}; not {text!r}")
    return [int(word) for word in words]


def _measure(
    folder: Path, bits: int, board: str | None, public: bool, rates: tuple[float, float], steps: Steps
) -> list[dict[str, Any]]:
    """Measure one key size; `rates` has the clock in MHz and the duration in seconds."""
    clock, duration = rates
    pem = folder / f"{bits}.pem"
    steps.work(f"openssl makes an RSA-{bits} key")
    openssl.make_key(bits, pem)
    with ExitStack() as stack:
        key = stack.enter_context(load.loaded(str(pem), None))
        message = (key.n // 3).to_bytes(key.size, "big")

        def row(name: str, spec: str) -> dict[str, Any]:
            with opened(spec, steps) as boards:
                steps.work(f"RSA-{bits} {name} on {spec}")
                work = key.private if name == "private" else key.public
                facts = measure(boards, lambda: work(boards, message), duration).facts(clock)
            return {"key_bits": bits, "operation": name, "board": spec, **facts}

        found = [row("private", load.private_spec(key) if board is None else board)]
        if public:
            found.append(row("public", load.public_spec(key) if board is None else board))
        steps.work(f"RSA-{bits} in software")
        compared = software.rates(pem.read_bytes(), duration)
    return [
        {**one, "software_ops_per_second": getattr(compared, one["operation"]), "software": compared.library}
        for one in found
    ]
