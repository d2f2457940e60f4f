# SPDX-License-Identifier: Apache-2.0
"""The program as a process: its streams, the signals that end it, and what it leaves behind."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from types import FrameType

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
    """Open those of the standard streams that the caller had closed, so that nothing else gets their numbers.

    Nothing is read from such an input. Such an output is a pipe that nobody reads, of errors nothing is seen.
    What an output's encoding lacks is written as an escape.
    """
    for number in range(len(NAMES)):
        try:
            os.fstat(number)
        except OSError:
            _open(number)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


def _open(number: int) -> None:
    if number == OUTPUT:
        reader, writer = os.pipe()  # one of them has the number itself
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
    """Handle the signals that end a process, those that were handled so before, and restore all of them."""
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
    """Let the signals that end a process be heard as Ctrl-C is: what is under way is ended, files removed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    with _handled(signal.SIG_DFL, _end):  # nohup ignores one: then it stays ignored
        yield


def _end(number: int, _: FrameType | None) -> None:
    global _ended_by  # noqa: PLW0603 - a signal has nobody else to tell
    _ended_by = ENDING[signal.Signals(number)]
    raise KeyboardInterrupt


@contextmanager
def passed_on(send: Callable[[int], None]) -> Iterator[None]:
    """Let the signals that end a process end another one, which this one waits for."""
    with _handled(_end, lambda number, _: send(number)):
        yield


def interrupted() -> int:
    """End what is still under way, and return the exit code for what ended the program."""
    end_all()
    console.note(f"perle: {WORDS[_ended_by]}")
    if abandoned.is_set():
        sys.stdout.flush()
        os._exit(_ended_by)
    return _ended_by


def unread() -> int:
    """Drop what standard output still holds, which must not be tried again at exit; returns the exit code."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return Code.UNREAD
