# SPDX-License-Identifier: Apache-2.0
"""How a search chooses its points."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

TRIALS, SEED = 100, 1
"""Unless said."""


class Method(StrEnum):
    """TPE learns where good points are dense, NSGA-II breeds points of those that are best so far."""

    tpe = "tpe"
    nsga2 = "nsga2"


@dataclass(frozen=True)
class How:
    """The method, how many points are measured at most, and the seed of all random choices."""

    method: Method
    trials: int = TRIALS
    seed: int = SEED
