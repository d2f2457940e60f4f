# SPDX-License-Identifier: Apache-2.0
"""The points of a space, generated on demand, because there may be more than can be listed.

A point is a start (a family with one of its configurations, or its defaults) and a value of each parameter
that the space varies. Only points of the same width are compared with each other, so each width has its own
points.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from perle.cores.registry import Config, Family
from perle.explore.space import Grid, Space, family_of, start_of

Place = tuple[int, ...]
"""A point: the index of its start, and for each parameter varied from that start the index of its value."""
START = "start"
Genes = Mapping[str, int]
"""A point for a sampler: `START`, and the index of a value for every parameter that any start varies."""


@dataclass(frozen=True)
class Start:
    """A family, its fixed parameters, and the sorted values of the parameters that vary."""

    family: Family
    base: str | None
    fixed: Mapping[str, int]
    values: Mapping[str, tuple[int, ...]]

    @property
    def size(self) -> int:
        """The number of its points: the product of the numbers of values."""
        return math.prod(map(len, self.values.values()))

    @property
    def defaults(self) -> dict[str, int]:
        """The default parameters of the family."""
        return {name: one.default for name, one in self.family.params.items()}

    def chosen(self, numbers: Sequence[int]) -> dict[str, int]:
        """Return the parameters of a point, from the index of each value."""
        pairs = zip(self.values.items(), numbers, strict=True)
        return {**self.fixed, **{name: values[number] for (name, values), number in pairs}}


@dataclass(frozen=True)
class Points:
    """All points of one width in bits; width 0 is for cores without one."""

    width: int
    starts: tuple[Start, ...]

    @property
    def size(self) -> int:
        """The number of points, including those that cannot be built."""
        return sum(one.size for one in self.starts)

    @cached_property
    def names(self) -> tuple[dict[str, str], ...]:
        """For each start, the gene of each parameter; starts with equal values share the gene."""
        lists: dict[str, list[tuple[int, ...]]] = {}
        found = []
        for start in self.starts:
            mine = {}
            for name, values in start.values.items():
                known = lists.setdefault(name, [])
                if values not in known:
                    known.append(values)
                number = known.index(values)
                mine[name] = f"{name}#{number}" if number else name
            found.append(mine)
        return tuple(found)

    @cached_property
    def genes(self) -> dict[str, int]:
        """The number of values of each gene."""
        found = {START: len(self.starts)}
        for start, names in zip(self.starts, self.names, strict=True):
            found |= {names[name]: len(values) for name, values in start.values.items()}
        return found

    def place(self, genes: Genes) -> Place:
        """Return the point that genes describe; genes of other starts are ignored."""
        start = genes[START]
        return (start, *(genes[gene] for gene in self.names[start].values()))

    def described(self, place: Place) -> dict[str, int]:
        """Return genes that describe a point; genes of other starts are 0."""
        start, *numbers = place
        mine = zip(self.names[start].values(), numbers, strict=True)
        return {**dict.fromkeys(self.genes, 0), START: start, **dict(mine)}

    def config(self, place: Place) -> Config:
        """Return the configuration of a point; UnknownCoreError if the family does not allow it."""
        start = self.starts[place[0]]
        return start.family.config_of(start.chosen(place[1:]))

    def text(self, place: Place) -> str:
        """Return a name made of the parameters, for any point, whether it can be built or not."""
        start = self.starts[place[0]]
        said = "".join(f" {name}={value}" for name, value in start.chosen(place[1:]).items())
        return f"{start.family.name}{f':{start.base}' if start.base else ''}{said}"

    def places(self, config: Config) -> Iterator[Place]:
        """Yield every point of a configuration; there are several if starts overlap."""
        for number, start in enumerate(self.starts):
            values = start.values.items()
            if start.family.name != config.family.name or any(config.params[k] not in v for k, v in values):
                continue
            numbers = [listed.index(config.params[name]) for name, listed in values]
            if {**start.defaults, **start.chosen(numbers)} == config.params:
                yield (number, *numbers)

    def numbered(self, number: int) -> Place:
        """Return the point with an index from 0 to size − 1; the last parameter varies fastest."""
        for place, start in enumerate(self.starts):
            if number < start.size:
                digits: list[int] = []
                for values in reversed(list(start.values.values())):
                    number, digit = divmod(number, len(values))
                    digits.insert(0, digit)
                return (place, *digits)
            number -= start.size
        raise IndexError(number)


def of_space(space: Space) -> list[Points]:
    """Return the points of a space, by width; SpaceError for an invalid space."""
    found: dict[int, list[Start]] = {}
    for grid in space.grids:
        for width, start in _starts(grid):
            known = found.setdefault(width, [])
            if start not in known:
                known.append(start)
    return [Points(width, tuple(starts)) for width, starts in found.items()]


def _starts(grid: Grid) -> Iterator[tuple[int, Start]]:
    family = family_of(grid)
    varied = {name: tuple(sorted(set(values))) for name, values in grid.values.items() if name != "Width"}
    for base in grid.names or (None,):
        fixed = start_of(family, base)
        default = family.params["Width"].default if "Width" in family.params else 0
        for width in grid.values.get("Width", (None,)):
            more = {} if width is None else {"Width": width}
            start = Start(family, base, {**fixed, **more}, varied)
            yield (fixed.get("Width", default) if width is None else width), start
