# SPDX-License-Identifier: Apache-2.0
"""The statistics of a farm's run, and its errors."""

from __future__ import annotations

from dataclasses import dataclass


class FarmError(RuntimeError):
    """A farm cannot continue."""


class NoWorkersError(FarmError):
    """No worker has working boards."""


@dataclass(frozen=True)
class FarmStats:
    """The statistics of a run so far.

    `retries`: messages given out again, after the loss of a worker or a board fault; `faults`: results that
    were missing or wrong; `lost`: workers lost.
    """

    signed: int
    failed: int
    retries: int
    faults: int
    lost: int
    busy_cycles: int
    workers: tuple[dict[str, object], ...]
