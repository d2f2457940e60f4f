# SPDX-License-Identifier: Apache-2.0
"""Stores of measurements made up for tests: figures that are easy to follow, of today's hardware or not."""

from __future__ import annotations

from pathlib import Path

from perle.cores.registry import resolve_any
from perle.results import Measurement, Store, identity
from perle.results.parts import part_files
from perle.results.view import View

Given = dict[tuple[str, str], dict[str, float]]
"""(FAMILY:CONFIG, target) → metrics; a part other than `mul` follows the target: `ihp130/pe`."""


def made_up(
    core: str, target: str, metrics: dict[str, float], *, part: str = "mul", seed: int = 1, error: str = ""
) -> Measurement:
    """Return a measurement of today's core; `error=` makes it a failure."""
    config = resolve_any(core)
    return Measurement(
        core=core,
        part=part,
        target=target,
        seed=seed,
        params=dict(config.params),
        tools={"tool": "1"},
        date="2026-01-01",
        seconds=1.0,
        metrics=metrics,
        error=error,
        files=identity.files(part_files(config, part)),
        settings={"cores": identity.parameters(config, part, target)},
        device=f"the device {target}",
    )


def store(folder: Path, given: Given) -> Store:
    """Return a store with one run a place."""
    found = Store(folder)
    for (core, where), metrics in given.items():
        target, _, part = where.partition("/")
        found.put(made_up(core, target, metrics, part=part or "mul"))
    return found


def view(folder: Path, given: Given) -> View:
    """Return the view of such a store."""
    return View(store(folder, given))
