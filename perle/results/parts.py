# SPDX-License-Identifier: Apache-2.0
"""The measured parts of a core: the contents of each, independent of any target."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from perle.boards import exponentiator
from perle.cores.registry import Config
from perle.results import names

PLACED = {"mul_pair": "mul", "exp_pair": "exp", "engines": "engine"}
"""Parts that consist of several co-placed copies, and the part that each copy is."""


@dataclass(frozen=True)
class Member:
    """A configuration in a part of one or more. `lanes` of its engine; 0: as many as saturate it."""

    config: Config
    lanes: int = 0

    @property
    def name(self) -> str:
        """Its configuration, with its lanes if the device determines their number."""
        return f"{self.config.name} ({self.lanes} lanes)" if self.lanes else self.config.name

    @property
    def engine_lanes(self) -> int:
        """Lanes of its engine: `lanes`, else as many as saturate it."""
        own = self.config.family.engine
        assert own is not None, f"{self.config.spec} has no engine"
        saturating: int = self.config.family.module(own.model).measured_lanes(self.config.params)
        return self.lanes or saturating


def members(config: Config, part: str, target: str = "") -> tuple[Member, ...]:
    """Return the members of a part: a configuration, and those co-placed with it on that target.

    The number of engines depends on the target, because they fill its device.
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
    """Return the configurations of the members of a part."""
    return tuple(one.config for one in members(config, part, target))


def filling(config: Config) -> bool:
    """Return whether the engines that fill a device are known for any device."""
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
