# SPDX-License-Identifier: Apache-2.0
"""Simulation of a whole design with Verilator: core, bus and link as on a board, connected to this machine.

For a design with a serial line, the routed netlist can be simulated instead (`build_routed`).

A serial line appears as a pseudo-terminal, Ethernet as a UDP port. Differences to a board: the clocks are
inputs, not made by a PLL; a bit of the serial line takes 12 cycles, to save simulation time; and bytes of
Ethernet frames replace the drivers of RGMII pins. Everything else is the same.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from perle.boards.sources import WAIVERS
from perle.flow.cache import cached, content_hash
from perle.flow.tools import ToolError
from perle.flow.verilator import build_so, verilator_version
from perle.soc.boards import Board, Link
from perle.soc.core import Core, written
from perle.soc.design import NAME, add_core, mini
from perle.soc.etherbone import add_etherbone
from perle.soc.modules import litex, quiet
from perle.soc.pll import SYS_HZ, Clocks
from perle.soc.routed import verilog as routed_verilog

SIM = Path(__file__).with_name("sim")
WIRES: dict[Link, str] = {"uart": "wire_uart.cpp", "ethernet": "wire_ethernet.cpp"}
CYCLES_PER_BIT = 12
NETLIST_BAUD = 300
"""Baud rate stated to the host library for a routed netlist. It determines the host's timeouts, and so allows
for the slow simulation."""
FLAGS = ("-O3", "--x-assign", "fast", "--x-initial", "fast", "--no-assert", "-CFLAGS", "-fvisibility=hidden")
PS = 1e12


def _pins(link: Link) -> list[Any]:
    io = litex("litex.build.generic_platform")
    clocks = [(name, 0, io.Pins(1)) for name in ("sys_clk", "sys_rst", "core_clk")]
    if link == "uart":
        return [*clocks, ("serial", 0, io.Subsignal("tx", io.Pins(1)), io.Subsignal("rx", io.Pins(1)))]
    frames = {"rx_dv": 1, "rx_data": 8, "tx_en": 1, "tx_data": 8}
    wires = [io.Subsignal(name, io.Pins(bits)) for name, bits in frames.items()]
    return [*clocks, ("eth_clk", 0, io.Pins(1)), ("eth", 0, *wires)]


def verilog(link: Link) -> str:
    """Return the design without the core."""
    with quiet():
        migen = litex("migen")
        pins = litex("litex.build.generic_platform").GenericPlatform("", _pins(link), name=NAME)
        soc = mini(pins, SYS_HZ[link])
        soc.crg = crg = litex("litex.gen").LiteXModule()
        crg.cd_sys, crg.cd_core = migen.ClockDomain("sys"), migen.ClockDomain("core", reset_less=True)
        crg.comb += [
            crg.cd_sys.clk.eq(pins.request("sys_clk")),
            crg.cd_sys.rst.eq(pins.request("sys_rst")),
            crg.cd_core.clk.eq(pins.request("core_clk")),
        ]
        if link == "uart":
            soc.add_uartbone(baudrate=int(SYS_HZ[link] / CYCLES_PER_BIT))
        else:
            add_etherbone(soc, _frames(pins.request("eth_clk"), pins.request("eth")))
        add_core(soc, migen.ClockSignal("core"))
        soc.finalize()
        made = pins.get_verilog(soc.get_fragment(), name=NAME)
    assert not made.data_files, "memories with contents"
    return str(made)


def _frames(clock: Any, pads: Any) -> Any:  # noqa: ANN401 - a package without types
    """Return the replacement for the drivers of RGMII pins: frame bytes with preamble and check sequence."""
    migen, gen = litex("migen"), litex("litex.gen")
    common, stream = litex("liteeth.common"), litex("litex.soc.interconnect.stream")
    phy = gen.LiteXModule()
    phy.dw, phy.tx_clk_freq, phy.rx_clk_freq = 8, 125e6, 125e6
    phy.crg = crg = gen.LiteXModule()
    crg.cd_eth_rx, crg.cd_eth_tx = migen.ClockDomain("eth_rx"), migen.ClockDomain("eth_tx")
    crg.comb += [crg.cd_eth_rx.clk.eq(clock), crg.cd_eth_tx.clk.eq(clock)]
    for domain in (crg.cd_eth_rx, crg.cd_eth_tx):
        crg.comb += domain.rst.eq(migen.ResetSignal("sys"))
    phy.sink = stream.Endpoint(common.eth_phy_description(8))
    phy.source = stream.Endpoint(common.eth_phy_description(8))
    phy.comb += phy.sink.ready.eq(1)
    phy.sync.eth_tx += [pads.tx_en.eq(phy.sink.valid), pads.tx_data.eq(phy.sink.data)]
    phy.sync.eth_rx += [phy.source.valid.eq(pads.rx_dv), phy.source.data.eq(pads.rx_data)]
    phy.comb += phy.source.last.eq(phy.source.valid & ~pads.rx_dv)
    return phy


def build(core: Core, progress: Callable[[str], None] = lambda _: None) -> Path:
    """Return the shared object of a design; it is built once for the same sources and tools."""
    files = {**core.texts(device=False), f"{NAME}.v": verilog(core.link)}
    cpp = [SIM / "soc.cpp", SIM / WIRES[core.link]]
    flags = [*FLAGS, "-CFLAGS", f"-I{SIM}", "-Wno-lint", "-Wno-style"]
    tools = [verilator_version(), FLAGS]
    key = content_hash([*cpp, SIM / "soc.hpp", WAIVERS], files, tools)

    def make(path: Path) -> None:
        progress(f"building the simulated design {core.config.spec} (once; up to some minutes)")
        sources = [WAIVERS, *written(files, path.with_name("sources"))]
        build_so(NAME, sources, cpp, {}, path, extra=flags)

    return cached(f"soc-{core.config.family.name}-{core.config.name}-{core.link}-{key}", ".so", make)


def build_routed(netlist: Path, board: Board, progress: Callable[[str], None] = lambda _: None) -> Path:
    """Return the shared object of a routed netlist; it is built once for the same text and tools."""
    files = {f"{NAME}.v": routed_verilog(netlist, board)}
    cpp, memory = [SIM / "soc.cpp", SIM / WIRES["uart"]], SIM / "perle_soc_block_memory.sv"
    flags = [*FLAGS, "-CFLAGS", f"-I{SIM}", "-Wno-lint", "-Wno-style"]
    key = content_hash([*cpp, SIM / "soc.hpp", memory], files, [verilator_version(), FLAGS])

    def make(path: Path) -> None:
        progress("building the simulated netlist (once; up to some minutes)")
        build_so(NAME, [memory, *written(files, path.with_name("sources"))], cpp, {}, path, extra=flags)

    return cached(f"soc-routed-{key}", ".so", make)


class SimulatedSoc:
    """A design that runs in its own thread, from the beginning to the end of a `with` block."""

    def __init__(
        self, path: Path, clocks: Clocks, place: str = "", *, cycles_per_bit: int = CYCLES_PER_BIT
    ) -> None:
        """Load a build; `place` is HOST:PORT of the UDP port for Ethernet.

        `cycles_per_bit`: cycles of the bus's clock per bit of a serial line.
        """
        self.library = ctypes.CDLL(str(path))
        handle, text, u64 = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64
        for name, result, arguments in (
            ("open", handle, [u64, u64, text, ctypes.c_uint]),
            ("place", text, [handle]),
            ("cycles", u64, [handle]),
            ("run", None, [handle]),
            ("stop", None, [handle]),
            ("close", None, [handle]),
        ):
            function = getattr(self.library, f"perle_soc_{name}")
            function.restype, function.argtypes = result, arguments
        periods = [round(PS / hz) for hz in (clocks.sys, clocks.core)]
        self.handle = self.library.perle_soc_open(*periods, place.encode(), cycles_per_bit)
        if not self.handle:
            raise ToolError("simulated design", f"cannot open {place or 'a pseudo-terminal'}")
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        self.library.perle_soc_run(self.handle)
        self._ended.set()

    @property
    def place(self) -> str:
        """The address for hosts: a device, or HOST:PORT."""
        return bytes(self.library.perle_soc_place(self.handle)).decode()

    @property
    def cycles(self) -> int:
        """Cycles of the bus's clock so far."""
        return int(self.library.perle_soc_cycles(self.handle))

    def wait(self) -> None:
        """Run until the program is interrupted.

        This does not join the thread: after an interrupted join, Python would regard it as ended.
        """
        with suppress(KeyboardInterrupt):
            self._ended.wait()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.library.perle_soc_stop(self.handle)
        self._thread.join()
        self.library.perle_soc_close(self.handle)
        self.handle = None
