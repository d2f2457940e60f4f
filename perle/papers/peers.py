# SPDX-License-Identifier: Apache-2.0
"""Figures of other open cores that were measured elsewhere, as data: `peers.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from perle.papers import PEERS, PaperError


@dataclass(frozen=True)
class Peer:
    """A core: device multipliers, LUT4, MHz, and µs of a product."""

    key: str
    title: str
    url: str
    dsp: int
    lut: int
    fmax_mhz: float
    us: float

    @property
    def cycles(self) -> float:
        """Cycles of a product that clock and time stand for: MHz · µs."""
        return self.fmax_mhz * self.us


@dataclass(frozen=True)
class Peers:
    """The cores, and how and for what they were measured."""

    how: str
    target: str
    bits: int
    seeds: int
    cores: tuple[Peer, ...]


@cache
def load_peers(path: Path = PEERS) -> Peers:
    """Return the cores of the file; PaperError names an entry that is malformed."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    try:
        cores = tuple(Peer(key=key, **entry) for key, entry in data["peer"].items())
        return Peers(**data["measured"], cores=cores)
    except (KeyError, TypeError) as error:
        raise PaperError(f"{path.name}: {error}") from None
