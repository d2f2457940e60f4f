# SPDX-License-Identifier: Apache-2.0
"""Tests of the bridges from APB and Wishbone, with a slave that waits at random and refuses accesses."""

from __future__ import annotations

import itertools
import logging
import os
import random
from collections.abc import Iterator

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotbext.axi import ApbBus, ApbMaster, AxiLiteBus, AxiLiteSlave
from cocotbext.axi.axil_channels import AxiLiteARBus, AxiLiteAWBus, AxiLiteBBus, AxiLiteRBus, AxiLiteWBus

from perle.boards.cocotb_testbench import Dut

REFUSED = 0x2000
WORD_BYTES = 4
LIMIT_US = 1000


def _bus(base: type, dut: Dut, inputs: str, outputs: str, prefix: str | None) -> object:
    names = {name: f"{name}_i" for name in inputs.split()} | {name: f"{name}_o" for name in outputs.split()}
    return type(base.__name__, (base,), {"_signals": names, "_optional_signals": {}})(dut, prefix)


class Target:
    """Words by address; accesses from REFUSED on are answered with an error."""

    def __init__(self) -> None:
        self.words: dict[int, bytes] = {}

    async def write(self, address: int, data: bytes, **_: object) -> None:
        """Write bytes."""
        if address >= REFUSED:
            raise IndexError(address)
        for offset, byte in enumerate(data):
            self.words[address + offset] = bytes([byte])

    async def read(self, address: int, length: int, **_: object) -> bytes:
        """Read bytes."""
        if address >= REFUSED:
            raise IndexError(address)
        return b"".join(self.words.get(address + offset, b"\0") for offset in range(length))


class Bench:
    """A bridge with its slave."""

    def __init__(self, dut: Dut) -> None:
        self.dut = dut
        self.rng = random.Random(7)  # noqa: S311 - to be repeated
        self.target = Target()
        bus = AxiLiteBus.from_channels(
            _bus(AxiLiteAWBus, dut, "awready", "awaddr awprot awvalid", "axil"),
            _bus(AxiLiteWBus, dut, "wready", "wdata wstrb wvalid", "axil"),
            _bus(AxiLiteBBus, dut, "bresp bvalid", "bready", "axil"),
            _bus(AxiLiteARBus, dut, "arready", "araddr arprot arvalid", "axil"),
            _bus(AxiLiteRBus, dut, "rdata rresp rvalid", "rready", "axil"),
        )
        logging.getLogger("cocotb").setLevel(logging.CRITICAL)
        self.slave = AxiLiteSlave(bus, dut.clk_i, dut.rst_ni, self.target, reset_active_level=False)
        self.apb = hasattr(dut, "psel_i")
        if self.apb:
            ports = "paddr psel penable pwrite pwdata pstrb pprot", "pready prdata pslverr"
            self.master = ApbMaster(
                _bus(ApbBus, dut, *ports, None), dut.clk_i, dut.rst_ni, reset_active_level=False
            )
        else:
            dut.cyc_i.value = 0
            dut.stb_i.value = 0

    async def reset(self) -> None:
        """Pulse the reset."""
        self.dut.rst_ni.value = 0
        await ClockCycles(self.dut.clk_i, 3)
        self.dut.rst_ni.value = 1
        await RisingEdge(self.dut.clk_i)

    def pause(self) -> None:
        """Stall each of the slave's channels at random."""
        read, write = self.slave.read_if, self.slave.write_if
        for channel in (
            write.aw_channel,
            write.w_channel,
            write.b_channel,
            read.ar_channel,
            read.r_channel,
        ):
            channel.set_pause_generator(self._pauses(self.rng.choice((0.2, 0.5, 0.8))))

    def _pauses(self, probability: float) -> Iterator[bool]:
        rng = random.Random(self.rng.random())  # noqa: S311 - likewise
        return (rng.random() < probability for _ in itertools.count())

    async def access(self, address: int, data: int | None) -> tuple[int, bool]:
        """Make a write, or a read if there is no data; return the read data, and whether it was refused."""
        if self.apb:
            return await self._apb_access(address, data)
        dut = self.dut
        dut.cyc_i.value = 1
        dut.stb_i.value = 1
        dut.adr_i.value = address
        dut.we_i.value = int(data is not None)
        dut.dat_i.value = data or 0
        dut.sel_i.value = 0xF
        while True:
            await RisingEdge(dut.clk_i)
            if dut.ack_o.value or dut.err_o.value:
                break
        found = int(dut.dat_o.value), bool(dut.err_o.value)
        if self.rng.random() < 0.5:
            dut.stb_i.value = 0
            dut.cyc_i.value = 0
            await ClockCycles(dut.clk_i, self.rng.randrange(1, 4))
        return found

    async def _apb_access(self, address: int, data: int | None) -> tuple[int, bool]:
        if data is None:
            read = await self.master.read(address, WORD_BYTES)
            return int.from_bytes(read.data, "little"), bool(read.resp)
        written = await self.master.write(address, data.to_bytes(WORD_BYTES, "little"))
        return 0, bool(written.resp)


async def started(dut: Dut) -> Bench:
    """Return a bench after its reset."""
    dut.rst_ni.value = 0
    Clock(dut.clk_i, 10, unit="ns").start()
    bench = Bench(dut)
    await bench.reset()
    return bench


async def some(bench: Bench, count: int, held: dict[int, int]) -> None:
    """Write and read at random; `held` is the content of the slave."""
    for _ in range(count):
        address = bench.rng.randrange(0, 0x2800, WORD_BYTES)
        data = bench.rng.getrandbits(32) if bench.rng.random() < 0.5 else None
        read, refused = await with_timeout(bench.access(address, data), LIMIT_US, "us")
        assert refused == (address >= REFUSED), hex(address)
        if data is not None and not refused:
            held[address] = data
        if data is None and not refused:
            assert read == held.get(address, 0), hex(address)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def words_arrive(dut: Dut) -> None:
    """Check accesses with a slave that is always ready."""
    await some(await started(dut), 300, {})


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def back_pressure(dut: Dut) -> None:
    """Check accesses with a slave whose channels wait at random."""
    bench = await started(dut)
    held: dict[int, int] = {}
    for _ in range(5):
        bench.pause()
        await some(bench, 100, held)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def reset_in_the_middle(dut: Dut) -> None:
    """Reset while an access waits: later accesses succeed, and none is answered twice."""
    bench = await started(dut)
    bench.pause()
    for wait in range(1, 12):
        task = cocotb.start_soon(bench.access(0x10, wait))
        await ClockCycles(dut.clk_i, wait)
        task.cancel()
        if not bench.apb:
            dut.cyc_i.value = 0
            dut.stb_i.value = 0
        await bench.reset()
        bench.target.words.clear()
        await some(bench, 10, {})


@cocotb.test(timeout_time=20, timeout_unit="ms", skip=os.environ.get("PERLE_BUS") == "apb")
async def an_access_let_go(dut: Dut) -> None:
    """End a cycle before its answer, which Wishbone allows: the next one gets its own answer."""
    bench = await started(dut)
    bench.pause()
    held = {0x20: 0x1234}
    await bench.access(0x20, 0x1234)
    for wait in range(1, 30):
        task = cocotb.start_soon(bench.access(REFUSED, None))
        await ClockCycles(dut.clk_i, wait % 7 + 1)
        task.cancel()
        dut.cyc_i.value = 0
        dut.stb_i.value = 0
        await ClockCycles(dut.clk_i, 1 + wait % 3)
        assert await bench.access(0x20, None) == (held[0x20], False)
