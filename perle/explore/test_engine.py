# SPDX-License-Identifier: Apache-2.0
"""Workers that sleep instead of running tools: more are faster, and no task is lost if one is killed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

dask = pytest.importorskip("dask", reason="no dask: make setup")
from distributed import Client, LocalCluster  # noqa: E402

from perle.explore import engine  # noqa: E402

NAP = 0.15
TASKS = 12
DEADLY = -1


def nap(task: int) -> tuple[int, int]:
    """Sleep, and return the task and the worker; one task kills its worker."""
    if task == DEADLY:
        os._exit(1)
    time.sleep(NAP)
    return task, os.getpid()


def fails(task: int) -> int:
    """Raise an unexpected error."""
    raise ValueError(f"task {task}")


@pytest.fixture(scope="module")
def pair() -> Iterator[Client]:
    """Yield a client of two processes that are not replaced in time; a task that killed both is given up."""
    busy = {"distributed.scheduler.allowed-failures": 1, "distributed.deploy.lost-worker-timeout": "1ms"}
    with dask.config.set(busy), engine.cluster(2) as client:
        yield client


@pytest.fixture
def workers(pair: Client) -> Client:
    """Wait until both processes are there, in case the previous test killed some."""
    pair.wait_for_workers(2, timeout=300)
    return pair


def answers(client: Client, tasks: range | list[int], work=nap, **more):  # type: ignore[no-untyped-def]
    found: list[object] = []
    engine.run(client, tasks, work, lambda _, answer: found.append(answer), **more)
    return found


@pytest.fixture(scope="module")
def inside() -> Iterator[dict[int, Client]]:
    """Yield clients of clusters in this process, by number of workers."""
    with ExitStack() as stack:
        found = {}
        for count in (1, 2, 4):
            own = stack.enter_context(LocalCluster(n_workers=count, processes=False, **engine.LOCAL))
            found[count] = stack.enter_context(Client(own, set_as_default=False))
        yield found


def seconds(client: Client) -> float:
    begin = time.monotonic()
    assert len(answers(client, range(TASKS))) == TASKS
    return time.monotonic() - begin


def test_more_workers_are_faster(inside: dict[int, Client]) -> None:
    """The sleeps alone take 12, 6 and 3 units; the best of three runs counts, as the machine may be busy."""
    taken = {count: seconds(client) for count, client in inside.items()}
    assert taken[1] >= TASKS * NAP
    for _ in range(2):
        if taken[2] < 0.75 * taken[1] and taken[4] < 0.75 * taken[2]:
            break
        taken = {count: min(taken[count], seconds(client)) for count, client in inside.items()}
    assert taken[2] < 0.75 * taken[1]
    assert taken[4] < 0.75 * taken[2]


def test_a_worker_that_is_killed_loses_nothing(workers: Client) -> None:
    found: list[tuple[int, int]] = []

    def done(_: int, answer: tuple[int, int] | engine.Lost[int]) -> None:
        assert not isinstance(answer, engine.Lost)
        if not found:
            os.kill(answer[1], signal.SIGKILL)
        found.append(answer)

    engine.run(workers, range(TASKS), nap, done)
    assert sorted(task for task, _ in found) == list(range(TASKS))
    assert len({pid for _, pid in found}) >= 2


def test_a_task_that_ends_workers_is_told_and_the_others_go_on(workers: Client) -> None:
    found = answers(workers, [DEADLY, *range(3)])
    [lost] = [one for one in found if isinstance(one, engine.Lost)]
    assert lost == engine.Lost(DEADLY, "every worker that took it died", died=True)
    assert sorted(one[0] for one in found if isinstance(one, tuple)) == [0, 1, 2]


def test_somebody_looks_while_no_result_comes(
    inside: dict[int, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "WATCH", NAP / 10)
    looks: list[int] = []
    found = answers(inside[1], range(2), idle=lambda: looks.append(len(looks)))
    assert [task for task, _ in found] == [0, 1]
    assert len(looks) >= 2


def test_what_raises_is_told(workers: Client) -> None:
    assert answers(workers, [7], fails) == [engine.Lost(7, "ValueError: task 7")]


def test_what_is_declined_is_not_done(workers: Client) -> None:
    found = answers(workers, range(4), begun=lambda task: task % 2 == 1)
    assert sorted(one[0] for one in found) == [1, 3]


def mark(folder: Path) -> None:
    """Leave a file of this worker."""
    (folder / str(os.getpid())).touch()


def test_after_an_interrupt_nothing_more_begins(workers: Client, tmp_path: Path) -> None:
    given: list[int] = []

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    def begun(task: int) -> bool:
        given.append(task)
        return True

    with pytest.raises(KeyboardInterrupt):
        engine.run(workers, range(100), nap, stop, begun=begun, end=partial(mark, tmp_path))
    assert len(list(tmp_path.iterdir())) == 2  # both workers were called
    assert len(given) <= engine.AHEAD * 2
    assert sorted(one[0] for one in answers(workers, range(2))) == [0, 1]


def test_nobody_at_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "WAIT", 0.3)
    with (
        pytest.raises(engine.NoSchedulerError, match=r"tcp://127\.0\.0\.1:9"),
        engine.cluster(1, "tcp://127.0.0.1:9"),
    ):
        pass
