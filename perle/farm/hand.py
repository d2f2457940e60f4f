# SPDX-License-Identifier: Apache-2.0
"""A worker as the client sees it: what it has, what it was given, and how much it takes at a time."""

from __future__ import annotations

from dataclasses import dataclass

from perle.farm.station import Welcome

AHEAD = 2
"""Chunks that a thread of a worker has: one under way, one that waits, so that boards do not."""
CHUNK_SECONDS = 0.5
"""How long a chunk should take: much longer than it takes to send it."""
GROWTH = 4
LARGEST = 2048
BAD_CHUNKS = 3
"""A worker that failed so many chunks in turn, whole, gets no more of them in this run."""


@dataclass
class Hand:
    """A worker in one run. It works when it has the key (`ready`), and is not `refused` for a reason."""

    address: str
    threads: int
    welcome: Welcome | None = None
    ready: bool = False
    refused: str = ""
    gone: bool = False
    size: int = 1
    given: int = 0
    """Chunks that it has."""
    bad: int = 0
    signed: int = 0
    faults: int = 0

    @property
    def works(self) -> bool:
        """Whether it is given work."""
        return self.ready and not self.refused and not self.gone

    @property
    def hungry(self) -> bool:
        """Whether it takes another chunk."""
        return self.works and self.given < AHEAD * self.threads

    def begin(self, welcome: Welcome) -> None:
        """Begin with chunks that give every lane a half of an operation, twice."""
        self.welcome, self.size = welcome, max(1, welcome.lanes)

    def learn(self, good: int, failed: int, seconds: float, why: str) -> None:
        """Count a chunk, and choose the size of the next by how long this one took."""
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
        """Return it as JSON has it."""
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
