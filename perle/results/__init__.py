# SPDX-License-Identifier: Apache-2.0
"""Recorded measurements: `results/measure/<target>.jsonl`, one line per run of the tools.

The files are written by `perle measure` only. A measurement contains what was measured (configuration, part,
target, seed), the sources and tools, and the result or the error. It is current only as long as everything
that it depends on is unchanged (`perle.results.identity`).
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from perle.flow.places import INSTALLED, RESULTS, measurements
from perle.results.lines import Lines

FOLDER = measurements()
DESIGNS = RESULTS / "soc"
"""Records of designs for FPGA boards, in the same form as those of measurements."""

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
    files: dict[str, str] = {}  # its identity: fingerprints of sources,
    settings: dict[str, Any] = {}  # and all other dependencies by value
    device: str = ""  # description of the target
    circuit: dict[str, str] = {}  # what was placed: `perle.flow.circuit`
    renamed: bool = False  # measured with other names of cells or nets of the same circuit

    @property
    def key(self) -> tuple[str, str, str, int]:
        """Key that is unique in a store."""
        return self.target, self.core, self.part, self.seed


class Store(Lines[Measurement]):
    """The measurements of a folder, one file per target."""

    def __init__(self, folder: Path = FOLDER, shipped: Path | None = SHIPPED) -> None:
        """Use a folder; measurements in `shipped` are read too, but never written."""
        super().__init__(Measurement, folder, shipped)

    def put(self, fresh: Measurement) -> None:
        """Store a measurement, replacing the one with the same key."""
        self.keep(fresh.target, fresh)

    def find(self, target: str, core: str, part: str) -> list[Measurement]:
        """Return the runs of a core on a target, one per seed."""
        return [one for one in self.load(target) if (one.core, one.part) == (core, part)]


@dataclass(frozen=True)
class Spread:
    """A figure over several seeds."""

    median: float
    least: float
    most: float
    count: int


def spread(runs: Iterable[Measurement], metric: str) -> Spread | None:
    """Return the spread of a metric over the runs that have it; None if none has."""
    values = [run.metrics[metric] for run in runs if not run.error and metric in run.metrics]
    if not values:
        return None
    return Spread(statistics.median(values), min(values), max(values), len(values))
