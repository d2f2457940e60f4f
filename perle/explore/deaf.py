# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C at a terminal is for the process that began the workers of this machine, and never for them.

Workers load this module, which is too late for those that are still starting: `held` is for these.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from types import FrameType


def dask_setup(_: object) -> None:
    """Ignore it: that process has the tools ended, and then its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def held() -> Iterator[None]:
    """Have it wait for the end of the block; processes that are started there do not hear it at all."""
    heard: list[tuple[int, FrameType | None]] = []
    resource_tracker.ensure_running()  # its start, which is that of the first process, would end the waiting
    handler = signal.signal(signal.SIGINT, lambda *told: heard.append(told))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGINT, handler)
    if heard and callable(handler):
        handler(*heard[0])
