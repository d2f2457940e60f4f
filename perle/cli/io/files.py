# SPDX-License-Identifier: Apache-2.0
"""Input and output files: binary; - means a standard stream; outputs are never left half-written."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

STREAM = "-"
STEM = 20
"""Characters of the output's name in the name of its scratch file, which could otherwise be too long."""
EXISTS = "exists already, and is not overwritten"
STREAMS = re.compile(r"/dev/(?:std(?:in|out|err)|fd/\d+)|/proc/self/fd/\d+")
"""Linux's paths of the standard streams and of other open file descriptors."""

OUTPUTS = ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")

Write = Callable[[bytes], None]


def is_output(name: str | None) -> bool:
    """Whether a name means standard output: -, or one of the system's names for it."""
    return name == STREAM or (name is not None and str(Path(name).absolute()) in OUTPUTS)


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
def writing(
    name: str, *, private: bool = False, force: bool | None = False, kept: Mapping[str, str] | None = None
) -> Iterator[Write]:
    """Prepare an output and yield the function that writes it; the file appears complete, or not at all.

    Errors name the output, on a full disk too.

    Preparing it first reports a folder without write permission before any work is done. With `private`, only
    its owner can read a new file. An existing file is overwritten only with `force` (None is for commands
    without --force), and the files in `kept` (description and name) never.
    """
    if name == STREAM:
        yield _write_stream
        return
    if _is_device(Path(name)):
        with _opened(Path(name), name) as write:
            yield write
        return
    with (
        replaced(Path(name), private=private, force=force, kept=kept) as scratch,
        _opened(scratch, name) as write,
    ):
        yield write


@contextmanager
def _opened(path: Path, name: str) -> Iterator[Write]:
    """Open a file and yield the function that writes it, without a buffer: no error comes later."""

    def write(data: bytes) -> None:
        left = memoryview(data)
        with _named(name):
            while left:
                left = left[file.write(left) :]

    file = path.open("wb", buffering=0)
    try:
        yield write
    finally:
        with _named(name):
            file.close()


@contextmanager
def _named(name: str) -> Iterator[None]:
    """Add the name of the output to an error of the system."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from error


@contextmanager
def replaced(
    out: Path, *, private: bool = False, force: bool | None = False, kept: Mapping[str, str] | None = None
) -> Iterator[Path]:
    """Yield the path of an empty file beside `out`, which replaces `out` at the end; see `writing`."""
    name, path = str(out), out.resolve()
    check(out, force=force, kept=kept)
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o600 if private else 0o666 & ~_umask()
    prefix = f".{path.stem[:STEM]}."
    try:
        number, scratch = tempfile.mkstemp(prefix=prefix, suffix=path.suffix, dir=path.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from error
    os.close(number)
    try:
        yield Path(scratch)
        Path(scratch).chmod(mode)
        if force:
            os.replace(scratch, path)
        else:
            _link(scratch, path, name, force)
    finally:
        Path(scratch).unlink(missing_ok=True)


def check(out: Path, *, force: bool | None = False, kept: Mapping[str, str] | None = None) -> None:
    """Raise an error if an output must not be written; see `writing`."""
    name, path = str(out), out.resolve()
    if not path.exists() or _is_device(out):
        return
    for what, other in (kept or {}).items():
        if _is(path, other):
            raise FileExistsError(errno.EEXIST, f"is {what}, and is never overwritten", name)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
    if not force:
        raise exists(name, force)


def _is(path: Path, other: str) -> bool:
    """Whether `path` is the input `other`; for -, whether standard input is read from it."""
    try:
        there = os.fstat(sys.stdin.fileno()) if other == STREAM else Path(other).stat()
    except (OSError, ValueError):
        return False
    return os.path.samestat(path.stat(), there)


def exists(name: str, force: bool | None = False) -> FileExistsError:
    """Return the error for an output that exists already."""
    return FileExistsError(errno.EEXIST, EXISTS + ("" if force is None else " without --force"), name)


def _is_device(path: Path) -> bool:
    """Whether it is a pipe, a device or the like; /dev/stdout counts as one even if it is a file."""
    named = STREAMS.fullmatch(str(path.absolute()))
    return named is not None or (path.exists() and not path.is_file() and not path.is_dir())


def _link(scratch: str, path: Path, name: str, force: bool | None) -> None:
    """Give the scratch file its name, unless another file has it by now."""
    try:
        os.link(scratch, path)
    except FileExistsError:
        raise exists(name, force) from None
    except OSError:  # a file system without hard links
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            raise exists(name, force) from None
        os.replace(scratch, path)


def _write_stream(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
