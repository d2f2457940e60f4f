# SPDX-License-Identifier: Apache-2.0
"""Ownership of libperle's objects: each is freed exactly once, when no call uses it any more."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, ClassVar, Self

from perle.flow.c_headers import CData

if TYPE_CHECKING:
    from perle.host._lib import Library

Free = Callable[[CData], object]


class Pointer:
    """A C pointer shared by threads: freed when it is closed, or by the last call that uses it then.

    `place` is where a C function stores it; null until then. There is no lock, because a signal handler could
    interrupt its holder. Instead a call registers before it checks whether the pointer is open, and `close`
    marks the pointer closed before it looks for calls; whoever takes the free function out of the list is
    the only one to call it. In a child process, calls of the parent's threads do not count.
    """

    def __init__(self, place: CData, free: Free, closed: str) -> None:
        self._place, self._closed = place, closed
        self._free = [free]
        self._calls: dict[object, int] = {}
        self._open = True

    def check(self) -> None:
        """Raise ValueError if it is closed."""
        if not self._open:
            raise ValueError(self._closed)

    def enter(self, call: object) -> CData:
        """Register a call and return the pointer; `leave` ends the call. ValueError if it is closed."""
        self._calls[call] = os.getpid()
        try:
            self.check()
        except ValueError:
            self.leave(call)
            raise
        return self._place[0]

    def leave(self, call: object) -> None:
        """End a call, if it is registered; free the pointer if it is closed and no other call uses it."""
        self._calls.pop(call, None)
        self._settle()

    def close(self) -> None:
        """Free it, now or after its last call."""
        self._open = False
        self._settle()

    def disown(self) -> list[Free]:
        """Give up ownership; `own` with the returned list takes it back."""
        free, self._free = self._free, []
        return free

    def own(self, free: list[Free]) -> None:
        """Take back the ownership given up by `disown`."""
        self._free = free

    def _settle(self) -> None:
        here = os.getpid()
        if self._open or here in list(self._calls.values()):
            return
        try:
            free = self._free.pop()
        except IndexError:
            return
        if self._place[0]:
            free(self._place[0])


class Handle:
    """Owns a C pointer: closed by `close`, at the end of a `with`, or with this object.

    May be passed to `Library.call`: if another thread closes it meanwhile, it is freed after the call.
    """

    CLOSED: ClassVar[str]
    """Error message for use after closing."""

    def _own(self, lib: Library, opening: str, *args: object, closing: str) -> None:
        """Get the pointer from a C function whose last argument is the place to store it.

        The owner is set before the call, so that the pointer is freed even if a signal handler's exception
        ends the call.
        """
        self._lib = lib
        place = lib.place(opening)
        self.pointer = Pointer(place, getattr(lib.dll, closing), self.CLOSED)
        self._close = weakref.finalize(self, self.pointer.close)
        lib.call(opening, *args, place)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close it, zeroizing its secrets; using it afterwards raises ValueError.

        Concurrent calls of other threads complete as usual; the last of them frees it.
        """
        self._close()
