# SPDX-License-Identifier: Apache-2.0
"""The registers of lanes in front of an engine: what it is told, what the host sees, and when."""

from __future__ import annotations

import os
from functools import partial

import cocotb

from perle.boards import simulated
from perle.boards.cocotb_bus import DECERR, OKAY, SLVERR, Dut
from perle.boards.cocotb_engine_bench import BANKS, CYCLES_BITS, ERR_BITS, LANES, WORDS, Access, Bench, Event

START_BUSY, ACCESS_BUSY, COMMAND_FLAG = 1, 2, 64
FLAGS_LSB = 8
OWN = (1 << ERR_BITS) - 1 & ~(START_BUSY | ACCESS_BUSY)
"""Flags that come from the engine."""
FIELDS = 0x1FFF0033
"""Bits of COMMAND."""
ROOM = simulated.BANK_BYTES // 8
FIXED = {
    addr: int(os.environ[f"PERLE_{name}"])
    for name, addr in (
        ("FAMILY", simulated.FAMILY),
        ("HASH", simulated.CONFIG_HASH),
        ("WIDTHS", simulated.WIDTHS),
        ("SHAPE", simulated.SHAPE),
    )
}


class Lane:
    """What a lane should be like."""

    def __init__(self, bench: Bench, number: int) -> None:
        self.bench, self.rng, self.number = bench, bench.rng, number
        self.command = self.flags = self.cycles = 0
        self.done = self.zeroizing = False

    @property
    def busy(self) -> bool:
        """Whether it has an operation or zeroization."""
        return bool(self.bench.engine.busy >> self.number & 1)

    @property
    def status(self) -> int:
        """What STATUS reads."""
        return int(self.busy) | int(self.done) << 1 | self.flags << FLAGS_LSB

    async def expect(self, *events: Event) -> None:
        """Compare what the engine was told, STATUS and the interrupt."""
        assert self.bench.engine.events == list(events)
        assert await self.bench.read(self.number, simulated.STATUS) == (self.status, OKAY)
        assert int(self.bench.dut.irq_o.value) >> self.number & 1 == self.done
        self.bench.engine.events.clear()

    async def control(self, bits: int, strobes: int = 255) -> None:
        """Write CONTROL."""
        busy, events = self.busy, list[Event]()
        assert await self.bench.write(self.number, simulated.CONTROL, bits, strobes) == OKAY
        if strobes & 1:
            if bits & simulated.CLEAR_ERRORS:
                self.flags = 0
            self.flags |= START_BUSY if bits & 3 == 3 or (busy and bits & 3) else 0
            if bits & simulated.ZEROIZE and not busy:
                events, self.zeroizing = [("zeroize", self.number)], True
            elif bits & simulated.START and not busy:
                op, mode, elen = self.command & 3, self.command >> 4 & 3, self.command >> 16
                events, self.zeroizing = [("start", self.number, op, mode, elen)], False
                self.done = False
        await self.expect(*events)

    async def load(self) -> None:
        """Write a word of an operand, sometimes in part or beyond the line."""
        bank, word = self.rng.randrange(BANKS), self.rng.choice((0, 1, WORDS - 1, WORDS, ROOM - 1))
        data, strobes = self.rng.getrandbits(64), self.rng.choice((255, 255, 255, 127, 254, 0))
        addr = simulated.BANKS + bank * simulated.BANK_BYTES + word * 8
        assert await self.bench.write(self.number, addr, data, strobes) == OKAY
        events = self.bench.engine.events
        if strobes != 255:
            self.flags |= COMMAND_FLAG
        elif self.busy:
            self.flags |= ACCESS_BUSY
        elif word >= WORDS:
            self.flags |= COMMAND_FLAG
            events.clear()  # the engine may be told: it has no such word
        else:
            assert events.pop() == ("write", self.number, bank, word, data)
        await self.expect()

    async def fetch(self) -> None:
        """Read a word of the result."""
        word = self.rng.choice((*range(WORDS), WORDS, ROOM - 1))
        found = await self.bench.read(self.number, simulated.RESULT + word * 8)
        [(name, lane, asked)] = self.bench.engine.events
        self.bench.engine.events.clear()
        if self.busy:
            self.flags |= ACCESS_BUSY
        mine = word < WORDS and not self.busy
        assert found == (self.bench.engine.words[self.number][word] if mine else 0, OKAY)
        assert (name, lane) == ("read", self.number)
        assert int(asked) >= WORDS if self.busy else asked == word
        await self.expect()

    async def look(self) -> None:
        """Read a register, or what cannot be read."""
        low = self.cycles & (1 << CYCLES_BITS) - 1
        known = FIXED | {simulated.COMMAND: self.command, simulated.CYCLES_LO: low, simulated.CYCLES_HI: 0}
        known |= {simulated.LANES: LANES | self.number << 8}
        for addr, value in known.items():
            assert await self.bench.read(self.number, addr) == (value, OKAY), hex(addr)
        for bank in range(BANKS + 1):  # one more than there are
            addr = simulated.BANKS + bank * simulated.BANK_BYTES
            assert await self.bench.read(self.number, addr) == (0, SLVERR), hex(addr)
        assert await self.bench.write(self.number, addr, 1) == SLVERR
        assert await self.bench.read(LANES, simulated.STATUS) == (0, DECERR)
        assert await self.bench.write(LANES, simulated.CONTROL, simulated.ZEROIZE) == DECERR
        await self.expect()

    async def order(self) -> None:
        """Write COMMAND."""
        self.command = self.rng.getrandbits(29) & FIELDS
        assert await self.bench.write(self.number, simulated.COMMAND, self.command) == OKAY
        await self.expect()

    async def end(self) -> None:
        """End what is under way, if anything is."""
        if self.busy:
            err = self.rng.choice((0, OWN, self.rng.getrandbits(ERR_BITS) & OWN))
            self.bench.engine.end(self.number, err, done=not self.zeroizing)
            self.cycles = self.bench.engine.cycles[self.number]
            self.flags |= 0 if self.zeroizing else err
            self.done |= not self.zeroizing
            await self.bench.cycle()
        await self.expect()

    async def anything(self) -> None:
        """Do something."""
        bits = self.rng.randrange(8)
        strobes = self.rng.choice((255, 255, 1, 254))
        control = partial(self.control, bits, strobes)
        await self.rng.choice((control, control, self.load, self.load, self.fetch, self.order, self.end))()


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def single_accesses(dut: Dut) -> None:
    """Do anything with any lane, idle or busy: it alone changes, and a reset changes all of them back."""
    bench = await Bench.started(dut)
    for round_ in range(3):
        lanes = [Lane(bench, number) for number in range(LANES)]
        for lane in lanes:  # after a reset
            await (lane.look() if lane.number == round_ else lane.expect())
        bench.engine.latency = lambda: bench.rng.choice((1, 1, 2, 5))
        for _ in range(20):
            await bench.rng.choice(lanes).anything()
            bench.noise = bench.rng.random() < 0.5
        for lane in lanes:
            await lane.end()
            await lane.control(simulated.START)
            await lane.end()
            if lane.number:
                await lane.control(simulated.START)
            await lane.load()
        bench.noise = False
        # while lanes are busy or done, flagged, and in the middle of a read and a write
        accesses = Access(0, simulated.RESULT), Access(1, simulated.COMMAND, FIELDS)
        for _ in range(bench.rng.randrange(4)):
            await bench.cycle(*accesses)
        await bench.reset()
