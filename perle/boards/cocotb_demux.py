# SPDX-License-Identifier: Apache-2.0
"""The demultiplexer alone: every access reaches its lane once and unchanged, and no other lane notices."""

from __future__ import annotations

import os
from random import Random

import cocotb

from perle.boards.cocotb_bus import (
    AR,
    AW,
    DECERR,
    REQ,
    RSP,
    Dut,
    Source,
    Struct,
    Values,
    W,
    begin,
    generator,
    next_cycle,
    settled,
)

LANES = int(os.environ["PERLE_LANES"])
PLACES = 1 << (LANES - 1).bit_length()
"""Lanes that an address can name; those from LANES on do not exist."""
CYCLES, RUN = 600, 40
STUCK = 40
"""Cycles in which something has to be taken, whatever the random numbers are."""


class Way:
    """Writes or reads: the lane of the access that was accepted, and what is still to come of it."""

    def __init__(self, rng: Random, requests: dict[str, tuple[str, ...]], answer: str) -> None:
        self.rng, self.requests, self.answer = rng, requests, answer
        self.sources = {name: Source(rng, rng.choice((0.2, 0.5, 1.0))) for name in requests}
        self.address = next(iter(requests))
        self.taken: set[str] = set()
        self.lane = 0  # of the address that is offered, or was accepted
        self.wait = 0  # cycles until the lane answers

    def offered(self) -> Values:
        """Begin a cycle; return the fields that the host drives."""
        fields: Values = {f"{self.answer}ready": self.rng.getrandbits(1)}
        for name, source in self.sources.items():
            source.offer(
                Struct(awaddr=14, awprot=3, wdata=64, wstrb=8, araddr=14, arprot=3).random(self.rng)
                | {"lane": self.rng.randrange(PLACES)}
            )
            # what is not offered is random too: nothing may depend on it
            shown = source.item or REQ.random(self.rng)
            fields |= {f"{name}valid": int(source.item is not None)}
            fields |= {field: shown[field] for field in self.requests[name]}
        if self.address not in self.taken:
            item = self.sources[self.address].item
            self.lane = item["lane"] if item else self.rng.randrange(PLACES)
        return fields

    @property
    def known(self) -> bool:
        """Whether there is an access."""
        return self.address in self.taken or self.sources[self.address].item is not None

    def ready_to_answer(self) -> bool:
        """Whether the lane that has all of the access answers now."""
        return len(self.taken) == len(self.sources) and self.wait == 0


class Demux:
    """The demultiplexer between a host and lanes, which behave as AXI4-Lite allows them to."""

    def __init__(self, dut: Dut, rng: Random) -> None:
        self.dut, self.rng = dut, rng
        self.done = dict.fromkeys(((way, lane) for way in "br" for lane in range(PLACES)), 0)
        self.quiet = 0
        self.restart()

    def restart(self) -> None:
        """Forget all accesses."""
        self.ways = [Way(self.rng, {"aw": AW, "w": W}, "b"), Way(self.rng, {"ar": AR}, "r")]
        self.busy = self.rng.choice((0.2, 0.5, 1.0))
        self.answers: dict[str, Values] = {}

    async def reset(self) -> None:
        """Pulse the reset at any time."""
        self.dut.rst_ni.value = 0
        self.dut.axil_i.value = 0
        for _ in range(self.rng.randrange(1, 3)):
            await next_cycle(self.dut)
        self.dut.rst_ni.value = 1
        self.restart()

    def _lane(self, lane: int) -> Values:
        """Return what a lane drives: noise, but no response unless it has one."""
        fields = RSP.random(self.rng)
        for name in ("aw", "w", "ar"):
            fields[f"{name}ready"] = int(self.rng.random() < self.busy)
        for way in self.ways:
            mine = way.lane == lane and way.ready_to_answer()
            fields[f"{way.answer}valid"] = int(mine)
            if mine:  # it holds its response
                fields |= self.answers.setdefault(
                    way.answer, {name: fields[name] for name in fields if name in _payload(way)}
                )
        return fields

    async def cycle(self) -> None:
        """Run one cycle, and hold all outputs to what they have to be."""
        dut, ways = self.dut, self.ways
        host = ways[0].offered() | ways[1].offered()
        lanes = [self._lane(lane) for lane in range(LANES)]
        dut.axil_i.value = REQ.pack(host)
        dut.aw_lane_i.value, dut.ar_lane_i.value = (way.lane for way in ways)
        dut.lane_i.value = sum(RSP.pack(fields) << RSP.bits * lane for lane, fields in enumerate(lanes))
        await settled(dut)
        rsp = RSP.unpack(int(dut.axil_o.value))
        every = int(dut.lane_o.value)
        seen = [REQ.unpack(every >> REQ.bits * lane & (1 << REQ.bits) - 1) for lane in range(LANES)]
        self.quiet += 1
        for way in ways:
            self._check(way, host, rsp, seen, lanes)
        assert self.quiet < STUCK
        await next_cycle(dut)

    def _check(self, way: Way, host: Values, rsp: Values, seen: list[Values], lanes: list[Values]) -> None:
        exists, before, answer = way.lane < LANES, set(way.taken), way.answer
        answers = way.ready_to_answer()
        for name, fields in way.requests.items():
            valid, ready = f"{name}valid", f"{name}ready"
            due = host[valid] and way.known and name not in before
            passed = [index for index, lane in enumerate(seen) if lane[valid]]
            assert passed == ([way.lane] if due and exists else []), name
            for index in passed:
                assert {field: seen[index][field] for field in fields} == {f: host[f] for f in fields}
            accepts = lanes[way.lane][ready] if exists else 1
            if host[valid]:
                assert rsp[ready] == (due and accepts), name
            if host[valid] and rsp[ready]:
                way.sources[name].take()
                way.taken.add(name)
                way.wait = self.rng.choice((0, 0, 1, 4)) if exists else 0
                self.quiet = 0
        # no lane may think that its response was taken, nor lose one that it will have
        accepted = [index for index, lane in enumerate(seen) if lane[f"{answer}ready"]]
        begun = way.address in before
        assert accepted == ([way.lane] if begun and exists and host[f"{answer}ready"] else []), answer
        assert rsp[f"{answer}valid"] == answers, answer
        if answers:
            none = {"bresp": DECERR, "rresp": DECERR, "rdata": 0}
            wanted = lanes[way.lane] if exists else none
            assert {name: rsp[name] for name in _payload(way)} == {f: wanted[f] for f in _payload(way)}
            if host[f"{answer}ready"]:
                way.taken.clear()
                self.answers.pop(answer, None)
                self.done[answer, way.lane] += 1
                self.quiet = 0
        elif len(before) == len(way.sources):
            way.wait -= 1


def _payload(way: Way) -> tuple[str, ...]:
    return ("bresp",) if way.answer == "b" else ("rdata", "rresp")


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def random_accesses(dut: Dut) -> None:
    """Write and read all lanes and none, everything at random times, with resets in the middle."""
    assert (len(dut.axil_i), len(dut.axil_o)) == (REQ.bits, RSP.bits)
    await begin(dut)
    demux = Demux(dut, generator())
    for number in range(CYCLES):
        if number % RUN == 0:
            await demux.reset()
        await demux.cycle()
    assert min(demux.done.values()) > 5, demux.done
