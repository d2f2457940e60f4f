# SPDX-License-Identifier: Apache-2.0
"""What comes of a run of a farm, and how it can end otherwise."""

from __future__ import annotations

from dataclasses import dataclass


class FarmError(RuntimeError):
    """A farm cannot go on."""


class NoWorkersError(FarmError):
    """There are no workers with boards that work."""


@dataclass(frozen=True)
class FarmStats:
    """What came of a run up to now.

    `retries`: messages given out again, for a worker that was lost or a board that failed; `faults`: results
    that boards failed to give, or that were wrong; `lost`: workers.
    """

    signed: int
    failed: int
    retries: int
    faults: int
    lost: int
    busy_cycles: int
    workers: tuple[dict[str, object], ...]
