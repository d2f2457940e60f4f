# SPDX-License-Identifier: Apache-2.0
"""Settings of a search."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

TRIALS, SEED = 100, 1
"""Default number of trials and default seed."""


class Method(StrEnum):
    """TPE models where good points are dense; NSGA-II recombines the best points so far."""

    tpe = "tpe"
    nsga2 = "nsga2"


@dataclass(frozen=True)
class How:
    """The method, the largest number of points to measure, and the seed of all random choices."""

    method: Method
    trials: int = TRIALS
    seed: int = SEED
