# SPDX-License-Identifier: Apache-2.0
"""`perle rsa sign --batch` on workers: options that select them, and exit codes of a farm's errors."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from perle.cli.boards import check_here
from perle.cli.certificates import Files, used
from perle.cli.io.errors import Code, Fault, bad_input, usage
from perle.cli.rsa.places import Place
from perle.flow.places import extra
from perle.host import Key
from perle.host.batch import Done

if TYPE_CHECKING:
    from perle.farm.client import Farm, Run

NEEDED = extra("farm")


@dataclass(frozen=True)
class Workers:
    """A scheduler with its certificates, or a number of workers on this machine."""

    jobs: int
    scheduler: str | None = None
    tls: Files = (None, None, None)
    wait: float = 60.0

    @contextmanager
    def place(self, board: str) -> Iterator[Place]:
        """Yield the farm as the place of a batch."""
        with self.farm(board) as farm:
            yield _place(farm)

    @contextmanager
    def farm(self, board: str) -> Iterator[Farm]:
        """Yield the farm; `board` is for workers that have no boards of their own. Raises Fault."""
        try:
            from perle.farm import client  # noqa: PLC0415 - packages of the extra `farm`
        except ModuleNotFoundError as error:
            raise Fault(Code.TOOL, f"workers need the package {error.name}: {NEEDED}") from None
        if self.scheduler is None:
            check_here(board)  # before workers are started, each of which would find the same
        try:
            with client.connect(
                self.scheduler, board=board, workers=self.jobs, tls=client.Tls(*self.tls), wait=self.wait
            ) as farm:
                yield farm
        except (client.AddressError, client.InsecureError) as error:
            raise usage(str(error)) from None
        except client.NoWorkersError as error:
            raise Fault(Code.BOARD, str(error)) from None
        except (client.FarmError, client.NoSchedulerError) as error:
            raise Fault(Code.TOOL, str(error)) from None


def chosen(jobs: int | None, scheduler: str | None, tls: Files, wait: float) -> Workers | None:
    """Return the workers that options select; None selects the boards of this process."""
    tls = used(scheduler, tls)
    if scheduler is not None and jobs is not None:
        raise usage("--jobs and --scheduler exclude each other: a scheduler has its own workers")
    if scheduler is None and jobs is None:
        return None
    return Workers(jobs or 1, scheduler, tls, wait)


def _place(farm: Farm) -> Place:
    runs: list[Run] = []

    def powers(key: Key, messages: Iterator[bytes]) -> Generator[Done]:
        try:
            run = farm.powers(key, messages)
        except ValueError as error:
            raise bad_input(str(error)) from None
        runs.append(run)
        yield from run

    def speed(signed: int, wall: float) -> dict[str, Any]:
        [run] = runs
        stats = asdict(run.stats)
        numbers = {name: stats[name] for name in ("retries", "faults", "lost", "busy_cycles", "workers")}
        return {**numbers, "wall_seconds": round(wall, 6), "ops_per_second": signed / wall}

    return Place(powers, speed, _said)


def _said(facts: dict[str, Any]) -> list[str]:
    workers = facts["workers"]
    refused = [f"worker {one['address']} not used: {one['reason']}" for one in workers if one["reason"]]
    summary = (
        f"on {len(workers)} workers: {facts['ops_per_second']:,.1f} signatures per second, "
        f"{facts['retries']} messages given out again, {facts['faults']} board faults, "
        f"{facts['lost']} workers lost"
    )
    return [summary, *refused]
