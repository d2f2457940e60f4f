# SPDX-License-Identifier: Apache-2.0
"""What every object of libperle has on this side: an owner that closes it, once, when no call is in it."""

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
    """A C pointer that threads share: freed when it is closed, or by the last call that is in it then.

    `place` is where a function of C puts it, null until then. There is no lock, which a handler of signals
    could find taken: a call is noted before it looks whether the pointer is open, a closing is noted before
    it looks for calls, and who takes the function that frees is the only one who has it. In a child process,
    calls of its parent's threads do not count: they are not there.
    """

    def __init__(self, place: CData, free: Free, closed: str) -> None:
        self._place, self._closed = place, closed
        self._free = [free]
        self._calls: dict[object, int] = {}
        self._open = True

    def check(self) -> None:
        """ValueError where it is closed."""
        if not self._open:
            raise ValueError(self._closed)

    def enter(self, call: object) -> CData:
        """Return it for a call, which `leave` ends; ValueError where it is closed."""
        self._calls[call] = os.getpid()
        try:
            self.check()
        except ValueError:
            self.leave(call)
            raise
        return self._place[0]

    def leave(self, call: object) -> None:
        """End a call, if it is in it; free the pointer where it was closed and no other call has it."""
        self._calls.pop(call, None)
        self._settle()

    def close(self) -> None:
        """Free it, now or after its last call."""
        self._open = False
        self._settle()

    def disown(self) -> list[Free]:
        """Let another owner free it; what is returned makes it this one's again, by `own`."""
        free, self._free = self._free, []
        return free

    def own(self, free: list[Free]) -> None:
        """Free it at its end, as before `disown`."""
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

    An argument of `Library.call` as it is: what another thread closes meanwhile is freed after the call.
    """

    CLOSED: ClassVar[str]
    """What a use afterwards is told."""

    def _own(self, lib: Library, opening: str, *args: object, closing: str) -> None:
        """Get the pointer from a function of C whose last argument is where it goes.

        It has an owner before the call: it is freed, too, where a signal's exception ends the call.
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
        """Close it, zeroized where it has secrets; using it afterwards raises ValueError.

        Calls of other threads that are in it end as usual; the last of them closes it.
        """
        self._close()
