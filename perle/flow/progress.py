# SPDX-License-Identifier: Apache-2.0
"""Progress messages of long operations: to a listener, by default to standard error."""

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
    """Report what begins now."""
    _listeners[-1](text)


@contextmanager
def heard(listener: Listener) -> Iterator[None]:
    """Send messages to `listener` instead of standard error. Only the innermost listener gets them."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
