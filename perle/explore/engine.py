# SPDX-License-Identifier: Apache-2.0
"""Work for many workers by dask.distributed: handed out as workers get free, taken back from those that die.

Whoever calls keeps the results: workers need no file system in common with it, nor with each other.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import dask
from distributed import Client, Future, LocalCluster, Security, as_completed
from distributed.scheduler import KilledWorker

from perle.explore import deaf
from perle.explore.tls import refusal
from perle.flow.tools import end_all

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 2
"""Tasks given out a place: one that runs, one that waits, so that what is known by then is not begun."""
WAIT = "60s"
LOCAL: dict[str, Any] = {
    "threads_per_worker": 1,
    "dashboard_address": "127.0.0.1:0",
    "worker_dashboard_address": "127.0.0.1:0",
    "memory_limit": 0,
    "silence_logs": logging.CRITICAL,
}
"""How a cluster of this machine is: nobody else reaches it, and it does not stop tools that want memory."""
PATIENT = {"distributed.deploy.lost-worker-timeout": "1h"}
"""Else Dask gives a place up when a worker died and the next one needs more than 15 s, on a busy machine."""


class NoSchedulerError(RuntimeError):
    """No scheduler answers at the address."""


@dataclass(frozen=True)
class Lost(Generic[T]):
    """A task that ended several workers (`died`), or that failed where it should not, and how."""

    task: T
    why: str
    died: bool = False


@contextmanager
def cluster(workers: int, scheduler: str | None = None, security: Security | None = None) -> Iterator[Client]:
    """Yield a client of a running scheduler, else of so many workers of this machine, one task each.

    `security` has the certificates for a scheduler; None: those of Dask's configuration. At the end workers
    of this machine are ended; Ctrl-C is for this process, not for them.
    """
    if scheduler is not None:
        try:
            client = Client(scheduler, timeout=WAIT, security=security)
        except (OSError, ValueError) as error:
            raise NoSchedulerError(refusal(scheduler, error)) from error
        with client:
            yield client
        return
    local = {"processes": True, "host": "127.0.0.1", "preload": [deaf.__name__], **LOCAL}
    with ExitStack() as stack:
        stack.enter_context(dask.config.set(PATIENT))
        with deaf.held():
            own = stack.enter_context(LocalCluster(n_workers=workers, **local))
            client = stack.enter_context(Client(own))
        yield client


def places(client: Client) -> int:
    """Return how many tasks its workers take at the same time."""
    workers = client.scheduler_info(n_workers=-1)["workers"].values()
    return sum(int(one["nthreads"]) for one in workers)


def run(
    client: Client,
    tasks: Iterable[T],
    work: Callable[[T], R],
    done: Callable[[T, R | Lost[T]], None],
    *,
    begun: Callable[[T], bool] = lambda _: True,
    end: Callable[[], object] = end_all,
    ahead: int = AHEAD,
) -> None:
    """Do `work` on every task, and call `done` with what it returns, in the order in which workers get ready.

    Tasks are taken from their iterator when there is room for them: `ahead` for each place. `begun` is called
    before a task is given out, and can decline it. A worker that dies is replaced by
    another for what it had. Tasks whose workers died several times are done again in the end, each with all
    workers to itself, for it may have been its neighbour that ended them; who ends them then is Lost. After
    an exception, Ctrl-C among them, what has not begun does not, and workers call `end`, which ends what is
    under way.
    """
    hands = _Hands(client, iter(tasks), work, done, begun, ahead)
    try:
        hands.work_off()
    except BaseException:
        with suppress(Exception):
            client.cancel(list(hands.under_way))
            client.run(end)
        raise


class _Hands(Generic[T, R]):
    """Tasks that are given out, and those that are under suspicion."""

    def __init__(
        self,
        client: Client,
        left: Iterator[T],
        work: Callable[[T], R],
        done: Callable[[T, R | Lost[T]], None],
        begun: Callable[[T], bool],
        ahead: int,
    ) -> None:
        self._ahead = ahead
        self._client, self._left, self._work, self._done, self._begun = client, left, work, done, begun
        self._ready = as_completed(loop=client.loop)
        self.under_way: dict[Future[R], T] = {}
        self.suspects: list[T] = []

    def work_off(self) -> None:
        """Give out all tasks and take back what they return."""
        self._give()
        while self.under_way:
            self._take(alone=False)
            self._give()
        for task in self.suspects:
            self._submit(task)
            self._take(alone=True)

    def _submit(self, task: T) -> None:
        future = self._client.submit(self._work, task, pure=False)
        self.under_way[future] = task
        self._ready.add(future)

    def _full(self) -> bool:
        return len(self.under_way) >= self._ahead * max(1, places(self._client))

    def _give(self) -> None:
        while not self._full():
            task = next(filter(self._begun, self._left), None)
            if task is None:
                return
            self._submit(task)

    def _take(self, *, alone: bool) -> None:
        future = next(self._ready)
        task = self.under_way.pop(future)
        answer = _answer(future, task)
        future.release()
        if isinstance(answer, Lost) and answer.died and not alone:
            self.suspects.append(task)
        else:
            self._done(task, answer)


def _answer(future: Future[R], task: T) -> R | Lost[T]:
    if future.cancelled():
        return Lost(task, "the scheduler no longer knows it")
    error = future.exception()
    if error is None:
        found: R = future.result()
        return found
    if isinstance(error, KilledWorker):
        return Lost(task, "every worker that took it died", died=True)
    return Lost(task, f"{type(error).__name__}: {error}")
