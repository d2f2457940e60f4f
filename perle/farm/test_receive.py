# SPDX-License-Identifier: Apache-2.0
"""Answers that cannot be fetched in time keep nobody waiting."""

from __future__ import annotations

from collections import Counter
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("distributed", reason="no dask: make setup")
from perle.farm.hand import Hand
from perle.farm.run import Run, _Job
from perle.farm.todo import Todo

ADDRESSES = ("tcp://127.0.0.1:1", "tcp://127.0.0.1:2")


class Future:
    """A request that has ended: with an answer, with an error, or so that its answer cannot be had now."""

    def __init__(self, status: str = "finished", error: Exception | None = None) -> None:
        self.status, self.error, self.asked = status, error, 0

    def result(self, timeout: float) -> str:
        assert timeout > 0
        self.asked += 1
        if self.error is not None:
            raise self.error
        return "answer"

    def release(self) -> None:
        """Do nothing."""


def received(first: Future) -> tuple[Counter[str], list[Hand], Run]:
    """Receive the ends of `first` and of one with an answer; return whose answers came."""
    run: Any = Run.__new__(Run)
    workers = {address: {"nthreads": 1} for address in ADDRESSES}
    run._client = SimpleNamespace(status="running", scheduler_info=lambda: {"workers": workers})
    run._ended, run._looked, run._todo = SimpleQueue(), 0.0, Todo([])
    run._all = hands = [Hand(address, 1) for address in ADDRESSES]
    run._hands = {hand.address: hand for hand in hands}
    told: Counter[str] = Counter()
    second = Future()
    run._jobs = {
        future: _Job(hand, lambda hand, _: told.update([hand.address]))
        for future, hand in zip((first, second), hands, strict=True)
    }
    for future in (first, second):
        run._ended.put(future)
    run._receive()
    return told, hands, run


def test_an_answer_that_is_late_is_asked_for_in_the_next_round() -> None:
    late = Future(error=TimeoutError())
    told, hands, run = received(late)
    assert (told, late.asked) == (Counter([ADDRESSES[1]]), 1)
    assert hands[0].refused == ""
    late.error = None
    run._receive()
    assert told == Counter(ADDRESSES)


def test_a_timeout_of_the_worker_itself_is_its_failure() -> None:
    told, hands, run = received(Future("error", TimeoutError("[Errno 110] Connection timed out")))
    assert told == Counter([ADDRESSES[1]])
    assert "timed out" in hands[0].refused
    assert run._ended.empty()
