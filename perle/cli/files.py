# SPDX-License-Identifier: Apache-2.0
"""Input and output files: binary, - for the standard streams, and nothing half-written."""

from __future__ import annotations

import errno
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

STREAM = "-"
EXISTS = "exists already, and is not overwritten"

Write = Callable[[bytes], None]


@contextmanager
def reading(name: str) -> Iterator[BinaryIO]:
    """Open a file, or standard input, for reading."""
    if name == STREAM:
        yield sys.stdin.buffer
        return
    with Path(name).open("rb") as file:
        yield file


def read(name: str) -> bytes:
    """Return the whole content."""
    with reading(name) as file:
        return file.read()


@contextmanager
def writing(name: str, *, private: bool = False, fresh: bool = False) -> Iterator[Write]:
    """Prepare an output and yield what writes it; the file appears whole, or not at all.

    Preparing comes first so that a folder without access is known before any work is done. A new file that is
    `private` can be read by its owner only. A `fresh` one must not be there before.
    """
    if name == STREAM:
        yield _write_stream
        return
    path = Path(name).resolve()
    if fresh and path.exists():
        raise FileExistsError(errno.EEXIST, EXISTS, name)
    if path.exists() and not path.is_file():
        with path.open("wb") as device:  # a pipe, /dev/null
            yield lambda data: _discard(device.write(data))
        return
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o600 if private else 0o666 & ~_umask()
    try:
        number, scratch = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from error
    try:
        with os.fdopen(number, "wb") as file:
            yield lambda data: _discard(file.write(data))
        Path(scratch).chmod(mode)
        if fresh:
            _link(scratch, path, name)
        else:
            os.replace(scratch, path)
    except BaseException:
        Path(scratch).unlink(missing_ok=True)
        raise


def _link(scratch: str, path: Path, name: str) -> None:
    """Give the file its name unless another has it by now."""
    try:
        os.link(scratch, path)
    except FileExistsError:
        raise FileExistsError(errno.EEXIST, EXISTS, name) from None
    Path(scratch).unlink()


def _write_stream(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _discard(_: int) -> None:
    """Take the number of bytes written: all of them, for files like these."""


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
