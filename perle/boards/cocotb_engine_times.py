# SPDX-License-Identifier: Apache-2.0
"""Reads of a lane in front of an engine in every cycle around a start, a zeroization, and an end."""

from __future__ import annotations

from functools import partial

import cocotb

from perle.boards import simulated
from perle.boards.cocotb_bus import OKAY, Dut
from perle.boards.cocotb_engine_bench import WORDS, Access, Bench

LANE, OTHERS_FLAGS = 1, 0x7C
ACCESS_BUSY, FLAGS_LSB = 2, 8
BEFORE = 3
DISTANCES = range(-BEFORE, 5)
"""Cycles from the access that starts, or from the end, to that which reads: in some it comes too early, in
some too late."""


async def idle(bench: Bench) -> None:
    """Return to a lane that is done and has no flags."""
    bench.engine.end(LANE, 0)
    await bench.cycle()
    await bench.write(LANE, simulated.CONTROL, simulated.CLEAR_ERRORS)
    assert await bench.read(LANE, simulated.STATUS) == (simulated.DONE, OKAY)
    bench.engine.events.clear()


def edge(seen: list[bool]) -> int:
    """Return where a row begins to hold, from where on it has to."""
    assert seen == sorted(seen), seen
    assert len(set(seen)) == 2
    return seen.index(True)


def asked(bench: Bench) -> list[int]:
    """Return the words that the engine was asked for."""
    return [int(word) for name, *_, word in bench.engine.events if name == "read"]


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def around_a_start(dut: Dut) -> None:
    """From one cycle on STATUS is busy, and the result a flagged zero that the engine is not asked for."""
    bench = await Bench.started(dut)
    for command, during in ((simulated.START, 0), (simulated.ZEROIZE, simulated.DONE)):
        edges = set()
        for addr in (simulated.RESULT, simulated.STATUS):
            busy = []
            for distance in DISTANCES:
                await idle(bench)
                read = Access(LANE, addr, after=BEFORE + distance)
                await bench.run(read, Access(LANE, simulated.CONTROL, command, after=BEFORE))
                words, (now, _) = asked(bench), await bench.read(LANE, simulated.STATUS)
                assert read.answer is not None
                value, flags = read.answer[0], now >> FLAGS_LSB
                assert now & 3 == simulated.BUSY | during
                if addr == simulated.STATUS:
                    assert (value, flags) in [(simulated.DONE, 0), (simulated.BUSY | during, 0)]
                    busy.append(bool(value & simulated.BUSY))
                else:
                    assert (value, flags) in [(bench.engine.words[LANE][0], 0), (0, ACCESS_BUSY)]
                    busy.append(bool(flags))
                    assert all(word >= WORDS for word in words) if flags else words == [0]
            edges.add(edge(busy))
        assert len(edges) == 1


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def around_an_end(dut: Dut) -> None:
    """From one cycle on STATUS is done, with all flags, and the result can be read: not a cycle between."""
    bench = await Bench.started(dut)
    edges = set()
    for addr in (simulated.RESULT, simulated.STATUS):
        free = []
        for distance in DISTANCES:
            await idle(bench)
            await bench.write(LANE, simulated.CONTROL, simulated.START)
            bench.engine.events.clear()
            end = partial(bench.engine.end, LANE, OTHERS_FLAGS)
            read = Access(LANE, addr, after=BEFORE + distance)
            await bench.run(read, then=end, at=BEFORE)
            flags = (await bench.read(LANE, simulated.STATUS))[0] >> FLAGS_LSB
            assert read.answer is not None
            value = read.answer[0]
            if addr == simulated.STATUS:
                done = simulated.DONE | OTHERS_FLAGS << FLAGS_LSB
                assert (value, flags) in [(simulated.BUSY, OTHERS_FLAGS), (done, OTHERS_FLAGS)]
                free.append(value == done)
            else:
                word = bench.engine.words[LANE][0]
                assert (value, flags) in [(0, OTHERS_FLAGS | ACCESS_BUSY), (word, OTHERS_FLAGS)]
                free.append(value == word)
        edges.add(edge(free))
    assert len(edges) == 1
