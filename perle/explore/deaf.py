# SPDX-License-Identifier: Apache-2.0
"""Keeps Ctrl-C away from the workers of this machine: only the process that started them handles it.

Workers load this module. `held` protects them while they start, before they have loaded it.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from types import FrameType


def dask_setup(_: object) -> None:
    """Ignore Ctrl-C: the process that started this worker ends its tools and then the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def held() -> Iterator[None]:
    """Delay Ctrl-C to the end of the block; processes that are started in it never receive it."""
    heard: list[tuple[int, FrameType | None]] = []
    resource_tracker.ensure_running()  # started with the first process, and would unblock the signal
    handler = signal.signal(signal.SIGINT, lambda *told: heard.append(told))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGINT, handler)
    if heard and callable(handler):
        handler(*heard[0])
