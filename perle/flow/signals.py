# SPDX-License-Identifier: Apache-2.0
"""Signals that end a process, and sections that they must not interrupt."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

HEARD = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)


@contextmanager
def held() -> Iterator[None]:
    """Defer Ctrl-C and the signals that end a process to the end of the block, which must be short.

    Used so that a file is either complete or does not exist. Only the main thread gets signals.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[tuple[int, FrameType | None]] = []
    present = {number: signal.getsignal(number) for number in HEARD}
    before = {number: handler for number, handler in present.items() if callable(handler)}
    for number in before:
        signal.signal(number, lambda *told: heard.append(told))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    for told, frame in heard:
        before[signal.Signals(told)](told, frame)
