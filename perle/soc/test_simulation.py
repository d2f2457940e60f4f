# SPDX-License-Identifier: Apache-2.0
"""Whole designs in a simulation: the link's pins, LiteX's bus, the crossing, the core."""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from perle.boards.driver import command
from perle.boards.sources import config_hash
from perle.cores.modexp.model import Command
from perle.cores.registry import resolve
from perle.soc import simulation
from perle.soc.boards import Link
from perle.soc.core import CONTROL_AT, LANES_AT, RECORD_WORDS, Core
from perle.soc.design import BUS_TIMEOUT
from perle.soc.pll import SYS_HZ, Clocks
from perle.soc.remote import ETHERBONE, MAGIC, ONES, Bus, Design, Etherbone, Uart

pytest.importorskip("litex", reason="needs LiteX: make setup")

LINKS: tuple[Link, ...] = ("uart", "ethernet")
M, X, Y, E = 0xF0E1D2C3B4A59687, 0x123456789ABCDEF, 0xFEDCBA987654321, 0xA5A5
HOST = "127.0.0.2"
CORE_HZ = 83e6


@dataclass
class Running:
    """A running design, the bus behind its link, and its specification for the host library."""

    core: Core
    bus: Bus
    design: Design
    soc: simulation.SimulatedSoc


def free_port() -> int:
    """Return an unused UDP port, so that several tests may run at the same time."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind((HOST, 0))
        return int(one.getsockname()[1])


@contextmanager
def running(spec: str, link: Link, lanes: int = 1, core_hz: float = CORE_HZ) -> Iterator[Running]:
    """Run a design whose control block says 83 MHz, with its core at `core_hz`."""
    core = Core(resolve(spec), lanes, round(CORE_HZ), link)
    path = simulation.build(core)
    port = free_port()
    with simulation.SimulatedSoc(path, Clocks(SYS_HZ[link], core_hz), f"{HOST}:{port}") as soc:
        bus = Uart(soc.place) if link == "uart" else Etherbone(HOST, port)
        with bus:
            yield Running(core, bus, Design(bus), soc)


def settle(soc: simulation.SimulatedSoc) -> None:
    """Wait for the bus: this serial line is faster than a board's, and bytes could be lost meanwhile."""
    end = soc.cycles + 20 * BUS_TIMEOUT
    while soc.cycles < end:
        time.sleep(0.001)


@pytest.fixture(scope="module", params=LINKS)
def design(request: pytest.FixtureRequest) -> Iterator[Running]:
    with running("orup:w64", request.param) as one:
        yield one


def test_control_block(design: Running) -> None:
    said = [design.design.control(word) for word in range(8)]
    records = RECORD_WORDS[design.core.link]
    assert said == [MAGIC, 1, 0, 83_000_000, 1, 0x4000, records, ONES]
    assert design.design.text == "Width=64 RadixBits=17 QuotientDelay=0 ChainSegments=4"


def test_registers(design: Running) -> None:
    assert design.bus.read(LANES_AT)[0] == MAGIC
    assert design.design.register(0, 0x008) == design.core.config.family.id
    assert design.design.register(0, 0x010) == config_hash(design.core.config)


def test_operations(design: Running) -> None:
    config = design.core.config
    product = design.design.run(config, M, command(Command.MULMOD), x=X, y=Y)
    assert (product.result, product.errors) == (X * Y % M, 0)
    power = design.design.run(config, M, command(Command.EXP, elen=16), x=X, e=E)
    assert (power.result, power.errors) == (pow(X, E, M), 0)


def test_what_is_nowhere_reads_as_ones_and_hangs_nothing(design: Running) -> None:
    nowhere = (
        *(0x2000_0000, LANES_AT + 0x4000, LANES_AT + 0x00FF_FFFC, CONTROL_AT + 0x200, CONTROL_AT + 0x1C),
        LANES_AT + 0x030,  # CONTROL, whose read is an error
    )
    for addr in nowhere:
        assert design.bus.read(addr) == [ONES], hex(addr)
        design.bus.write(addr & ~0xF, [0])
        settle(design.soc)
    assert design.design.control(0) == MAGIC
    assert design.bus.read(LANES_AT)[0] == MAGIC


def test_reset_ends_an_operation(design: Running) -> None:
    """Registers have their initial values, and the next operation is right."""
    config, control = design.core.config, design.design
    design.bus.write(LANES_AT + 0x028, [command(Command.EXP, elen=63)])
    assert design.bus.read(LANES_AT + 0x028) == [command(Command.EXP, elen=63)]
    control.reset()
    assert design.bus.read(LANES_AT + 0x028) == [0]
    assert control.run(config, M, command(Command.MULMOD), x=X, y=Y).result == X * Y % M


def etherbone(design: Running) -> Etherbone:
    assert isinstance(design.bus, Etherbone)
    return design.bus


def record(number: int, addr: int, words: list[int], reads: list[int]) -> bytes:
    """Return a datagram with a record of writes and reads; the answer will contain `number`."""
    counts = 0x000F_0000 | len(words) << 8 | len(reads)
    content = [ETHERBONE, 0, counts, addr, *words, number, *reads]
    return struct.pack(f">{len(content)}I", *content)


@pytest.mark.parametrize("design", ["ethernet"], indirect=True)
def test_records_of_writes_and_reads(design: Running) -> None:
    """A record reads what it wrote; several records are sent before an answer."""
    bus = etherbone(design)
    for number in range(40):
        word = command(Command.EXP, elen=number)
        bus.socket.send(record(number, LANES_AT + 0x028, [word], [CONTROL_AT, LANES_AT + 0x028]))
        if number % 4 == 3:
            for expected in range(number - 3, number + 1):
                answer = struct.unpack(">IIIIII", bus.socket.recv(64))
                assert answer[3:] == (expected, MAGIC, command(Command.EXP, elen=expected))


@pytest.mark.parametrize("design", ["ethernet"], indirect=True)
@pytest.mark.parametrize("words", [60, 120, pytest.param(250, marks=pytest.mark.wide)])
def test_long_records_wait_for_each_other(design: Running, words: int) -> None:
    """They arrive faster than the bus executes them, and together are larger than the buffer of a record."""
    bus, nowhere = etherbone(design), 0x2000_0000
    for first in range(0, 20, 4):
        for number in range(first, first + 4):
            bus.socket.send(record(number, nowhere, [number] * words, [CONTROL_AT]))
        for number in range(first, first + 4):
            answer = struct.unpack(">IIIII", bus.socket.recv(64))
            assert answer[3:] == (number, MAGIC)


@pytest.mark.parametrize("core_hz", [21e6, 180e6])
def test_slow_and_fast_cores(core_hz: float) -> None:
    """The crossing works whichever clock is faster."""
    with running("orup:w64", "uart", core_hz=core_hz) as one:
        one.design.reset()
        assert one.design.run(one.core.config, M, command(Command.MULMOD), x=X, y=Y).result == X * Y % M


@pytest.mark.wide
def test_lanes_of_an_engine() -> None:
    with running("stream:w64", "ethernet", lanes=4) as one:
        assert one.design.control(4) == 4
        for lane in range(4):
            config = one.core.config
            x = X + lane
            assert one.design.run(config, M, command(Command.MULMOD), lane=lane, x=x, y=Y).result == x * Y % M
        assert one.bus.read(LANES_AT + 4 * 0x4000) == [ONES]
