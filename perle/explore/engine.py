# SPDX-License-Identifier: Apache-2.0
"""Work for many workers by dask.distributed: handed out as workers get free, taken back from those that die.

Whoever calls keeps the results: workers need no file system in common with it, nor with each other.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from distributed import Client, Future, LocalCluster, as_completed
from distributed.scheduler import KilledWorker

from perle.explore import deaf
from perle.flow.tools import end_all

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 2
"""Tasks given out a worker: one that runs, one that waits, so that what is known by then is not begun."""
WAIT = "60s"
LOCAL: dict[str, Any] = {
    "threads_per_worker": 1,
    "dashboard_address": "127.0.0.1:0",
    "worker_dashboard_address": "127.0.0.1:0",
    "memory_limit": 0,
    "silence_logs": logging.CRITICAL,
}
"""How a cluster of this machine is: nobody else reaches it, and it does not stop tools that want memory."""


class NoSchedulerError(RuntimeError):
    """No scheduler answers at the address."""


@dataclass(frozen=True)
class Lost(Generic[T]):
    """A task that ended several workers, or that failed where it should not, and how."""

    task: T
    why: str


@contextmanager
def cluster(workers: int, scheduler: str | None = None) -> Iterator[Client]:
    """Yield a client of a running scheduler, else of so many workers of this machine, one task each.

    At the end workers of this machine are ended; Ctrl-C is for this process, not for them.
    """
    if scheduler is not None:
        try:
            client = Client(scheduler, timeout=WAIT)
        except (OSError, ValueError) as error:
            raise NoSchedulerError(f"{scheduler}: {error}") from error
        with client:
            yield client
        return
    own = LocalCluster(n_workers=workers, processes=True, host="127.0.0.1", preload=[deaf.__name__], **LOCAL)
    with own, Client(own) as client:
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
) -> None:
    """Do `work` on every task, and call `done` with what it returns, in the order in which workers get ready.

    `begun` is called before a task is given out, and can decline it. A worker that dies is replaced by
    another for what it had; a task that ends several is Lost. After an exception, Ctrl-C among them, what has
    not begun does not, and workers call `end`, which ends what is under way.
    """
    left = iter(tasks)
    under_way: dict[Future[R], T] = {}
    ready = as_completed(loop=client.loop)

    def give() -> bool:
        for task in left:
            if begun(task):
                future = client.submit(work, task, pure=False)
                under_way[future] = task
                ready.add(future)
                return True
        return False

    try:
        while len(under_way) < AHEAD * max(1, places(client)) and give():
            pass
        while under_way:
            future = next(ready)
            task = under_way.pop(future)
            done(task, _answer(future, task))
            future.release()
            while len(under_way) < AHEAD * max(1, places(client)) and give():
                pass
    except BaseException:
        with suppress(Exception):
            client.cancel(list(under_way))
            client.run(end)
        raise


def _answer(future: Future[R], task: T) -> R | Lost[T]:
    if future.cancelled():
        return Lost(task, "the scheduler no longer knows it")
    error = future.exception()
    if error is None:
        found: R = future.result()
        return found
    if isinstance(error, KilledWorker):
        return Lost(task, "every worker that took it died")
    return Lost(task, f"{type(error).__name__}: {error}")
