# SPDX-License-Identifier: Apache-2.0
"""Find or build libperle, and call its C functions. The public interface is `perle.host`."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from perle.flow import tools
from perle.flow.c_headers import CData
from perle.flow.host_make import LIBRARY, built
from perle.host._handle import Handle
from perle.host._headers import constants, ffi

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")


class PerleError(RuntimeError):
    """A call of libperle failed: `code` and `name` are those of perle.h, `message` has the details."""

    def __init__(self, code: int, name: str, message: str) -> None:
        super().__init__(code, name, message)
        self.code = code
        self.name = name
        self.message = message

    def __str__(self) -> str:
        """Return the message, then the code's name."""
        return f"{self.message} ({self.name})"


def library_path() -> Path:
    """Path of libperle: `$PERLE_LIB`, else the local build, which is made or updated first if necessary.

    Raises ToolMissing or ToolError if it cannot be built; the log is next to it.
    """
    chosen = os.environ.get("PERLE_LIB")
    return Path(chosen) if chosen else built(LIBRARY, "lib", ("include", "src"), "libperle")


@dataclass(frozen=True)
class Library:
    """The loaded library. Arguments and results of its functions are values of `ffi`; None is a null pointer.

    A `Handle` may be an argument: it is not freed before the call has ended.
    """

    dll: CData

    def call(self, function: str, *args: object) -> None:
        """Call a function that returns a status; raise PerleError unless it is PERLE_OK.

        Raises ValueError for a number that does not fit the argument's C type.
        """
        with held(*args) as given:
            try:
                status: int = getattr(self.dll, function)(*given)
            except OverflowError as error:
                raise ValueError(f"a number of {function} is out of range: {error}") from None
        if status != constants.PERLE_OK:
            raise self.error(status, self.text("perle_last_error") or self.text("perle_strerror", status))

    def error(self, status: int, message: str) -> PerleError:
        """Return the exception of a status."""
        return PerleError(status, self.text("perle_status_name", status), message)

    def text(self, function: str, *args: object) -> str:
        """Call a function that returns text; "" for a null pointer."""
        with held(*args) as given:
            found = getattr(self.dll, function)(*given)
            return string(found) if found else ""

    def value(self, function: str, *args: object) -> CData:
        """Call a function that stores a number or a structure at its last argument; return it."""
        out = self.place(function)
        self.call(function, *args, out)
        return out[0]

    def place(self, function: str) -> CData:
        """Allocate zeroed memory for the result at a function's last argument."""
        return ffi.new(ffi.typeof(getattr(self.dll, function)).args[-1])

    def data(self, function: str, size: int, *before: object, after: tuple[object, ...] = ()) -> bytes:
        """Call a function that writes at most `size` bytes; its output arguments follow `before`."""
        out, length = ffi.new("uint8_t[]", max(size, 1)), ffi.new("size_t*")
        self.call(function, *before, out, size, length, *after)
        return taken(out, length[0])


@contextmanager
def held(*args: object) -> Iterator[list[object]]:
    """Yield the arguments converted for C; no `Handle` among them is freed meanwhile."""
    call = object()
    try:
        yield [
            arg.pointer.enter(call) if isinstance(arg, Handle) else ffi.NULL if arg is None else arg
            for arg in args
        ]
    finally:
        for arg in args:
            if isinstance(arg, Handle):
                arg.pointer.leave(call)


def string(text: CData) -> str:
    """Return a C string, which ends at a zero or at the end of its array."""
    raw: bytes = ffi.string(text)
    return raw.decode(errors="replace")


def taken(out: CData, length: int) -> bytes:
    """Return the first bytes of an array, and zeroize it: it may hold a secret."""
    whole = ffi.buffer(out)
    found: bytes = whole[:length]
    whole[:] = bytes(len(whole))
    return found


def record(kind: Callable[..., T], struct: CData, **others: object) -> T:
    """Return a dataclass whose fields are members of the structure of the same names, or in `others`."""
    names = {field.name for field in fields(cast("type[DataclassInstance]", kind))} - set(others)
    return kind(**{name: getattr(struct, name) for name in names}, **others)


_loading = threading.Lock()


@cache
def _load(path: Path) -> Library:
    try:
        dll = ffi.dlopen(str(path))
    except OSError as error:
        raise tools.ToolError("libperle", f"{path} does not load: {error}", "run: make -C host") from error
    if dll.perle_api_version() != constants.PERLE_API_VERSION:
        raise tools.ToolError("libperle", f"{path} is of another version", "run: make -C host")
    return Library(dll)


def library() -> Library:
    """Return the library; the first call loads it, and builds it if necessary."""
    with _loading:
        return _load(library_path())
