# SPDX-License-Identifier: Apache-2.0
"""The client's view of a worker: its state, its chunks of messages, and their size."""

from __future__ import annotations

from dataclasses import dataclass

from perle.farm.station import Welcome

AHEAD = 2
"""Chunks per thread of a worker: one runs and one waits, so that the boards are never idle."""
CHUNK_SECONDS = 0.5
"""Intended duration of a chunk in seconds, much longer than its transfer."""
GROWTH = 4
LARGEST = 2048
BAD_CHUNKS = 3
"""A worker that fails this many successive chunks completely gets no more work in this run."""


@dataclass
class Hand:
    """A worker in one run. It gets work if it has the key (`ready`); `refused`: why it gets none."""

    address: str
    threads: int
    welcome: Welcome | None = None
    ready: bool = False
    refused: str = ""
    gone: bool = False
    size: int = 1
    given: int = 0
    """Chunks that were sent to the worker and not answered yet."""
    bad: int = 0
    signed: int = 0
    faults: int = 0

    @property
    def works(self) -> bool:
        """Whether it gets work."""
        return self.ready and not self.refused and not self.gone

    @property
    def hungry(self) -> bool:
        """Whether it can take another chunk."""
        return self.works and self.given < AHEAD * self.threads

    def begin(self, welcome: Welcome) -> None:
        """Start with chunks of one operation per lane: each lane runs two halves."""
        self.welcome, self.size = welcome, max(1, welcome.lanes)

    def learn(self, good: int, failed: int, seconds: float, why: str) -> None:
        """Count a chunk, and derive the size of the next from its duration."""
        assert self.welcome is not None
        self.signed += good
        self.faults += failed
        self.bad = 0 if good or not failed else self.bad + 1
        if self.bad == BAD_CHUNKS:
            self.refused = f"its boards failed {self.bad} chunks in turn: {why}"
        if good and seconds > 0:
            wanted = int(good / seconds * CHUNK_SECONDS)
            self.size = max(self.welcome.lanes, min(wanted, GROWTH * self.size, LARGEST))

    def told(self) -> dict[str, object]:
        """Return the worker's state as it is printed with --json."""
        known = self.welcome
        return {
            "address": self.address,
            "host": known.host if known else None,
            "board": known.spec if known else None,
            "signed": self.signed,
            "faults": self.faults,
            "state": "lost" if self.gone else "refused" if self.refused else "ready",
            "reason": self.refused,
        }
