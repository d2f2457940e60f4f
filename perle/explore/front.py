# SPDX-License-Identifier: Apache-2.0
"""The Pareto front of measurements, and those near it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import TypeVar

from perle.cores.registry import resolve_any
from perle.explore.objectives import USUAL, costs
from perle.results import Measurement, names

K = TypeVar("K")


def near(costs: Mapping[K, Sequence[float]], slack: float = 0.0) -> list[K]:
    """Return the keys whose costs are not beaten by more than `slack`, in every figure, by another key.

    Smaller costs are better. Slack 0 gives the Pareto front, including all of several equal keys. A cost of
    zero is never beaten, whatever the slack.
    """

    def beaten(mine: Sequence[float], other: Sequence[float]) -> bool:
        pairs = list(zip(mine, other, strict=True))
        return all(b * (1 + slack) <= a for a, b in pairs) and any(b < a for a, b in pairs)

    return [key for key, mine in costs.items() if not any(beaten(mine, other) for other in costs.values())]


def medians(
    runs: Iterable[Measurement], figures: Sequence[str] = USUAL
) -> dict[tuple[str, str], dict[str, float]]:
    """Return the costs of every core on every target: medians over the seeds that succeeded."""
    groups: dict[tuple[str, str], list[dict[str, float]]] = {}
    for one in runs:
        if not one.error:
            groups.setdefault((one.core, one.target), []).append(costs(one, figures))
    return {
        key: {name: median(one[name] for one in seeds if name in one) for name in seeds[0]}
        for key, seeds in groups.items()
    }


def worth(runs: Iterable[Measurement], slack: float, figures: Sequence[str] = USUAL) -> list[tuple[str, str]]:
    """Return cores and targets near the front.

    Cores are compared with those of the same width on the same device and speed grade, whatever clock place
    and route optimized for.
    """
    groups: dict[tuple[str, int], dict[tuple[str, str], dict[str, float]]] = {}
    for (core, target), one in medians(runs, figures).items():
        width = resolve_any(core).params.get("Width", 0)
        groups.setdefault((names.grade(target), width), {})[core, target] = one
    return [one for group in groups.values() for one in near(_vectors(group), slack)]


def _vectors(group: Mapping[K, Mapping[str, float]]) -> dict[K, list[float]]:
    """Return cost vectors with the same order of figures; a resource that a core does not use costs 0."""
    figures = sorted({name for one in group.values() for name in one})
    return {key: [one.get(name, 0.0) for name in figures] for key, one in group.items()}
