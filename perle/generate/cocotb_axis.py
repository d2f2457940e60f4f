# SPDX-License-Identifier: Apache-2.0
"""Tests of the stream adapter with a model of the word port: records in, answers out, with random pauses."""

from __future__ import annotations

import itertools
import logging
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

from perle.boards.cocotb_testbench import Dut

LANES, WORDS, CONSTANTS = (int(os.environ.get(f"PERLE_{name}", "1")) for name in ("LANES", "WORDS", "CONSTS"))
BANKS = 4 + CONSTANTS
MISFRAMED, NO_SUCH = 1 << 7, 1 << 8
MASK = (1 << 64) - 1


def _bus(dut: Dut, prefix: str, ins: str, outs: str) -> object:
    names = {name: f"{name}_i" for name in ins.split()} | {name: f"{name}_o" for name in outs.split()}
    return type("Bus", (AxiStreamBus,), {"_signals": names, "_optional_signals": {}})(dut, prefix)


@dataclass
class Lane:
    """The model's state of a lane; `end`: the cycle in which its operation ends."""

    lines: dict[tuple[int, int], int] = field(default_factory=dict)
    result: list[int] = field(default_factory=lambda: [0] * WORDS)
    end: int = -1
    busy: bool = False
    zeroize: bool = False
    fault: int = 0
    cycles: int = 0


def outcome(lines: dict[tuple[int, int], int], op: int, mode: int, elen: int) -> list[int]:
    """Return a result that depends on all inputs of an operation."""
    total = sum((word + 1) * (bank * 16 + place + 3) for (bank, place), word in lines.items())
    return [(total * (place + 1) + op + 4 * mode + 64 * elen) & MASK for place in range(WORDS)]


class Bench:
    """Streams, model and expected answers."""

    def __init__(self, dut: Dut) -> None:
        self.dut = dut
        self.rng = random.Random(11)  # noqa: S311 - to be repeated
        self.lanes = [Lane() for _ in range(LANES)]
        logging.getLogger("cocotb").setLevel(logging.CRITICAL)
        source = _bus(dut, "s_axis", "tvalid tdata tlast", "tready")
        sink = _bus(dut, "m_axis", "tready", "tvalid tdata tlast")
        clock = (dut.clk_i, dut.rst_ni)
        self.source = AxiStreamSource(source, *clock, reset_active_level=False, byte_lanes=8)
        self.sink = AxiStreamSink(sink, *clock, reset_active_level=False, byte_lanes=8)
        self.tag = 0
        self.held: list[dict[tuple[int, int], int]] = [{} for _ in range(LANES)]
        self.expected: dict[int, list[int]] = {}

    async def model(self) -> None:
        """Model the exponentiator: it takes a word per cycle, is busy for some cycles and then answers."""
        dut, now, waiting = self.dut, 0, 0
        while True:
            await RisingEdge(dut.clk_i)
            now += 1
            acks = 0
            if dut.rst_ni.value == 0:
                self.lanes = [Lane(end=now + 5, busy=True, zeroize=True) for _ in range(LANES)]
                waiting = 0
            else:
                self._accept(now)
            if waiting:
                waiting -= 1
                acks = int(waiting == 0)
            elif dut.rst_ni.value and dut.rd_valid_o.value:
                lane = self.lanes[int(dut.rd_lane_o.value)]
                assert not lane.busy
                dut.rd_data_i.value = lane.result[int(dut.rd_word_o.value)]
                waiting = self.rng.randrange(1, 4)
            dut.rd_ack_i.value = acks
            self._drive(now)

    def _accept(self, now: int) -> None:
        dut = self.dut
        if dut.wr_valid_o.value:
            lane = self.lanes[int(dut.wr_lane_o.value)]
            assert not lane.busy
            place = int(dut.wr_bank_o.value), int(dut.wr_word_o.value)
            lane.lines[place] = int(dut.wr_data_o.value)
        if dut.start_o.value or dut.zeroize_o.value:
            lane = self.lanes[int(dut.cmd_lane_o.value)]
            assert not lane.busy
            command = (int(port.value) for port in (dut.cmd_op_o, dut.cmd_mode_o, dut.cmd_elen_o))
            lane.busy, lane.zeroize = True, bool(dut.zeroize_o.value)
            lane.cycles = self.rng.randrange(1, 60)
            lane.end = now + lane.cycles
            op, mode, elen = command
            if lane.zeroize:
                lane.lines, lane.result = {}, [0] * WORDS
            else:
                lane.fault = 1 << 5 if elen == 5 else 0
                lane.result = [0] * WORDS if lane.fault else outcome(lane.lines, op, mode, elen)
                lane.cycles = elen + 1

    def _drive(self, now: int) -> None:
        busy = done = err = cycles = 0
        for index, lane in enumerate(self.lanes):
            ends = lane.busy and now >= lane.end
            done |= int(ends and not lane.zeroize) << index
            err |= (lane.fault if ends and not lane.zeroize else 0) << 7 * index
            # busy falls a cycle after the end
            busy |= int(lane.busy) << index
            if ends:
                lane.busy = False
            cycles |= lane.cycles << 32 * index
        self.dut.busy_i.value, self.dut.done_i.value = busy, done
        self.dut.err_i.value, self.dut.cycles_i.value = err, cycles

    def send(self, words: list[int], flags: int, lane: int, result: list[int], cycles: int) -> None:
        """Send a record, and remember the expected answer."""
        words[0] |= self.tag << 48
        self.source.send_nowait(AxiStreamFrame(b"".join(word.to_bytes(8, "little") for word in words)))
        first = flags | lane << 10 | self.tag << 16 | cycles << 32
        self.expected[self.tag] = [first, *result]
        self.tag += 1

    def operation(self) -> None:
        """Send an operation on random banks of a random lane."""
        lane, elen = self.rng.randrange(LANES), self.rng.choice((5, self.rng.randrange(1 << 13)))
        op, mode = self.rng.randrange(4), self.rng.randrange(4)
        banks = [bank for bank in range(BANKS) if self.rng.random() < 0.4]
        words = [op | mode << 4 | sum(1 << bank for bank in banks) << 8 | elen << 16 | lane << 32]
        for bank in banks:
            for place in range(WORDS):
                words.append(self.rng.getrandbits(64))
                self.held[lane][bank, place] = words[-1]
        fault = elen == 5
        result = [0] * WORDS if fault else outcome(self.held[lane], op, mode, elen)
        self.send(words, 1 << 5 if fault else 0, lane, result, 0 if fault else elen + 1)

    def zeroize(self) -> None:
        """Send a zeroization of a random lane."""
        lane = self.rng.randrange(LANES)
        self.held[lane] = {}
        self.send([1 << 2 | lane << 32], 0, lane, [0] * WORDS, 0)

    def wrong(self) -> None:
        """Send a record that is refused and does not change a lane."""
        lane, zeros = self.rng.randrange(LANES), [0] * WORDS
        kind = self.rng.randrange(3)
        if kind == 0:
            extra = [self.rng.getrandbits(64) for _ in range(self.rng.randrange(1, 5))]
            self.send([lane << 32, *extra], MISFRAMED, lane, zeros, 0)
        elif kind == 1:
            self.send([1 << 8 | lane << 32], MISFRAMED, lane, zeros, 0)
        else:
            self.send([LANES << 32], NO_SUCH, LANES, zeros, 0)

    def misframed(self) -> None:
        """Send a record that is too short or too long: the words that arrive are written."""
        lane = self.rng.randrange(LANES)
        sent = [self.rng.getrandbits(64) for _ in range(WORDS + self.rng.choice((-1, 1)))]
        self.held[lane] |= {(0, place): word for place, word in enumerate(sent[:WORDS])}
        self.send([1 << 8 | lane << 32, *sent], MISFRAMED, lane, [0] * WORDS, 0)

    def pauses(self, probability: float) -> Iterator[bool]:
        """Yield whether to pause, cycle by cycle."""
        rng = random.Random(self.rng.random())  # noqa: S311 - likewise
        return (rng.random() < probability for _ in itertools.count())

    async def finish(self) -> None:
        """Take all answers, in any order, and compare them."""
        while self.expected:
            frame = await with_timeout(self.sink.recv(), 100, "us")
            data = bytes(frame.tdata)
            words = [int.from_bytes(data[at : at + 8], "little") for at in range(0, len(data), 8)]
            want = self.expected.pop(words[0] >> 16 & 0xFFFF)
            assert words == want, (list(map(hex, words)), list(map(hex, want)))


