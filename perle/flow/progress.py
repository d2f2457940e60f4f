# SPDX-License-Identifier: Apache-2.0
"""What is being done that takes long: told to whoever listens, else in a line on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Listener = Callable[[str], None]


def _line(text: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"perle: {text}\n")
        sys.stderr.flush()


_listeners: list[Listener] = [_line]


def tell(text: str) -> None:
    """Say what begins now."""
    _listeners[-1](text)


@contextmanager
def heard(listener: Listener) -> Iterator[None]:
    """Let `listener` hear what begins, in place of standard error. One at a time: the last one hears it."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
