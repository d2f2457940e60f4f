# SPDX-License-Identifier: Apache-2.0
"""The program as a process: its streams, the signals that end it, and cleaning up."""

from __future__ import annotations

import codecs
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedWriter, FileIO, TextIOWrapper
from types import FrameType
from typing import Any, TextIO

from perle.cli.boards import abandoned
from perle.cli.io import console
from perle.cli.io.errors import Code
from perle.flow.tools import end_all

ENDING = {signal.SIGTERM: Code.TERMINATED, signal.SIGHUP: Code.HUNG_UP}
WORDS = {Code.TERMINATED: "terminated", Code.HUNG_UP: "hung up", Code.INTERRUPTED: "interrupted"}

NAMES = ("stdin", "stdout", "stderr")
OUTPUT = NAMES.index("stdout")

_ended_by = Code.INTERRUPTED


def open_streams() -> None:
    """Open standard streams that the caller closed, so that no other file gets their descriptors.

    Such an input is empty, such an output a pipe without a reader, and error output is discarded. Characters
    that the encoding of an output lacks are written as escapes.
    """
    for number in range(len(NAMES)):
        try:
            os.fstat(number)
        except OSError:
            _open(number)
    sys.stdout = _named(sys.stdout)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and (stream.errors == "strict" or not _is_utf8(stream)):
            stream.reconfigure(errors="backslashreplace")


def _is_utf8(stream: TextIOWrapper) -> bool:
    """Whether its encoding has all characters; in the locale C, Python may have set ASCII."""
    return codecs.lookup(stream.encoding).name == "utf-8"


class _Output(FileIO):
    """Standard output: errors of writing name it, as those of a file name the file."""

    def write(self, data: Any) -> int:  # noqa: ANN401 - anything with a buffer
        try:
            return super().write(data)
        except OSError as error:
            raise OSError(error.errno, error.strerror, "standard output") from error


def _named(stream: TextIO) -> TextIO:
    """Return standard output with the same settings, and with errors that name it."""
    if not isinstance(stream, TextIOWrapper):
        return stream
    return TextIOWrapper(
        BufferedWriter(_Output(stream.fileno(), "w", closefd=False)),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def _open(number: int) -> None:
    if number == OUTPUT:
        reader, writer = os.pipe()  # one of the two may have the descriptor `number` already
        _move(writer, number)
        if reader != number:
            os.close(reader)
    else:
        _move(os.open(os.devnull, os.O_RDWR), number)
    stream = open(number, "w" if number else "r", encoding="utf-8", closefd=False)  # noqa: SIM115
    setattr(sys, NAMES[number], stream)


def _move(number: int, to: int) -> None:
    if number != to:
        os.dup2(number, to)
        os.close(number)


@contextmanager
def _handled(before: object, handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Set `handler` for the ending signals whose handler is `before`; restore all handlers at the end."""
    known = {number: signal.getsignal(number) for number in ENDING}
    for number, one in known.items():
        if one is before:
            signal.signal(number, handler)
    try:
        yield
    finally:
        for number, one in known.items():
            signal.signal(number, one)


@contextmanager
def signals() -> Iterator[None]:
    """Handle TERM and HUP like Ctrl-C: end what is running, and remove scratch files."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    with _handled(signal.SIG_DFL, _end):  # nohup ignores HUP: it stays ignored
        yield


def _end(number: int, _: FrameType | None) -> None:
    global _ended_by  # noqa: PLW0603 - a signal handler cannot return a value
    _ended_by = ENDING[signal.Signals(number)]
    raise KeyboardInterrupt


@contextmanager
def passed_on(send: Callable[[int], None]) -> Iterator[None]:
    """Pass TERM and HUP on to another process, which this one waits for."""
    with _handled(_end, lambda number, _: send(number)):
        yield


def interrupted() -> int:
    """End running tools, and return the exit code of the signal that ended the program."""
    end_all()
    console.note(f"perle: {WORDS[_ended_by]}")
    if abandoned.is_set():
        sys.stdout.flush()
        os._exit(_ended_by)
    return _ended_by


def unread() -> int:
    """Discard buffered output that nobody reads; return the exit code."""
    _discard()
    return Code.UNREAD


def discard_unwritten() -> None:
    """Discard buffered output if it cannot be written, on a full disk."""
    try:
        sys.stdout.flush()
    except OSError:
        _discard()


def _discard() -> None:
    """Discard buffered output, so that exiting does not write it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
