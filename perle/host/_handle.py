# SPDX-License-Identifier: Apache-2.0
"""What every object of libperle has on this side: an owner that closes it, once."""

from __future__ import annotations

import weakref
from types import TracebackType
from typing import ClassVar, Self

from perle.flow.c_headers import CData
from perle.host._lib import library


class Handle:
    """Owns a C pointer: closed by `close`, at the end of a `with`, or with this object."""

    CLOSED: ClassVar[str]
    """What a use afterwards is told."""

    def _own(self, handle: CData, closing: str) -> None:
        self._lib = library()
        self._handle = handle
        self._close = weakref.finalize(self, getattr(self._lib.dll, closing), handle)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close it, zeroized where it has secrets; using it afterwards raises ValueError."""
        self._close()

    @property
    def handle(self) -> CData:
        """The C pointer."""
        if not self._close.alive:
            raise ValueError(self.CLOSED)
        return self._handle
