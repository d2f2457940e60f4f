# SPDX-License-Identifier: Apache-2.0
"""Which measurements are of today's hardware, told without asking any target.

A measurement carries two hashes. `sources` is over everything that went into the tools, leaf cells and
settings of the target included; `perle measure` compares it and runs again what has changed. `hardware` is
over the core alone: its files in compile order, those of the exponentiator where that was measured, and its
parameters. Reports compare this one, since they know no targets.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from perle.cores.registry import Config, UnknownCoreError, exponentiator_files, resolve_any
from perle.results import Measurement

PLACED = {"mul_pair": "mul", "exp_pair": "exp", "engines": "engine"}
"""Parts of which several are placed together, and what each of them is."""


def together(config: Config, part: str) -> tuple[Config, ...]:
    """Return the configurations that a part places together: the one itself, and what is beside it."""
    family = config.family
    if part.endswith("_pair"):
        return config, config
    if part == "engines" and family.engine is not None:
        return config, *map(family.config, family.engine.beside.get(config.name, ()))
    return (config,)


def part_files(config: Config, part: str) -> tuple[Path, ...]:
    """Return the files of a part of a configuration in compile order, before any target touches them."""
    family = config.family
    if part.startswith("engine") and family.engine is not None:
        return family.engine.files
    if PLACED.get(part, part) != "exp":
        return family.files
    return (*family.files, *exponentiator_files(family), family.folder / f"perle_{family.name}_exp.sv")


def hardware(config: Config, part: str) -> str:
    """Return 16 hex digits over the core's own files and parameters, for a part of a configuration."""
    digest = hashlib.sha256()
    for path in part_files(config, part):
        content = path.read_bytes()
        digest.update(f"{path.name}\0{len(content)}\0".encode() + content)
    params = [one.params for one in together(config, part)]
    digest.update(json.dumps([part, *params], sort_keys=True).encode())
    return digest.hexdigest()[:16]


def current(runs: Iterable[Measurement]) -> list[Measurement]:
    """Return the runs that are of today's hardware, failed ones included; a core that is gone has none."""
    today: dict[tuple[str, str], str | None] = {}
    kept = []
    for one in runs:
        key = (one.core, one.part)
        if key not in today:
            today[key] = _today(*key)
        if one.hardware and one.hardware == today[key]:
            kept.append(one)
    return kept


def _today(core: str, part: str) -> str | None:
    try:
        return hardware(resolve_any(core), part)
    except UnknownCoreError:
        return None
