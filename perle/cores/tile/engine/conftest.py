# SPDX-License-Identifier: Apache-2.0
"""A board with tiles for tests: operations on its lanes, compared with the oracle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from perle.boards import simulated
from perle.cores.registry import Config, family
from perle.verify.engines.board import EngineBoard

READY = 20_000
"""Cycles after which the zeroization that follows a reset is complete, on every board of these tests."""


def shape(width: int, narrow: int = 0, powers: int = 16) -> Config:
    """Return a configuration by its width."""
    chosen = family("tile")
    name = f"w{width}" + ("_narrow" if narrow else "") + ("_few" if powers < 16 else "")
    return Config(chosen, name, chosen.complete({"Width": width, "Narrow": narrow, "Powers": powers}))


# The fewest blocks, with one tile and a part of another; two tiles and a part of a third; more blocks, and
# windows of two bits; moduli of different sizes.
SHAPES = {
    "w20-5": (shape(20), 5, 32),
    "w64-10": (shape(64), 10, 64),
    "w200-6": (shape(200, powers=4), 6, 64),
    "w300_narrow-6": (shape(300, 1), 6, 64),
}
LARGE = {"w64-10", "w200-6", "w300_narrow-6"}


@dataclass
class Bench(EngineBoard):
    """A board with tiles, after the zeroization that a reset begins."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.board.advance(READY)
        assert not any(one.read(simulated.STATUS) for one in self.lane)


@pytest.fixture(
    params=[pytest.param(name, marks=pytest.mark.wide) if name in LARGE else name for name in SHAPES]
)
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    """Yield a board of every shape, fresh from a reset."""
    opened = Bench(*SHAPES[request.param])
    yield opened
    opened.close()
