# SPDX-License-Identifier: Apache-2.0
"""The design around the core, made with LiteX: clocks, and a link through which a host masters the bus."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perle.soc.boards import Board
from perle.soc.core import LANES_AT, SPACE, TOP
from perle.soc.etherbone import add_etherbone
from perle.soc.modules import litex, quiet
from perle.soc.pll import Clocks

NAME = "perle_soc"
BAUD = 115_200
RATES = (
    *(1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, BAUD, 230_400, 460_800, 500_000, 576_000, 921_600),
    *(1_000_000, 1_152_000, 1_500_000, 2_000_000, 2_500_000, 3_000_000, 3_500_000, 4_000_000),
)
"""Baud rates that the host library supports (host/src/link/link_uart.cpp) and that are not too slow for the
serial bridge."""
EXACT = 1e-6
"""Relative tolerance for a clock frequency that was computed in advance (`pll.clocks`)."""

BUS_TIMEOUT = 1024
"""Cycles after which an access without an answer reads as all ones.

This is more than the crossing ever takes. The bridge of a serial line accepts no byte while it waits for the
bus: from 500,000 baud on, bytes after an access to an unused address, or to a hanging core, can be lost."""


@dataclass(frozen=True)
class Files:
    """LiteX's output: the design without the core in Verilog, pins, and the map of the bus."""

    verilog: str
    lpf: str
    csr: str


def platform(board: Board) -> Any:  # noqa: ANN401 - likewise
    """Return LiteX's description of a board."""
    return litex(f"litex_boards.platforms.{board.platform}").Platform(toolchain="trellis", **board.arguments)


def generate(board: Board, clocks: Clocks, baud: int = BAUD) -> Files:
    """Return the design for a board with these clocks, which its PLL must be able to make (`pll.clocks`).

    `baud` is the rate of the serial line, if there is one.
    """
    with quiet():
        return _written(_board_design(board, clocks, baud))


def _written(soc: Any) -> Files:  # noqa: ANN401 - likewise
    """Return a design's files, without the date and the machine's paths that LiteX adds."""
    builder = litex("litex.soc.integration.builder")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        builder.Builder(
            soc,
            output_dir=scratch,
            compile_software=False,
            compile_gateware=True,
            csr_csv=str(folder / "csr"),
        ).build(run=False, build_name=NAME)
        gateware = folder / "gateware"
        lpf = gateware / f"{NAME}.lpf"
        return Files(
            undated((gateware / f"{NAME}.v").read_text(encoding="utf-8")),
            lpf.read_text(encoding="utf-8") if lpf.exists() else "",
            undated((folder / "csr").read_text(encoding="utf-8")),
        )


def undated(text: str) -> str:
    """Return a generated text without comments that vary: date, version, hierarchy."""
    text = re.sub(r"^/\*.*?^\*/\n", "", text, flags=re.MULTILINE | re.DOTALL)
    changing = r"^(//|#)[^\n]*(Date|Auto-Generated|Auto-generated|sha1)[^\n]*\n"
    return re.sub(changing, "", text, flags=re.MULTILINE)


def mini(pins: Any, sys_hz: float) -> Any:  # noqa: ANN401 - likewise
    """Return a design with an empty bus."""
    core = litex("litex.soc.integration.soc_core")
    return core.SoCMini(pins, int(sys_hz), ident="", bus_standard="wishbone", bus_timeout=BUS_TIMEOUT)


def add_core(soc: Any, core_clk: Any) -> None:  # noqa: ANN401 - likewise
    """Put the core and its control block on the bus."""
    migen, bus = litex("migen"), litex("litex.soc.interconnect.wishbone").Interface(data_width=32)
    soc.specials += migen.Instance(
        TOP,
        i_clk_i=migen.ClockSignal("sys"),
        i_rst_ni=~migen.ResetSignal("sys"),
        i_cyc_i=bus.cyc,
        i_stb_i=bus.stb,
        i_we_i=bus.we,
        i_adr_i=bus.adr[:23],
        i_dat_i=bus.dat_w,
        o_ack_o=bus.ack,
        o_dat_o=bus.dat_r,
        i_core_clk_i=core_clk,
    )
    region = litex("litex.soc.integration.soc").SoCRegion(origin=LANES_AT, size=SPACE, cached=False)
    soc.bus.add_slave("perle", bus, region)


def _board_design(board: Board, clocks: Clocks, baud: int) -> Any:  # noqa: ANN401 - likewise
    migen, pins = litex("migen"), platform(board)
    soc = mini(pins, clocks.sys)
    soc.crg = _clock_domains(board, pins, clocks)
    if board.link == "uart":
        soc.add_uartbone(baudrate=baud)
    else:
        rgmii = litex("liteeth.phy.ecp5rgmii").LiteEthPHYRGMII
        phy = rgmii(
            clock_pads=pins.request("eth_clocks", 0),
            pads=pins.request("eth", 0),
            tx_delay=board.tx_delay_ns * 1e-9,
            rx_delay=board.rx_delay_ns * 1e-9,
        )
        add_etherbone(soc, phy)
        pins.add_period_constraint(phy.crg.cd_eth_rx.clk, 1e9 / phy.rx_clk_freq)
    add_core(soc, migen.ClockSignal("core"))
    for name in board.high:
        soc.comb += pins.request(name).eq(1)
    return soc


def _clock_domains(board: Board, pins: Any, clocks: Clocks) -> Any:  # noqa: ANN401 - likewise
    """Return the clock domains "sys" and "core" from one PLL; the core makes its own reset."""
    migen = litex("migen")
    crg = litex("litex.gen").LiteXModule()
    crg.rst = migen.Signal()
    crg.cd_sys, crg.cd_core = migen.ClockDomain("sys"), migen.ClockDomain("core", reset_less=True)
    crg.pll = pll = litex("litex.soc.cores.clock").ECP5PLL()
    pressed = 0
    if board.reset:
        pin = pins.request(board.reset.removeprefix("!"))
        pressed = ~pin if board.reset.startswith("!") else pin
    crg.comb += pll.reset.eq(pressed | crg.rst)
    pll.register_clkin(pins.request(board.clock), board.mhz * 1e6)
    pll.create_clkout(crg.cd_sys, clocks.sys, margin=EXACT)
    pll.create_clkout(crg.cd_core, clocks.core, margin=EXACT, with_reset=False)
    return crg
