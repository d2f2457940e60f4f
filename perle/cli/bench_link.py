# SPDX-License-Identifier: Apache-2.0
"""`perle bench link`: operations per second over the link between host and board."""

from __future__ import annotations

import json as json_text
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from perle.cli.arith import Json
from perle.cli.boards import LINK, opened
from perle.cli.io import console
from perle.cli.io.errors import finite, usage
from perle.host import Batch, Boards, Key, is_link
from perle.report.quantities import quantity, seconds
from perle.tables import Table

SMALLEST_KEY, LARGEST_KEY = 512, 4096
ID = 0


@dataclass(frozen=True)
class Rate:
    """Operations of one kind over a link."""

    what: str
    operations: int
    seconds: float
    round_trips: int

    @property
    def per_second(self) -> float:
        """Operations per second."""
        return self.operations / self.seconds

    @property
    def trips(self) -> float:
        """Round trips per operation: how often the host waits for an answer."""
        return self.round_trips / self.operations


def link(
    board: Annotated[str, typer.Option("--board", metavar="SPEC", help=f"Board: {LINK}.")],
    duration: Annotated[
        float, typer.Option("--seconds", help="Duration of each measurement.", min=0.01, callback=finite)
    ] = 2.0,
    json: Json = False,
) -> None:
    """Measure operations per second and round trips per operation on a board behind a cable.

    Measures register reads; products by one thread and by one thread per lane; RSA private operations in a
    batch on all lanes, with a new key twice as wide as the board. Every result is checked, and the time
    includes the host's arithmetic.
    """
    if not is_link(board):
        raise usage(f"{board}: not a board behind a cable ({LINK})")
    with console.steps() as steps, opened(board, steps) as boards:
        steps.work(f"measuring {board}")
        rates = measure(boards, duration)
    if json:
        rows = [asdict(one) | {"per_second": one.per_second, "trips": one.trips} for one in rates]
        console.print_json({"board": board, "rates": rows})
        return
    table = Table(
        ("operation", "per second", "round trips per operation", "time per operation"), right=(1, 2, 3)
    )
    for one in rates:
        table.add(one.what, quantity(one.per_second), f"{one.trips:.1f}", seconds(1 / one.per_second))
    console.output().print(table)


def measure(boards: Boards, duration: float) -> list[Rate]:
    """Measure accesses, products and private operations for `duration` seconds each."""
    info = boards.info
    m = (1 << info.width) - 1
    x, y = m // 3, m // 5
    product = "products, one thread"
    rates = [
        _rate(boards, "register reads", duration, lambda: boards.read(ID)),
        _rate(boards, product, duration, lambda: boards.mulmod(x, y, m)),
    ]
    if info.count > 1:
        many = f"products, {info.count} threads"
        rates.append(_rate(boards, many, duration, lambda: boards.mulmod(x, y, m), info.count))
    bits = min(2 * info.width, LARGEST_KEY)
    if bits >= SMALLEST_KEY:
        rates.append(_signatures(boards, bits, duration))
    return rates


def _trips(boards: Boards) -> int:
    return int(json_text.loads(boards.snapshot())["round_trips"])


def _rate(boards: Boards, what: str, duration: float, work: Callable[[], object], threads: int = 1) -> Rate:
    work()  # loads the modulus, if the operation has one
    done = [0] * threads
    before, begin = _trips(boards), time.perf_counter()

    def run(index: int) -> None:
        while time.perf_counter() - begin < duration:
            work()
            done[index] += 1

    workers = [threading.Thread(target=run, args=(i,)) for i in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    passed = time.perf_counter() - begin
    if not all(done):
        raise usage(f"--seconds {duration:g}: too short, no operation ended")
    return Rate(what, sum(done), passed, _trips(boards) - before)


def _signatures(boards: Boards, bits: int, duration: float) -> Rate:
    with Key.generate(bits) as key, Batch(boards) as batch:
        message = (key.n // 3).to_bytes(key.size, "big")
        before, begin = _trips(boards), time.perf_counter()
        done = waiting = 0
        capacity = 4 * boards.info.count
        while time.perf_counter() - begin < duration or waiting:
            while waiting < capacity and time.perf_counter() - begin < duration:
                batch.submit(key, message)
                waiting += 1
            for one in batch.poll():
                if one.error is not None:
                    raise one.error
                waiting -= 1
                done += 1
        passed = time.perf_counter() - begin
        return Rate(
            f"RSA-{bits}, a batch on {boards.info.count} lanes", done, passed, _trips(boards) - before
        )
