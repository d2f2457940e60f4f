# SPDX-License-Identifier: Apache-2.0
"""Code shared by the cocotb tests of a board: clock, AXI4-Lite master with random pauses, operations."""

from __future__ import annotations

import itertools
import logging
import os
import random
from collections.abc import Iterator
from typing import Any

from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp
from cocotbext.axi.axil_channels import AxiLiteARBus, AxiLiteAWBus, AxiLiteBBus, AxiLiteRBus, AxiLiteWBus

from perle.boards import driver, simulated
from perle.boards.wrapper import Shape, shape
from perle.cores.modexp.model import Command, Mode
from perle.cores.registry import Config, resolve

# cocotb finds the signals of a design at run time.
Dut = Any

OKAY, SLVERR = AxiResp.OKAY, AxiResp.SLVERR

FLAGS = (
    "start_busy",
    "access_busy",
    "modulus_even",
    "modulus_small",
    "modulus_wide",
    "operand_range",
    "command",
)


def flags(status: int) -> set[str]:
    """Return the names of the error flags that are set."""
    return {name for i, name in enumerate(FLAGS) if status >> (8 + i) & 1}


def _channel(base: type, dut: Dut, inputs: str, outputs: str) -> object:
    # The master expects port names without the project's suffixes for the direction.
    names = {name: f"{name}_i" for name in inputs.split()} | {name: f"{name}_o" for name in outputs.split()}
    return type(base.__name__, (base,), {"_signals": names, "_optional_signals": {}})(dut, "axil")


class Bench:
    """One board under test."""

    def __init__(self, dut: Dut) -> None:
        self.dut = dut
        self.config: Config = resolve(os.environ["PERLE_SPEC"])
        self.word_bits = int(os.environ["PERLE_WORD_BITS"])
        self.shape: Shape = shape(self.config, self.word_bits)
        self.rng = random.Random(int(os.environ["PERLE_SEED"]))  # noqa: S311 - must be reproducible
        bus = AxiLiteBus.from_channels(
            _channel(AxiLiteAWBus, dut, "awaddr awprot awvalid", "awready"),
            _channel(AxiLiteWBus, dut, "wdata wstrb wvalid", "wready"),
            _channel(AxiLiteBBus, dut, "bready", "bresp bvalid"),
            _channel(AxiLiteARBus, dut, "araddr arprot arvalid", "arready"),
            _channel(AxiLiteRBus, dut, "rready", "rdata rresp rvalid"),
        )
        logging.getLogger("cocotb.perle_top.axil").setLevel(logging.WARNING)
        self.master = AxiLiteMaster(bus, dut.clk_i, dut.rst_ni, reset_active_level=False)

    @classmethod
    async def started(cls, dut: Dut) -> Bench:
        """Return a bench whose board is out of reset and ready."""
        bench = cls(dut)
        dut.rst_ni.value = 0
        Clock(dut.clk_i, 10, unit="ns").start()
        await bench.reset()
        await bench.ready()
        return bench

    async def reset(self) -> None:
        """Pulse the reset."""
        self.dut.rst_ni.value = 0
        await ClockCycles(self.dut.clk_i, 3)
        self.dut.rst_ni.value = 1
        await RisingEdge(self.dut.clk_i)

    async def ready(self) -> None:
        """Wait for the end of an operation or a zeroization."""
        while (await self.read(simulated.STATUS))[0] & simulated.BUSY:
            pass

    def pause(self) -> None:
        """Stall each of the five channels at random from now on."""
        read, write = self.master.read_if, self.master.write_if
        channels = (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel)
        for channel in channels:
            channel.set_pause_generator(self._pauses(self.rng.choice((0.2, 0.5, 0.8))))

    def _pauses(self, probability: float) -> Iterator[bool]:
        rng = random.Random(self.rng.random())  # noqa: S311 - likewise
        return (rng.random() < probability for _ in itertools.count())

    async def read(self, addr: int) -> tuple[int, AxiResp]:
        """Read a word of the bus width."""
        answer = await self.master.read(addr, self.word_bits // 8)
        return int.from_bytes(answer.data, "little"), answer.resp

    async def write(self, addr: int, data: int, size: int | None = None) -> AxiResp:
        """Write a word of the bus width, or only its first `size` bytes by strobes."""
        answer = await self.master.write(addr, data.to_bytes(size or self.word_bits // 8, "little"))
        return answer.resp

    async def status(self) -> int:
        """Read STATUS."""
        return (await self.read(simulated.STATUS))[0]

    async def load(self, **lines: int) -> None:
        """Write operand lines by name: x, y, e, r2, and m with all that it needs."""
        values = {driver.BANK_X: lines.get("x"), driver.BANK_Y: lines.get("y"), driver.BANK_E: lines.get("e")}
        if "m" in lines:
            values |= driver.modulus_lines(self.config, lines["m"])
        for bank, value in values.items():
            if value is not None:
                await self.write_line(bank, value)

    async def write_line(self, bank: int, value: int) -> None:
        """Write one operand line."""
        for word in range(self.shape.words):
            addr = simulated.BANKS + bank * simulated.BANK_BYTES + word * self.word_bits // 8
            assert (
                await self.write(addr, value >> (word * self.word_bits) & ((1 << self.word_bits) - 1)) == OKAY
            )

    async def result(self) -> int:
        """Read the result line."""
        words = [await self.read(simulated.RESULT + i * self.word_bits // 8) for i in range(self.shape.words)]
        assert {resp for _, resp in words} == {OKAY}
        return sum(data << (i * self.word_bits) for i, (data, _) in enumerate(words))

    async def cycles(self) -> int:
        """Read the cycle counter."""
        low, high = await self.read(simulated.CYCLES_LO), await self.read(simulated.CYCLES_HI)
        return low[0] | high[0] << 32

    async def start(self, op: Command, mode: Mode = Mode.WINDOW, elen: int = 0) -> None:
        """Write COMMAND and start."""
        await self.write(simulated.COMMAND, driver.command(op, mode, elen))
        await self.write(simulated.CONTROL, simulated.START)

    async def run(self, op: Command, mode: Mode = Mode.WINDOW, elen: int = 0) -> set[str]:
        """Start, wait for the interrupt, return the flags."""
        await self.start(op, mode, elen)
        while not self.dut.irq_o.value:
            await RisingEdge(self.dut.clk_i)
        status = await self.status()
        assert status & 3 == simulated.DONE
        return flags(status)

    def modulus(self, bits: int | None = None) -> int:
        """Return a random odd modulus of exactly `bits` bits."""
        width = bits or self.config.width
        return self.rng.getrandbits(width) | 1 << (width - 1) | 1
