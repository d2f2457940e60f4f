# SPDX-License-Identifier: Apache-2.0
"""The boards in front of an engine, between a host that sends single accesses and an engine in Python."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from perle.boards.cocotb_bus import REQ, RSP, Dut, begin, generator, next_cycle, settled

LANES, WORDS, BANKS = (int(os.environ[f"PERLE_{name}"]) for name in ("LANES", "WORDS", "BANKS"))
STUCK = 40
"""Cycles in which an access is answered."""
ERR_BITS, CYCLES_BITS, RESULT_BITS, WORD_BYTES = 7, 32, 64, 8

Event = tuple[str | int, ...]


@dataclass
class Access:
    """A read, or a write of data, that the host begins after some cycles."""

    lane: int
    addr: int
    data: int | None = None
    strobes: int = (1 << WORD_BYTES) - 1
    after: int = 0
    offered: set[str] = field(default_factory=set)
    sent: set[str] = field(default_factory=set)
    answer: tuple[int, int] | None = None
    """The word that was read and the response."""

    @property
    def channels(self) -> tuple[str, ...]:
        """What the host has to send."""
        return ("ar",) if self.data is None else ("aw", "w")

    @property
    def back(self) -> str:
        """Where the answer comes from."""
        return "r" if self.data is None else "b"


class Engine:
    """An engine whose operations take until they are ended: it says what it was told, and answers reads."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.words = [[rng.getrandbits(RESULT_BITS) | 1 for _ in range(WORDS)] for _ in range(LANES)]
        self.restart()

    def restart(self) -> None:
        """Forget everything but the results."""
        self.events: list[Event] = []
        self.begun, self.busy, self.done = 0, 0, 0
        self.err, self.cycles = [0] * LANES, [0] * LANES
        self.reading: tuple[int, int, int] | None = None  # cycles to come, lane, word
        self.latency: Callable[[], int] = lambda: 1

    def end(self, lane: int, err: int, *, done: bool = True) -> None:
        """End an operation, or a zeroization, in this cycle."""
        self.busy &= ~(1 << lane)
        self.done |= int(done) << lane
        self.err[lane] = err if done else 0
        self.cycles[lane] = self.rng.getrandbits(CYCLES_BITS)

    def drive(self, dut: Dut) -> None:
        """Begin a cycle."""
        dut.busy_i.value, dut.done_i.value = self.busy, self.done
        dut.err_i.value = sum(err << ERR_BITS * lane for lane, err in enumerate(self.err))
        dut.cycles_i.value = sum(number << CYCLES_BITS * lane for lane, number in enumerate(self.cycles))
        answers = self.reading is not None and self.reading[0] == 0
        dut.rd_ack_i.value = int(answers)
        # noise otherwise, which no lane may take for its word
        dut.rd_data_i.value = self.rng.getrandbits(RESULT_BITS)
        if self.reading is not None:
            wait, lane, word = self.reading
            self.reading = (wait - 1, lane, word)
            if answers:
                dut.rd_data_i.value = self.words[lane][word] if word < WORDS else 0
                self.reading = None

    def observe(self, dut: Dut) -> None:
        """End a cycle."""
        self.done, self.err = 0, [0] * LANES
        self.busy |= self.begun
        self.begun = 0
        if dut.wr_valid_o.value:
            names = ("wr_lane_o", "wr_bank_o", "wr_word_o", "wr_data_o")
            self.events.append(("write", *(int(getattr(dut, name).value) for name in names)))
        if dut.rd_valid_o.value:
            assert self.reading is None
            lane, word = int(dut.rd_lane_o.value), int(dut.rd_word_o.value)
            self.events.append(("read", lane, word))
            self.reading = (self.latency() - 1, lane, word)
        start, zeroize = int(dut.start_o.value), int(dut.zeroize_o.value)
        if start or zeroize:
            lane = int(dut.cmd_lane_o.value)
            command = tuple(int(getattr(dut, f"cmd_{name}_o").value) for name in ("op", "mode", "elen"))
            self.events.append(("start", lane, *command) if start else ("zeroize", lane))
            assert not (start and zeroize)
            assert not self.busy >> lane & 1
            self.begun = 1 << lane  # as the real one, which has a register for commands: not busy at once


class Bench:
    """Boards, host and engine."""

    def __init__(self, dut: Dut) -> None:
        self.dut, self.rng = dut, generator()
        self.engine = Engine(self.rng)
        self.noise = False
        """Whether the host holds up all channels at random."""

    @classmethod
    async def started(cls, dut: Dut) -> Bench:
        """Return boards out of reset."""
        bench = cls(dut)
        await begin(dut)
        await bench.reset()
        return bench

    async def reset(self) -> None:
        """Pulse the reset: no interrupt or command outlasts it."""
        self.engine.restart()
        self.dut.rst_ni.value = self.dut.axil_i.value = 0
        self.engine.drive(self.dut)
        await settled(self.dut)
        assert self.dut.irq_o.value == 0
        await next_cycle(self.dut)
        self.dut.rst_ni.value = 1

    async def cycle(self, *accesses: Access) -> None:
        """Run one cycle, in which these accesses, at most a write and a read, are under way."""
        dut, host = self.dut, dict.fromkeys(("bready", "rready"), 1)
        for access in accesses:
            back = f"{access.back}ready"
            host[back] = int(not self.noise or self.rng.random() < 0.5)
            for name in access.channels:
                if not self.noise or self.rng.random() < 0.5:
                    access.offered.add(name)
                host[f"{name}valid"] = int(name in access.offered - access.sent)
            if "w" in access.channels:
                host |= {"awaddr": access.addr, "wdata": access.data or 0, "wstrb": access.strobes}
                dut.aw_lane_i.value = access.lane
            else:
                host["araddr"] = access.addr
                dut.ar_lane_i.value = access.lane
        dut.axil_i.value = REQ.pack(host)
        self.engine.drive(dut)
        await settled(dut)
        rsp = RSP.unpack(int(dut.axil_o.value))
        due = {access.back: access for access in accesses if access.sent == set(access.channels)}
        for back in "br":
            assert not rsp[f"{back}valid"] or back in due, "an answer to nothing"
        for back, access in due.items():
            if rsp[f"{back}valid"] and host[f"{back}ready"]:
                access.answer = (rsp["rdata"] if back == "r" else 0, rsp[f"{back}resp"])
        for access in accesses:
            access.sent |= {
                name for name in access.channels if host.get(f"{name}valid") and rsp[f"{name}ready"]
            }
        self.engine.observe(dut)
        await next_cycle(dut)

    async def run(self, *accesses: Access, then: Callable[[], None] | None = None, at: int = 0) -> None:
        """Run accesses until all are answered; `then` happens in cycle `at`."""
        now = 0
        while any(access.answer is None for access in accesses) or now <= at:
            if now == at and then is not None:
                then()
            await self.cycle(*(one for one in accesses if one.answer is None and one.after <= now))
            now += 1
            assert now < STUCK + max(at, *(access.after for access in accesses))

    async def read(self, lane: int, addr: int) -> tuple[int, int]:
        """Read a word; return it with the response."""
        access = Access(lane, addr)
        await self.run(access)
        assert access.answer is not None
        return access.answer

    async def write(self, lane: int, addr: int, data: int, strobes: int = (1 << WORD_BYTES) - 1) -> int:
        """Write a word; return the response."""
        access = Access(lane, addr, data, strobes)
        await self.run(access)
        assert access.answer is not None
        return access.answer[1]
