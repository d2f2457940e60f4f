# SPDX-License-Identifier: Apache-2.0
"""The parts of a core that are measured: what each is made of, before any target touches it."""

from __future__ import annotations

from pathlib import Path

from perle.boards import exponentiator
from perle.cores.registry import Config

PLACED = {"mul_pair": "mul", "exp_pair": "exp", "engines": "engine"}
"""Parts of which several are placed together, and what each of them is."""


def together(config: Config, part: str) -> tuple[Config, ...]:
    """Return the configurations that a part places together: itself, and those co-placed with it."""
    family = config.family
    if part.endswith("_pair"):
        return config, config
    if part == "engines" and family.engine is not None:
        return config, *map(family.config, family.engine.co_placed.get(config.name, ()))
    return (config,)


def part_files(config: Config, part: str) -> tuple[Path, ...]:
    """Return the files of a part of a configuration in compile order."""
    family = config.family
    if part.startswith("engine") and family.engine is not None:
        return family.engine.files
    if PLACED.get(part, part) != "exp":
        return family.files
    return exponentiator.files(family)
