# SPDX-License-Identifier: Apache-2.0
"""A space of configurations: families and values of their parameters, targets, seeds; from TOML or options.

Combinations that cannot be built belong to the space too: they are returned with the reason.
"""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import msgspec

from perle.cores.registry import Config, Family, UnknownCoreError, any_family
from perle.flow.tools import DesignError
from perle.measure.design import NoSuchPartError, parts
from perle.measure.runner import MOST_SEEDS, Wanted, wanted
from perle.measure.target import UnknownTargetError, all_chosen, clocked

FIRST = ""
"""In place of a part's name: the part that `perle measure` uses by default."""
NEAR = 0.25
"""Default relative distance from the front of the screen up to which cores are placed and routed."""


class SpaceError(ValueError):
    """An invalid space; the message names the file or option and the fault."""


@dataclass(frozen=True)
class Grid:
    """A family with values for some of its parameters, in all combinations.

    `names`: configurations to which the values are applied; empty: the family's defaults.
    """

    family: str
    values: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Screen:
    """A target for synthesis only; cores within `near` of its front continue."""

    target: str
    near: float = NEAR


@dataclass(frozen=True)
class Space:
    """Grids to measure on targets, with a number of seeds, after a screen if there is one."""

    grids: tuple[Grid, ...]
    targets: tuple[str, ...]
    part: str = FIRST
    seeds: int = 1
    screen: Screen | None = None


@dataclass(frozen=True)
class Infeasible:
    """A point that cannot be built, and why."""

    what: str
    reason: str


class _Grid(msgspec.Struct):
    family: str
    configs: list[str] = []


class _Screen(msgspec.Struct, forbid_unknown_fields=True):
    target: str
    near: Annotated[float, msgspec.Meta(ge=0)] = NEAR


class _File(msgspec.Struct, forbid_unknown_fields=True):
    cores: Annotated[list[dict[str, Any]], msgspec.Meta(min_length=1)]
    targets: Annotated[list[str], msgspec.Meta(min_length=1)]
    part: str = FIRST
    seeds: Annotated[int, msgspec.Meta(ge=1, le=MOST_SEEDS)] = 1
    screen: _Screen | None = None
    clocks: list[Annotated[float, msgspec.Meta(gt=0)]] = []


def read(path: Path) -> Space:
    """Return the space in a file; SpaceError names a fault in it, OSError if it cannot be read."""
    try:
        said = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _File)
        grids = tuple(map(_grid, said.cores))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError, SpaceError) as fault:
        raise SpaceError(f"{path}: {fault}") from None
    screen = None if said.screen is None else Screen(said.screen.target, said.screen.near)
    return Space(grids, clocked(said.targets, said.clocks), said.part, said.seeds, screen)


def _grid(said: Mapping[str, Any]) -> Grid:
    known = msgspec.convert({k: v for k, v in said.items() if k in ("family", "configs")}, _Grid)
    if not known.configs and "configs" in said:
        raise SpaceError(f"{known.family}.configs: empty; without it, parameters have their defaults")
    values = {}
    for name, one in said.items():
        if name not in ("family", "configs"):
            listed = one if isinstance(one, list) else [one]
            if not listed or not all(type(each) is int for each in listed):
                raise SpaceError(f"{known.family}.{name}: not a number or a list of numbers")
            values[name] = tuple(listed)
    return Grid(known.family, values, tuple(known.configs))


def configs(grid: Grid) -> tuple[list[Config], list[Infeasible]]:
    """Return the configurations of a grid, and the combinations that the family does not allow."""
    family = family_of(grid)
    found: dict[str, Config] = {}
    left: list[Infeasible] = []
    for base in grid.names or (None,):
        start = start_of(family, base)
        for values in itertools.product(*grid.values.values()):
            params = {**start, **dict(zip(grid.values, values, strict=True))}
            said = " ".join(f"{name}={value}" for name, value in zip(grid.values, values, strict=True))
            try:
                config = family.config_of(params)
            except UnknownCoreError as error:
                left.append(Infeasible(f"{family.name}{f':{base}' if base else ''} {said}", str(error)))
            else:
                found[config.spec] = config
    return list(found.values()), left


def family_of(grid: Grid) -> Family:
    """Return the family of a grid; SpaceError for an unknown family or parameter."""
    try:
        family = any_family(grid.family)
    except UnknownCoreError as error:
        raise SpaceError(str(error)) from None
    unknown = [name for name in grid.values if name not in family.params]
    if unknown:
        raise SpaceError(
            f"family {family.name} has no parameter {unknown[0]}; it has: {', '.join(family.params)}"
        )
    return family


def start_of(family: Family, name: str | None) -> dict[str, int]:
    """Return the parameters of a configuration, to which values are applied; {} for None, the defaults."""
    try:
        return {} if name is None else family.config(name).params
    except UnknownCoreError as error:
        raise SpaceError(str(error)) from None


def expand(space: Space) -> tuple[list[Wanted], list[Infeasible]]:
    """Return the runs of a space on its targets, in order, and what cannot be built."""
    return runs_on(space, *all_configs(space), space.targets, space.seeds)


def all_configs(space: Space) -> tuple[list[Config], list[Infeasible]]:
    """Return the configurations of all grids, and the combinations that families do not allow."""
    found, left = [], []
    for grid in space.grids:
        more, out = configs(grid)
        found += more
        left += out
    return list({one.spec: one for one in found}.values()), left


def runs_on(
    space: Space, some: Sequence[Config], left: Sequence[Infeasible], targets: Sequence[str], seeds: int
) -> tuple[list[Wanted], list[Infeasible]]:
    """Return the runs of configurations on targets, and `left` with what a target cannot build added."""
    try:
        devices = all_chosen(targets)
    except UnknownTargetError as error:
        raise SpaceError(str(error)) from None
    runs, out = [], list(left)
    for config in some:
        for device in devices:
            try:
                more = wanted(config, space.part or parts(config)[0], [device], seeds)
                for run in more:
                    run.prepared()
            except (NoSuchPartError, DesignError) as error:
                out.append(Infeasible(config.spec, str(error)))
            else:
                runs += more
    return runs, list(dict.fromkeys(out))
