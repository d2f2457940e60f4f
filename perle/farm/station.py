# SPDX-License-Identifier: Apache-2.0
"""The worker's side of a farm: its boards, which it opens once, and the runs that use them.

A worker started with `--preload perle.farm.station --board SPEC` uses its own boards, whatever a client
names. Arguments and results of these functions contain keys only in encrypted form, for this worker.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import click
from distributed import Worker, WorkerPlugin, get_worker
from distributed.utils import sync

from perle.farm.visit import UNKNOWN, Answer, Visit
from perle.host import Boards, PerleError

NAME = "perle-boards"


@dataclass(frozen=True)
class Welcome:
    """A worker's answer to a client: its public key for this run, its boards and lanes, and its machine."""

    public: bytes
    spec: str
    lanes: int
    host: str


class Station(WorkerPlugin):
    """The boards of a worker, if it has its own, and its current runs; closed with the worker."""

    name = NAME

    def __init__(self, spec: str | None = None) -> None:
        self._spec = spec
        self._boards: Boards | None = None
        self._visits: dict[str, Visit] = {}
        self._lock, self._opening = threading.Lock(), threading.Lock()

    def welcome(self, run: str, spec: str) -> Welcome:
        """Begin or restart a run on the worker's own boards; without own ones, on those of `spec`."""
        self.end(run)
        with self._opening:  # building simulated boards takes minutes
            boards = self._opened() or Boards(spec)
        visit = Visit(run, boards, borrowed=boards is self._boards)
        with self._lock:
            self._visits[run] = visit
        return Welcome(visit.public, self._spec or spec, boards.info.count, socket.gethostname())

    def take(self, run: str, wrapped: bytes) -> bool:
        """Take the key of a run, and return whether the run is known; raises the errors of `Visit.take`."""
        visit = self._visits.get(run)
        if visit is None:
            return False
        try:
            visit.take(wrapped)
        except (PerleError, ValueError):
            self.end(run)
            raise
        return True

    def work(self, run: str, messages: Sequence[bytes]) -> Answer:
        """Run the private operation on messages."""
        visit = self._visits.get(run)
        return UNKNOWN if visit is None else visit.work(messages)

    def end(self, run: str) -> None:
        """End a run, and zeroize its key."""
        with self._lock:
            self._end(run)

    def teardown(self, worker: Worker) -> None:  # noqa: ARG002 - Dask's
        """Zeroize all keys and close all boards."""
        with self._lock:
            for run in list(self._visits):
                self._end(run)
            if self._boards is not None:
                self._boards.close()

    def _end(self, run: str) -> None:
        visit = self._visits.pop(run, None)
        if visit is not None:
            with suppress(PerleError):  # boards do not answer, but the key is zeroized before
                visit.end()

    def _opened(self) -> Boards | None:
        if self._spec is not None and self._boards is None:
            self._boards = Boards(self._spec)
        return self._boards


@click.command()
@click.option("--board", required=True)
async def dask_setup(worker: Worker, board: str) -> None:
    """Give a worker boards of its own."""
    await worker.plugin_add(Station(board))


_adding = threading.Lock()


def _here() -> Station:
    worker = get_worker()
    with _adding:
        if NAME not in worker.plugins:
            sync(worker.loop, worker.plugin_add, Station())
        found = worker.plugins[NAME]
    assert isinstance(found, Station)
    return found


def welcome(run: str, spec: str) -> Welcome:
    """Call `Station.welcome` on the worker that runs this."""
    return _here().welcome(run, spec)


def take(run: str, wrapped: bytes) -> bool:
    """Call `Station.take` on the worker that runs this."""
    return _here().take(run, wrapped)


def work(run: str, messages: Sequence[bytes]) -> Answer:
    """Call `Station.work` on the worker that runs this."""
    return _here().work(run, messages)


async def end(run: str, dask_worker: Worker) -> None:
    """End a run on a worker; called by `Client.run`."""
    found = dask_worker.plugins.get(NAME)
    if isinstance(found, Station):
        await asyncio.to_thread(found.end, run)  # it waits for boards
