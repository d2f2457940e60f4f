# SPDX-License-Identifier: Apache-2.0
"""One measurement as a worker does it: it gets words, and gives back the record and what tools wrote."""

from __future__ import annotations

import io
import socket
import tarfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from perle.cores.registry import resolve_any
from perle.flow.tools import ToolMissing, end_all
from perle.measure import runner
from perle.measure.target import chosen
from perle.results import Measurement

ENDING_SECONDS = 10.0
LARGEST = 1 << 20
"""Bytes of a file that comes back: logs and reports do, netlists stay where they were made."""


@dataclass(frozen=True)
class Task:
    """A run in words, which any machine with the same sources can do; `sweep` is who asked for it."""

    core: str
    part: str
    target: str
    seed: int
    timeout: float
    sweep: str = ""

    @property
    def wanted(self) -> runner.Wanted:
        """The run, of the sources that are here."""
        [target] = [one for one in chosen(self.target) if one.name == self.target]
        return runner.Wanted(resolve_any(self.core), self.part, target, self.seed)


def task(run: runner.Wanted, timeout: float, sweep: str = "") -> Task:
    """Return a run in words."""
    return Task(run.config.spec, run.part, run.target.name, run.seed, timeout, sweep)


@dataclass(frozen=True)
class Answer:
    """The record as JSON, files of the work folder as tar.gz, and where it was done; or what is missing."""

    record: bytes
    files: bytes
    host: str
    missing: str = ""

    @property
    def measurement(self) -> Measurement:
        """The record."""
        return msgspec.json.decode(self.record, type=Measurement)


def evaluate(one: Task) -> Answer:
    """Run the tools on this machine; a failure of theirs is a record too, a missing one is named."""
    host = socket.gethostname()
    try:
        run = one.wanted
        with _busy_with(one.sweep):
            found = runner.measure(run, timeout=one.timeout)
    except ToolMissing as error:
        return Answer(b"", b"", host, " ".join(str(error).split()))
    return Answer(msgspec.json.encode(found), pack(runner.work_folder(run)), host)


_busy: Counter[str] = Counter()
_lock = threading.Lock()


@contextmanager
def _busy_with(sweep: str) -> Iterator[None]:
    with _lock:
        _busy[sweep] += 1
    try:
        yield
    finally:
        with _lock:
            _busy[sweep] -= 1


def end(sweep: str) -> bool:
    """End the tools that this worker runs for a sweep, and those that follow them; whether nothing is left.

    A worker with several threads that works for another sweep too goes on: a tool does not say whose it is.
    """
    begin = time.monotonic()
    while _busy[sweep] and time.monotonic() < begin + ENDING_SECONDS:
        with _lock:
            alone = +_busy == Counter({sweep: _busy[sweep]})
        if not alone:
            return False
        end_all()
        time.sleep(0.05)
    return not _busy[sweep]


def pack(folder: Path) -> bytes:
    """Return the files of a folder that are no longer than LARGEST, as tar.gz; none where there is none."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for path in _small(folder):
            archive.add(path, path.relative_to(folder).as_posix(), recursive=False)
    return made.getvalue()


def _small(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.stat().st_size <= LARGEST:
            yield path


def unpack(files: bytes, folder: Path) -> None:
    """Put packed files into a folder, beside those that are there: what this machine wrote itself stays.

    ValueError for what is no file, or would lie elsewhere: it comes from another machine. By hand: the first
    releases of Python 3.11, Debian's among them, have no filters of tarfile.
    """
    with tarfile.open(fileobj=io.BytesIO(files), mode="r:gz") as archive:
        for one in archive.getmembers():
            path, content = folder / one.name, archive.extractfile(one) if one.isreg() else None
            if content is None or not path.resolve().is_relative_to(folder.resolve()):
                raise ValueError(f"{one.name} is no file of a work folder")
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content.read())
