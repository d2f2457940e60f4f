# SPDX-License-Identifier: Apache-2.0
"""Ports of the top modules, and the bus interfaces in the terms of other tools."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from perle.boards.wrapper import ADDR_BITS

if TYPE_CHECKING:
    from perle.generate.ip import Ip

STREAM_BITS = 64
BUS_PREFIXES = ("axil_", "s_apb_", "wb_")


@dataclass(frozen=True)
class Port:
    """A port of a module; `range` is empty for a single bit."""

    way: str
    range: str
    name: str

    @property
    def gap(self) -> str:
        """The range followed by a blank, or nothing."""
        return f"{self.range} " if self.range else ""

    @property
    def declaration(self) -> str:
        """The declaration in a module header."""
        return f"{self.way:6} logic {self.gap}{self.name}"

    @property
    def signal(self) -> str:
        """The name of the wire that connects it to another module."""
        return self.name if self.name.startswith("wb_") else self.stem

    @property
    def stem(self) -> str:
        """The name without its direction."""
        return re.sub(r"_(n?)[io]$", lambda end: "_n" if end[1] else "", self.name)

    @property
    def bits(self) -> int:
        """The number of bits."""
        count = 1
        for high in re.findall(r"\[(\d+):0\]", self.range):
            count *= int(high) + 1
        return count


class Interface(NamedTuple):
    """A bus interface for Vivado and IP-XACT: type, name, role, and ports by logical name."""

    vlnv: tuple[str, str, str, str]
    name: str
    role: str
    ports: dict[str, str]


def vector(bits: int) -> str:
    """Return the range of a vector; empty for a single bit."""
    return f"[{bits - 1}:0]"


def opposite(port: Port) -> str:
    """Return the name of the port on the other side: an output for an input."""
    return f"{port.stem}_{'o' if port.way == 'input' else 'i'}"


def inside(port: Port) -> str:
    """Return the name of an adapter's port for a port of the top module."""
    name = next((port.name.removeprefix(one) for one in BUS_PREFIXES if port.name.startswith(one)), port.name)
    return name if re.search(r"_n?[io]$", name) else f"{name}_{'i' if port.way == 'input' else 'o'}"


def _apb(ip: Ip) -> list[Port]:
    return [
        Port("input", "", "s_apb_psel"),
        Port("input", "", "s_apb_penable"),
        Port("input", vector(ADDR_BITS + ip.shape.lane_bits), "s_apb_paddr"),
        Port("input", vector(3), "s_apb_pprot"),
        Port("input", "", "s_apb_pwrite"),
        Port("input", vector(ip.word_bits), "s_apb_pwdata"),
        Port("input", vector(ip.word_bits // 8), "s_apb_pstrb"),
        Port("output", "", "s_apb_pready"),
        Port("output", vector(ip.word_bits), "s_apb_prdata"),
        Port("output", "", "s_apb_pslverr"),
    ]


def _wishbone(ip: Ip) -> list[Port]:
    return [
        Port("input", "", "wb_cyc_i"),
        Port("input", "", "wb_stb_i"),
        Port("input", "", "wb_we_i"),
        Port("input", vector(ADDR_BITS + ip.shape.lane_bits), "wb_adr_i"),
        Port("input", vector(ip.word_bits), "wb_dat_i"),
        Port("input", vector(ip.word_bits // 8), "wb_sel_i"),
        Port("output", "", "wb_ack_o"),
        Port("output", "", "wb_err_o"),
        Port("output", vector(ip.word_bits), "wb_dat_o"),
    ]


def slave(ip: Ip) -> list[Port]:
    """Return the ports of a bridge's bus."""
    return _apb(ip) if ip.bus == "apb" else _wishbone(ip)


def streams() -> list[Port]:
    """Return the ports of the two streams."""
    return [
        Port("input", "", "s_axis_tvalid"),
        Port("output", "", "s_axis_tready"),
        Port("input", vector(STREAM_BITS), "s_axis_tdata"),
        Port("input", "", "s_axis_tlast"),
        Port("output", "", "m_axis_tvalid"),
        Port("input", "", "m_axis_tready"),
        Port("output", vector(STREAM_BITS), "m_axis_tdata"),
        Port("output", "", "m_axis_tlast"),
    ]


PATTERNS: dict[str, tuple[tuple[str, str, str, str], str, str, str]] = {
    "axil": (("xilinx.com", "interface", "aximm_rtl", "1.0"), "S_AXI", "slave", r"axil_(\w+)_[io]"),
    "apb": (("xilinx.com", "interface", "apb_rtl", "1.0"), "S_APB", "slave", r"s_apb_(\w+)"),
    "wishbone": (("opencores.org", "wishbone", "wishbone_rtl", "B4"), "WB", "slave", r"wb_(\w+)"),
    "s_axis": (("xilinx.com", "interface", "axis_rtl", "1.0"), "S_AXIS", "slave", r"s_axis_(\w+)"),
    "m_axis": (("xilinx.com", "interface", "axis_rtl", "1.0"), "M_AXIS", "master", r"m_axis_(\w+)"),
}


def buses(ip: Ip, ports: list[Port]) -> list[Interface]:
    """Return the bus interfaces of a top module; clock, reset and interrupt are not included."""
    found = []
    for key in ("s_axis", "m_axis") if ip.bus == "axis" else (ip.bus,):
        if key in PATTERNS:
            vlnv, name, role, pattern = PATTERNS[key]
            matched = {port.name: re.fullmatch(pattern, port.name) for port in ports}
            known = {name: match[1].upper() for name, match in matched.items() if match}
            found.append(Interface(vlnv, name, role, {logical: port for port, logical in known.items()}))
    return found


def signals(ip: Ip, ports: list[Port]) -> list[Interface]:
    """Return clock, reset and interrupt as interfaces for Vivado and IP-XACT."""
    kind = ("xilinx.com", "signal")
    found = [
        Interface((*kind, "clock_rtl", "1.0"), "CLK", "slave", {"CLK": "clk_i"}),
        Interface((*kind, "reset_rtl", "1.0"), "RST", "slave", {"RST": "rst_ni"}),
    ]
    if any(port.name == "irq_o" for port in ports) and ip.lanes == 1:
        found.append(Interface((*kind, "interrupt_rtl", "1.0"), "IRQ", "master", {"INTERRUPT": "irq_o"}))
    return found


def attributed(ip: Ip, ports: list[Port]) -> list[str]:
    """Return the declarations of a top module's ports, with the attributes that Vivado's packager reads."""
    known = buses(ip, ports)
    infos = {
        port: f'X_INTERFACE_INFO = "{":".join(one.vlnv)} {one.name} {logical}"'
        for one in [*known, *signals(ip, ports)]
        for logical, port in one.ports.items()
    }
    names = ":".join(one.name for one in known)
    of_bus = f"ASSOCIATED_BUSIF {names}, " if names else ""
    more = {"clk_i": f"{of_bus}ASSOCIATED_RESET rst_ni", "rst_ni": "POLARITY ACTIVE_LOW"}
    for port, parameter in more.items():
        infos[port] += f',\n     X_INTERFACE_PARAMETER = "{parameter}"'
    return [
        f"(* {infos[port.name]} *)\n  {port.declaration}" if port.name in infos else port.declaration
        for port in ports
    ]