async def started(dut: Dut) -> Bench:
    """Return a bench after its reset."""
    dut.rst_ni.value = 0
    for port in (dut.rd_ack_i, dut.rd_data_i, dut.busy_i, dut.done_i, dut.err_i, dut.cycles_i):
        port.value = 0
    Clock(dut.clk_i, 10, unit="ns").start()
    bench = Bench(dut)
    cocotb.start_soon(bench.model())
    await reset(dut)
    return bench


async def reset(dut: Dut) -> None:
    """Pulse the reset."""
    dut.rst_ni.value = 0
    await ClockCycles(dut.clk_i, 3)
    dut.rst_ni.value = 1
    await RisingEdge(dut.clk_i)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def records_are_answered(dut: Dut) -> None:
    """Send operations, zeroizations and records that are refused, with and without pauses."""
    bench = await started(dut)
    for probability in (0.0, 0.2, 0.8):
        bench.source.set_pause_generator(bench.pauses(probability))
        bench.sink.set_pause_generator(bench.pauses(probability))
        for _ in range(60):
            kinds = [bench.operation] * 5 + [bench.zeroize, bench.wrong, bench.misframed]
            bench.rng.choice(kinds)()
        await bench.finish()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def nothing_is_lost_behind_an_answer_that_waits(dut: Dut) -> None:
    """Take no answer for a long time: the input stalls, and no answer is lost."""
    bench = await started(dut)
    bench.sink.pause = True
    for _ in range(4 * LANES + 4):
        bench.operation()
    await ClockCycles(dut.clk_i, 2000)
    assert dut.s_axis_tready_o.value == 0
    bench.sink.pause = False
    await bench.finish()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def reset_in_the_middle(dut: Dut) -> None:
    """Reset during records and answers: afterwards nothing is left of them."""
    bench = await started(dut)
    for wait in range(3, 120, 9):
        for _ in range(3):
            bench.operation()
        await ClockCycles(dut.clk_i, wait)
        bench.source.clear()
        await reset(dut)
        bench.sink.clear()
        bench.expected.clear()
        bench.held = [{} for _ in range(LANES)]
        for _ in range(3):
            bench.operation()
        await bench.finish()
