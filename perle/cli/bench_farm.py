# SPDX-License-Identifier: Apache-2.0
"""`perle bench farm`: signatures per second for each number of workers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from perle.cli.arith import Json
from perle.cli.boards import SPEC_HELP, check_here
from perle.cli.io import console
from perle.cli.io.errors import Code, Fault, finite
from perle.cli.rsa.workers import Workers
from perle.host import Key
from perle.report.quantities import quantity
from perle.tables import Table

WAIT_SECONDS = 600.0


@dataclass(frozen=True)
class FarmRate:
    """Number of signatures that a number of workers made in a number of seconds."""

    workers: int
    signatures: int
    seconds: float

    @property
    def per_second(self) -> float:
        """Signatures per second."""
        return self.signatures / self.seconds


def farm(
    board: Annotated[str, typer.Option("--board", metavar="SPEC", help=SPEC_HELP)] = "sim:orup:w64",
    bits: Annotated[
        int, typer.Option(metavar="N", help="Key size; boards have half this width.", min=64)
    ] = 128,
    jobs: Annotated[
        int, typer.Option(metavar="N", help="Largest number of workers on this machine.", min=1, max=256)
    ] = 3,
    duration: Annotated[
        float, typer.Option("--seconds", help="Duration of each measurement.", min=0.01, callback=finite)
    ] = 3.0,
    json: Json = False,
) -> None:
    """Measure signatures per second with one worker on this machine, with two, and so on, up to --jobs.

    Each worker has its own boards. The key is a new one. Time counts from when every worker has signed once.
    Every result is checked by the worker and again by the client.
    """
    rates = []
    with console.steps() as steps, Key.generate(bits) as key:
        check_here(board)
        for count in range(1, jobs + 1):
            steps(f"measuring {count} of {jobs} workers on {board}")
            rates.append(measure(key, board, count, duration))
    if json:
        rows = [asdict(one) | {"per_second": one.per_second} for one in rates]
        console.print_json({"board": board, "key_bits": bits, "rates": rows})
        return
    table = Table(("workers", "signatures per second", "relative to one worker"), right=(0, 1, 2))
    for one in rates:
        share = one.per_second / rates[0].per_second
        table.add(str(one.workers), quantity(one.per_second), f"{share:.2f}")
    console.output().print(table)


def measure(key: Key, board: str, count: int, duration: float) -> FarmRate:
    """Let `count` workers sign for `duration` seconds; raises the error of the first message that fails."""
    message = (key.n // 3).to_bytes(key.size)
    window: list[tuple[float, int]] = []

    def messages() -> Iterator[bytes]:
        begin = time.monotonic()
        while sum(bool(one["signed"]) for one in run.stats.workers) < count:
            if time.monotonic() > begin + WAIT_SECONDS:
                raise Fault(Code.TOOL, f"{count} workers did not all sign within {WAIT_SECONDS:g} seconds")
            yield message
        window.append((time.monotonic(), run.stats.signed))
        while time.monotonic() < window[0][0] + duration:
            yield message
        window.append((time.monotonic(), run.stats.signed))

    with Workers(count).farm(board) as workers:
        run = workers.powers(key, messages())
        for done in run:
            if done.error is not None:
                raise done.error
    (begin, before), (end, after) = window
    return FarmRate(count, after - before, end - begin)
