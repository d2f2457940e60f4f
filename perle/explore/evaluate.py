# SPDX-License-Identifier: Apache-2.0
"""A measurement by a worker: it receives a description, and returns the record and the tools' files."""

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
from perle.measure.target import named
from perle.results import Measurement

ENDING_SECONDS = 10.0
LARGEST = 1 << 20
"""Maximum size in bytes of a file that a worker sends back: logs and reports, but not netlists."""


@dataclass(frozen=True)
class Task:
    """The description of a run, for any machine with the same sources; `sweep` names its sweep."""

    core: str
    part: str
    target: str
    seed: int
    timeout: float
    sweep: str = ""

    @property
    def wanted(self) -> runner.Wanted:
        """The run, with the sources of this machine."""
        return runner.Wanted(resolve_any(self.core), self.part, named(self.target), self.seed)


def task(run: runner.Wanted, timeout: float, sweep: str = "") -> Task:
    """Return the description of a run."""
    return Task(run.config.spec, run.part, run.target.name, run.seed, timeout, sweep)


@dataclass(frozen=True)
class Answer:
    """The record as JSON, the files of the work folder as tar.gz, and the host; or the missing tool."""

    record: bytes
    files: bytes
    host: str
    missing: str = ""

    @property
    def measurement(self) -> Measurement:
        """The record."""
        return msgspec.json.decode(self.record, type=Measurement)


def evaluate(one: Task) -> Answer:
    """Run the tools on this machine; their failure is recorded too, a missing tool is named."""
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
    """End the tools that this worker runs for a sweep, and following ones; return whether none is left.

    Nothing is ended if the worker has threads for another sweep too: tools cannot be told apart.
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
    """Return the files of a folder up to LARGEST bytes as tar.gz; empty if there is no such folder."""
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
    """Unpack files into a folder; files that this machine wrote there itself are kept.

    The archive comes from another machine: ValueError for anything but files inside the folder. Checked here
    because early releases of Python 3.11, such as Debian's, have no tarfile filters.
    """
    with tarfile.open(fileobj=io.BytesIO(files), mode="r:gz") as archive:
        for one in archive.getmembers():
            path, content = folder / one.name, archive.extractfile(one) if one.isreg() else None
            if content is None or not path.resolve().is_relative_to(folder.resolve()):
                raise ValueError(f"{one.name} is no file of a work folder")
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content.read())
