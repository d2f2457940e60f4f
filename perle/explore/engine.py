# SPDX-License-Identifier: Apache-2.0
"""Runs tasks on many workers with dask.distributed: as workers become free, and again if a worker dies.

Results return to the caller: workers need no file system in common with it or with each other.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import dask
from distributed import Client, Future, LocalCluster, Security, as_completed
from distributed.comm.core import connect
from distributed.scheduler import KilledWorker

from perle.explore import deaf
from perle.explore.tls import refusal
from perle.flow.tools import end_all

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 2
"""Tasks per slot of a worker: one runs and one waits. More would be sent before it is known whether they are
still needed."""
WATCH = 1.0
"""Seconds from one look at the workers to the next, while no result comes."""
WAIT, LONGEST_WAIT = 60.0, 86_400.0
"""Seconds to wait for a scheduler's answer: the default, and the longest."""
LOCAL: dict[str, Any] = {
    "threads_per_worker": 1,
    "dashboard_address": "127.0.0.1:0",
    "worker_dashboard_address": "127.0.0.1:0",
    "memory_limit": 0,
    "silence_logs": logging.CRITICAL,
}
"""Settings of a Dask cluster on this machine: not reachable from other machines, and without memory limits
for the tools."""
PATIENT = {"distributed.deploy.lost-worker-timeout": "1h"}
"""Dask's default is to give up a worker that is not replaced within 15 s; a busy machine may need longer."""


class NoSchedulerError(RuntimeError):
    """No scheduler answers at the address, or it is lost."""


@dataclass(frozen=True)
class Lost(Generic[T]):
    """A task without a result: several workers died with it (`died`), or it failed unexpectedly."""

    task: T
    why: str
    died: bool = False


@contextmanager
def cluster(
    workers: int,
    scheduler: str | None = None,
    security: Security | None = None,
    wait: float | None = None,
) -> Iterator[Client]:
    """Yield a client of a running scheduler, or of `workers` new workers on this machine, one task each.

    `security` has the certificates for a scheduler; None: those in Dask's configuration. `wait`: seconds to
    wait for its answer. Workers on this machine are ended at the end; only this process handles Ctrl-C.
    """
    if scheduler is not None:
        try:
            longest = min(WAIT if wait is None else wait, LONGEST_WAIT)
            _reach(scheduler, security or Security(), longest)
            client = Client(scheduler, timeout=longest, security=security)
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


def _reach(scheduler: str, security: Security, wait: float) -> None:
    """Raise OSError unless the scheduler answers in time; Dask limits only the time to connect."""

    async def reached() -> None:
        async with asyncio.timeout(wait):
            comm = await connect(scheduler, timeout=wait, **security.get_connection_args("client"))
            comm.abort()

    try:
        with ThreadPoolExecutor(1) as aside:  # the caller may have an event loop, as in a notebook
            aside.submit(asyncio.run, reached()).result()
    except TimeoutError:
        raise OSError(f"no answer within {wait:g} s") from None


def places(client: Client) -> int:
    """Return how many tasks all workers together run at the same time."""
    return sum(int(one["nthreads"]) for one in workers(client).values())


def workers(client: Client) -> dict[str, dict[str, Any]]:
    """Return what the scheduler knows of each worker, by its address; NoSchedulerError if it is lost."""
    found: dict[str, dict[str, Any]] | None = client.scheduler_info(n_workers=-1).get("workers")
    if found is None:  # the client has given up
        raise NoSchedulerError("the scheduler is lost; repeat the command to continue with what is recorded")
    return found


def run(
    client: Client,
    tasks: Iterable[T],
    work: Callable[[T], R],
    done: Callable[[T, R | Lost[T]], None],
    *,
    begun: Callable[[T], bool] = lambda _: True,
    end: Callable[[], object] = end_all,
    idle: Callable[[], object] = lambda: None,
    ahead: int = AHEAD,
) -> None:
    """Run `work` on every task, and call `done` with each result, in the order in which they are completed.

    A task is taken from the iterator when there is room for it: `ahead` per slot. `begun` is called before a
    task is given out, and can decline it; `idle` every WATCH seconds without a result. The tasks of a worker
    that dies go to another. Tasks whose workers died several times are repeated at the end, one at a time,
    because another task may have been the cause; those that end their workers again are Lost. After an
    exception, including Ctrl-C, waiting tasks are cancelled, and workers call `end`, which ends running ones.
    """
    hands = _Hands(client, iter(tasks), work, done, begun, idle, ahead)
    try:
        hands.work_off()
    except BaseException:
        with suppress(Exception):
            client.cancel(list(hands.under_way))
            client.run(end)
        raise


class _Hands(Generic[T, R]):
    """Tasks that are given out, and those suspected of ending their workers."""

    def __init__(
        self,
        client: Client,
        left: Iterator[T],
        work: Callable[[T], R],
        done: Callable[[T, R | Lost[T]], None],
        begun: Callable[[T], bool],
        idle: Callable[[], object],
        ahead: int,
    ) -> None:
        self._ahead, self._idle = ahead, idle
        self._client, self._left, self._work, self._done, self._begun = client, left, work, done, begun
        self._ready = as_completed(loop=client.loop)
        self.under_way: dict[Future[R], T] = {}
        self.suspects: list[T] = []

    def work_off(self) -> None:
        """Give out all tasks and collect their results."""
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

    def _wait(self) -> None:
        """Wait for a result; `next` of Dask alone would do it silently."""
        last = time.monotonic()
        while not self._ready.has_ready():
            with self._ready.thread_condition:
                self._ready.thread_condition.wait(timeout=min(WATCH, 0.1))
            if time.monotonic() - last >= WATCH:
                self._idle()
                last = time.monotonic()

    def _take(self, *, alone: bool) -> None:
        self._wait()
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
