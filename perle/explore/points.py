# SPDX-License-Identifier: Apache-2.0
"""A space as points that are made when they are asked for: it may have more than can be listed.

A point is where it starts, a family with one of its configurations or its defaults, and a value of each
parameter that the space varies. Only points of one width are compared with each other, so that each width
has its own points.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from perle.cores.registry import Config, Family
from perle.explore.space import Grid, Space, family_of, start_of

Place = tuple[int, ...]
"""A point: the number of its start, and of the value of each parameter of this start."""
START = "start"
Genes = Mapping[str, int]
"""A point as a sampler has it: `START`, and the number of a value for each parameter of any start."""


@dataclass(frozen=True)
class Start:
    """A family, what its parameters are unless they vary, and the sorted values of those that do."""

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
        """The parameters that its family has where nothing is said."""
        return {name: one.default for name, one in self.family.params.items()}

    def chosen(self, numbers: Sequence[int]) -> dict[str, int]:
        """Return the parameters of a point, by the number of each value."""
        pairs = zip(self.values.items(), numbers, strict=True)
        return {**self.fixed, **{name: values[number] for (name, values), number in pairs}}


@dataclass(frozen=True)
class Points:
    """All points of a width in bits; 0: of cores that have none."""

    width: int
    starts: tuple[Start, ...]

    @property
    def size(self) -> int:
        """How many there are, those that cannot be built included."""
        return sum(one.size for one in self.starts)

    @cached_property
    def names(self) -> tuple[dict[str, str], ...]:
        """For each start: the gene of each parameter; starts with the same values of one share its gene."""
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
        """How many values each gene has."""
        found = {START: len(self.starts)}
        for start, names in zip(self.starts, self.names, strict=True):
            found |= {names[name]: len(values) for name, values in start.values.items()}
        return found

    def place(self, genes: Genes) -> Place:
        """Return the point that genes describe; those of other starts do not count."""
        start = genes[START]
        return (start, *(genes[gene] for gene in self.names[start].values()))

    def described(self, place: Place) -> dict[str, int]:
        """Return genes that describe a point; those that do not count are 0."""
        start, *numbers = place
        mine = zip(self.names[start].values(), numbers, strict=True)
        return {**dict.fromkeys(self.genes, 0), START: start, **dict(mine)}

    def config(self, place: Place) -> Config:
        """Return the configuration of a point; UnknownCoreError where its family does not allow it."""
        start = self.starts[place[0]]
        return start.family.config_of(start.chosen(place[1:]))

    def text(self, place: Place) -> str:
        """Name a point by its parameters, whether it can be built or not."""
        start = self.starts[place[0]]
        said = "".join(f" {name}={value}" for name, value in start.chosen(place[1:]).items())
        return f"{start.family.name}{f':{start.base}' if start.base else ''}{said}"

    def places(self, config: Config) -> Iterator[Place]:
        """Yield every point that is this configuration: several where starts overlap."""
        for number, start in enumerate(self.starts):
            values = start.values.items()
            if start.family.name != config.family.name or any(config.params[k] not in v for k, v in values):
                continue
            numbers = [listed.index(config.params[name]) for name, listed in values]
            if {**start.defaults, **start.chosen(numbers)} == config.params:
                yield (number, *numbers)

    def numbered(self, number: int) -> Place:
        """Return the point of a number from 0 to size − 1: the last parameter varies fastest."""
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
    """Return the points of a space by their width; SpaceError where it makes no sense."""
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
