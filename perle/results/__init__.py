# SPDX-License-Identifier: Apache-2.0
"""Measurements as they are kept: `results/measure/<target>.jsonl`, one run of the tools a line.

Nothing in those files is typed by hand: `perle measure` writes them. A measurement says what was measured
(configuration, part, target, seed), from which sources, with which tools, and what came out, or that it
failed. It counts only for what it was made of (`perle.results.identity`).
"""

from __future__ import annotations

import json
import os
import statistics
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import asdict

from perle.flow.cache import lock_file, take
from perle.flow.places import INSTALLED, RESULTS, measurements

FOLDER = measurements()
DESIGNS = RESULTS / "soc"
"""What designs for boards reached, in the same form."""

SHIPPED = RESULTS / "measure" if INSTALLED else None

Metrics = dict[str, float]


class Measurement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One run of the tools. `error` is empty unless it failed; then there are no metrics."""

    core: str  # FAMILY:CONFIG
    part: str  # mul, exp, pe, or board of an active memory
    target: str
    seed: int
    params: dict[str, int]
    tools: dict[str, str]
    date: str
    seconds: float
    metrics: Metrics = {}
    error: str = ""
    files: dict[str, str] = {}  # what it was made of: fingerprints of sources,
    settings: dict[str, Any] = {}  # and everything else by value
    device: str = ""  # the target, in words
    circuit: dict[str, str] = {}  # what was placed: `perle.flow.circuit`
    renamed: bool = False  # measured when cells or nets of the same circuit had other names

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What a store holds one of."""
        return self.target, self.core, self.part, self.seed


class Store:
    """The measurements of a folder; safe against several writers."""

    def __init__(self, folder: Path = FOLDER, shipped: Path | None = SHIPPED) -> None:
        """Take a folder; what `shipped` has besides can be read, and is not written."""
        self.folder, self.shipped = folder, shipped

    def load(self, target: str | None = None) -> list[Measurement]:
        """Return all measurements, or those of a target; ValueError names the file, line and key at fault."""
        kept = {one.key: one for one in self._shipped(target)} | {one.key: one for one in self._own(target)}
        return list(kept.values())

    def _own(self, target: str | None) -> list[Measurement]:
        return _of_folder(self.folder, target)

    def _shipped(self, target: str | None) -> list[Measurement]:
        return _of_folder(self.shipped, target) if self.shipped else []

    def put(self, fresh: Measurement) -> None:
        """Keep a measurement in place of the one of the same key."""
        with self._locked():
            kept = {one.key: one for one in self._own(fresh.target)} | {fresh.key: fresh}
            lines = (json.dumps(asdict(kept[key]), sort_keys=True) + "\n" for key in sorted(kept))
            path = self._file(fresh.target)
            number, scratch = tempfile.mkstemp(prefix=f".{path.name}.", dir=self.folder)
            with os.fdopen(number, "w", encoding="utf-8") as file:
                file.writelines(lines)
            Path(scratch).chmod(0o644)
            os.replace(scratch, path)

    def find(self, target: str, core: str, part: str) -> list[Measurement]:
        """Return the runs of a core on a target, one a seed."""
        return [one for one in self.load(target) if (one.core, one.part) == (core, part)]

    def _file(self, target: str) -> Path:
        return self.folder / f"{target}.jsonl"

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self.folder.mkdir(parents=True, exist_ok=True)
        with lock_file(self.folder / ".lock") as file:
            take(file, f"a record in {self.folder}")
            yield


def _of_folder(folder: Path, target: str | None) -> list[Measurement]:
    names = sorted(folder.glob("*.jsonl")) if target is None else [folder / f"{target}.jsonl"]
    return [one for name in names if name.exists() for one in _read(name)]


def _read(path: Path) -> list[Measurement]:
    return [_measurement(line, f"{path}:{n}") for n, line in enumerate(path.read_bytes().splitlines(), 1)]


def _measurement(line: bytes, place: str) -> Measurement:
    try:
        return msgspec.json.decode(line, type=Measurement)
    except msgspec.DecodeError as fault:
        raise ValueError(f"{place}: {fault}") from fault


@dataclass(frozen=True)
class Spread:
    """A figure over several seeds."""

    median: float
    least: float
    most: float
    count: int


def spread(runs: Iterable[Measurement], metric: str) -> Spread | None:
    """Return how a metric spreads over the runs that have it; None where none has."""
    values = [run.metrics[metric] for run in runs if not run.error and metric in run.metrics]
    if not values:
        return None
    return Spread(statistics.median(values), min(values), max(values), len(values))
