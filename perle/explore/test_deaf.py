# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C while workers are starting: this process handles it once they run, and they never do."""

from __future__ import annotations

import multiprocessing
import os
import signal
from multiprocessing.queues import Queue

import pytest

from perle.explore import deaf


def tell(blocked: Queue[bool]) -> None:
    """Report whether this process was started with Ctrl-C blocked."""
    blocked.put(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))


def start(answers: Queue[bool]) -> None:
    """Start two processes, each after a Ctrl-C."""
    with deaf.held():
        for _ in range(2):
            os.kill(os.getpid(), signal.SIGINT)
            multiprocessing.get_context("spawn").Process(target=tell, args=(answers,)).start()


def test_it_waits_for_the_end_of_the_start() -> None:
    answers: Queue[bool] = multiprocessing.get_context("spawn").Queue()
    with pytest.raises(KeyboardInterrupt):
        start(answers)
    assert [answers.get(timeout=60) for _ in range(2)] == [True, True]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
