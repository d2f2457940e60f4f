# SPDX-License-Identifier: Apache-2.0
"""Measurements as they are kept: `results/measure/<target>.jsonl`, one run of the tools a line.

Nothing in those files is typed by hand: `perle measure` writes them. A measurement says what was measured
(configuration, part, target, seed), from which sources, with which tools, and what came out, or that it
failed. It counts only for what it was made of (`perle.results.identity`).
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


class Store(Lines[Measurement]):
    """The measurements of a folder, a file a target."""

    def __init__(self, folder: Path = FOLDER, shipped: Path | None = SHIPPED) -> None:
        """Take a folder; what `shipped` has besides can be read, and is not written."""
        super().__init__(Measurement, folder, shipped)

    def put(self, fresh: Measurement) -> None:
        """Keep a measurement in place of the one of the same key."""
        self.keep(fresh.target, fresh)

    def find(self, target: str, core: str, part: str) -> list[Measurement]:
        """Return the runs of a core on a target, one a seed."""
        return [one for one in self.load(target) if (one.core, one.part) == (core, part)]


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
