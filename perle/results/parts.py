# SPDX-License-Identifier: Apache-2.0
"""The parts of a core that are measured: what each is made of, before any target touches it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from perle.boards import exponentiator
from perle.cores.registry import Config
from perle.results import names

PLACED = {"mul_pair": "mul", "exp_pair": "exp", "engines": "engine"}
"""Parts of which several are placed together, and what each of them is."""


@dataclass(frozen=True)
class Member:
    """One of the configurations that a part places together. `lanes` of its engine; 0: what saturates it."""

    config: Config
    lanes: int = 0

    @property
    def engine_lanes(self) -> int:
        """Lanes of its engine: as many as were asked for, else two for each thread."""
        own = self.config.family.engine
        assert own is not None, f"{self.config.spec} has no engine"
        threads: int = self.config.family.module(own.model).threads(self.config.params)
        return self.lanes or 2 * threads


def members(config: Config, part: str, target: str = "") -> tuple[Member, ...]:
    """Return what a part places together: a configuration, and what is co-placed with it on that target.

    Engines fill a device, so that how many there are depends on it.
    """
    family = config.family
    if part.endswith("_pair"):
        return Member(config), Member(config)
    if part != "engines" or family.engine is None:
        return (Member(config),)
    own = family.engine.fills.get(names.device(target), {}).get(config.name)
    if own is not None:
        return tuple(Member(family.config(one.config or config.name), one.lanes) for one in own)
    others = family.engine.co_placed.get(config.name, ())
    return Member(config), *(Member(family.config(name)) for name in others)


def together(config: Config, part: str, target: str = "") -> tuple[Config, ...]:
    """Return the configurations of what a part places together."""
    return tuple(one.config for one in members(config, part, target))


def filling(config: Config) -> bool:
    """Return whether there is a device of which it is known which engines fill it."""
    own = config.family.engine
    return own is not None and any(config.name in device for device in (own.co_placed, *own.fills.values()))


def part_files(config: Config, part: str) -> tuple[Path, ...]:
    """Return the files of a part of a configuration in compile order."""
    family = config.family
    if part.startswith("engine") and family.engine is not None:
        return family.engine.files
    if PLACED.get(part, part) != "exp":
        return family.files
    return exponentiator.files(family)
