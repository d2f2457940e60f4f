# SPDX-License-Identifier: Apache-2.0
"""Progress of a running sweep."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from perle.cli.io import console


class Shown:
    """Progress on standard error: done, failed and time left on a terminal; otherwise a line per stage."""

    def __init__(self, bar: Progress | None) -> None:
        self._bar, self._task, self._failed = bar, TaskID(0), 0

    def begin(self, title: str, total: int) -> None:
        """Begin a stage."""
        self._failed = 0
        if self._bar is None:
            console.note(f"{title}: {total} runs")
        else:
            self._task = self._bar.add_task(title, total=total, last="")

    def step(self, what: str, event: str) -> None:
        """Count a run, and show it as the last one, with the number of failed ones."""
        self._failed += event in ("failed", "lost")
        if self._bar is not None:
            bad = f"{self._failed} failed, " if self._failed else ""
            self._bar.update(self._task, advance=1, last=f"{bad}last: {what}")


@contextmanager
def progress() -> Iterator[Shown]:
    """Yield the display of a sweep's progress."""
    if not sys.stderr.isatty():
        yield Shown(None)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    last = TextColumn("{task.fields[last]}")
    with Progress(*columns, TimeRemainingColumn(), last, console=console.notes()) as bar:
        yield Shown(bar)
