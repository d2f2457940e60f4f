# SPDX-License-Identifier: Apache-2.0
"""Terminal output: results go to standard output, everything else to standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from perle.flow.progress import heard

# Width of tables written to a file or a pipe.
PIPE_WIDTH = 160


def output(width: int = PIPE_WIDTH) -> Console:
    """Return the console for results.

    `width` applies unless standard output is a terminal or COLUMNS has a number, which Rich obeys itself.
    """
    own = sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdecimal()
    return Console(width=None if own else width, highlight=False)


def notes() -> Console:
    """Return the console for everything except results."""
    return Console(stderr=True, width=None if sys.stderr.isatty() else PIPE_WIDTH, highlight=False)


def note(text: str) -> None:
    """Print a message, not a result, on standard error."""
    typer.echo(text, err=True)


def print_json(value: Any) -> None:  # noqa: ANN401
    """Print a result as JSON, in ASCII: file names may contain bytes that no encoding can represent."""
    typer.echo(json.dumps(value, indent=2))


class Steps:
    """Shows the current step: with spinner and elapsed time on a terminal, otherwise a line per step."""

    def __init__(self, progress: Progress | None, quiet: bool) -> None:
        self._progress = progress
        self._quiet = quiet
        self._task = None if progress is None else progress.add_task("", total=None, visible=False)

    def __call__(self, text: str) -> None:
        """Begin the next step."""
        if self._progress is not None and self._task is not None:
            self._progress.reset(self._task, description=text, visible=True)
        elif not self._quiet:
            note(text)

    def work(self, text: str) -> None:
        """Begin a short step, which is shown only on a terminal."""
        if self._progress is not None:
            self(text)

    def pause(self) -> None:
        """Show nothing until the next step."""
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, visible=False)


@contextmanager
def steps(*, quiet: bool = False) -> Iterator[Steps]:
    """Show steps on standard error; with `quiet` only if it is a terminal."""
    if not sys.stderr.isatty():
        silent = Steps(None, quiet)
        with heard(silent):
            yield silent
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=notes(), transient=True) as progress:
        shown = Steps(progress, quiet)
        with heard(shown):
            yield shown


@contextmanager
def counted(text: str, total: int) -> Iterator[Callable[[], None]]:
    """Show how many of `total` are done, on a terminal; yield the function to call after each."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TimeRemainingColumn(), console=notes(), transient=True) as progress:
        task = progress.add_task(text, total=total)
        yield lambda: progress.advance(task)
