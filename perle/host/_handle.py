# SPDX-License-Identifier: Apache-2.0
"""What every object of libperle has on this side: an owner that closes it, once, when no call is in it."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, ClassVar, Self

from perle.flow.c_headers import CData

if TYPE_CHECKING:
    from perle.host._lib import Library


class Pointer:
    """A C pointer that threads share: freed when it is closed, or by the last call that is in it then."""

    def __init__(self, raw: CData, free: Callable[[CData], object], closed: str) -> None:
        self._raw, self._free, self._closed = raw, free, closed
        self._lock = threading.Lock()
        self._calls = 0
        self._open = True

    def enter(self) -> CData:
        """Return it for a call, which `leave` ends; ValueError where it is closed."""
        with self._lock:
            self.check()
            self._calls += 1
        return self._raw

    def check(self) -> None:
        """ValueError where it is closed."""
        if not self._open:
            raise ValueError(self._closed)

    def leave(self) -> None:
        """Free it where it was closed meanwhile, and no other call is in it."""
        with self._lock:
            self._calls -= 1
            last = not self._open and self._calls == 0
        if last:
            self._free(self._raw)

    def close(self, *, free: bool = True) -> None:
        """Free it, now or after its last call, unless another owner does."""
        with self._lock:
            now = self._open and self._calls == 0
            self._open = False
            if not free:
                self._free = _nothing
        if now:
            self._free(self._raw)


def _nothing(raw: CData) -> None:
    """Leave a pointer alone."""


class Handle:
    """Owns a C pointer: closed by `close`, at the end of a `with`, or with this object.

    An argument of `Library.call` as it is: what another thread closes meanwhile is freed after the call.
    """

    CLOSED: ClassVar[str]
    """What a use afterwards is told."""

    def _own(self, lib: Library, raw: CData, closing: str) -> None:
        self._lib = lib
        self.pointer = Pointer(raw, getattr(lib.dll, closing), self.CLOSED)
        self._close = weakref.finalize(self, self.pointer.close)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close it, zeroized where it has secrets; using it afterwards raises ValueError.

        Calls of other threads that are in it end as usual; the last of them closes it.
        """
        self._close()
