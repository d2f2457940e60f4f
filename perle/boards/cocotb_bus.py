# SPDX-License-Identifier: Apache-2.0
"""What the cocotb tests of parts of a board share: clock cycles, the structs of perle_bus_pkg, sources."""

from __future__ import annotations

import os
from collections.abc import Mapping
from random import Random
from typing import Any

from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge

# cocotb finds the signals of a design at run time.
Dut = Any

Values = dict[str, int]


class Struct:
    """A packed struct: how many bits each field has, the uppermost first."""

    def __init__(self, **fields: int) -> None:
        self.bits = sum(fields.values())
        self._at: dict[str, tuple[int, int]] = {}
        at = self.bits
        for name, bits in fields.items():
            at -= bits
            self._at[name] = (at, (1 << bits) - 1)

    def pack(self, values: Mapping[str, int]) -> int:
        """Return the struct with these fields; all others are zero."""
        return sum(value << self._at[name][0] for name, value in values.items())

    def unpack(self, word: int) -> Values:
        """Return all fields."""
        return {name: word >> at & ones for name, (at, ones) in self._at.items()}

    def random(self, rng: Random) -> Values:
        """Return a struct of random bits."""
        return self.unpack(rng.getrandbits(self.bits))


REQ = Struct(
    awvalid=1,
    awaddr=14,
    awprot=3,
    wvalid=1,
    wdata=64,
    wstrb=8,
    bready=1,
    arvalid=1,
    araddr=14,
    arprot=3,
    rready=1,
)
RSP = Struct(awready=1, wready=1, bvalid=1, bresp=2, arready=1, rvalid=1, rdata=64, rresp=2)
OKAY, SLVERR, DECERR = 0, 2, 3

AW, W, AR = ("awaddr", "awprot"), ("wdata", "wstrb"), ("araddr", "arprot")
"""What goes with each request."""


class Source:
    """Offers one item after the other: a random time after the last one, and until it is taken."""

    def __init__(self, rng: Random, probability: float) -> None:
        self.rng, self.probability = rng, probability
        self.item: Values | None = None

    def offer(self, fresh: Values) -> None:
        """Begin a cycle, in which `fresh` may be offered if nothing is."""
        if self.item is None and self.rng.random() < self.probability:
            self.item = fresh

    def take(self) -> Values:
        """End a cycle in which the item was taken."""
        item, self.item = self.item, None
        assert item is not None
        return item


def generator() -> Random:
    """Return the random numbers of a test."""
    return Random(int(os.environ["PERLE_SEED"]))  # noqa: S311 - must be reproducible


async def begin(dut: Dut) -> None:
    """Start the clock, with the reset on."""
    dut.rst_ni.value = 0
    Clock(dut.clk_i, 10, unit="ns").start()
    await RisingEdge(dut.clk_i)


async def settled(dut: Dut) -> None:
    """Wait until the outputs follow from the inputs of this cycle, which were set after its rising edge."""
    await FallingEdge(dut.clk_i)


async def next_cycle(dut: Dut) -> None:
    """Wait for the end of this cycle."""
    await RisingEdge(dut.clk_i)
