# SPDX-License-Identifier: Apache-2.0
"""A flat netlist of library cells, in simple structural Verilog that all tools accept.

Ports keep their names and widths; cells are g0, g1 …, and nets n0, n1 …, one bit each. There are no
concatenations and no expressions; only an output that equals another net or a constant is an assignment.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perle.flow.tools import ToolError
from perle.flow.yosys import Port

Bit = int | str


@dataclass(frozen=True)
class Cell:
    """An instance: its name, the library's cell, and the net at each pin."""

    name: str
    kind: str
    pins: dict[str, str]


@dataclass(frozen=True)
class Gates:
    """A flat module of cells; `aliases` are outputs that equal another net or a constant."""

    name: str
    ports: tuple[Port, ...]
    cells: tuple[Cell, ...]
    aliases: dict[str, str]

    def verilog(self) -> str:
        """Return the module."""
        nets = {bit for port in self.ports for bit in bits(port)}
        own = sorted({net for cell in self.cells for net in cell.pins.values()} - nets, key=_by_number)
        lines = [f"module {self.name} ({', '.join(port.name for port in self.ports)});"]
        lines += [f"  {port.direction} {vector(port)}{port.name};" for port in self.ports]
        lines += [f"  wire {net};" for net in own]
        for cell in self.cells:
            pins = ", ".join(f".{pin}({net})" for pin, net in cell.pins.items())
            lines.append(f"  {cell.kind} {cell.name} ({pins});")
        lines += [f"  assign {left} = {right};" for left, right in self.aliases.items()]
        return "\n".join([*lines, "endmodule", ""])


def read(path: Path, top: str, name: str) -> Gates:
    """Read the module `top` from the output of Yosys's write_json, and rename it to `name`."""
    module: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["modules"][top]
    ports = tuple(Port(key, one["direction"], len(one["bits"])) for key, one in module["ports"].items())
    nets: dict[Bit, str] = {}
    aliases: dict[str, str] = {}
    for port in sorted(ports, key=lambda port: port.direction != "input"):
        for bit, text in zip(module["ports"][port.name]["bits"], bits(port), strict=True):
            if isinstance(bit, str):
                aliases[text] = f"1'b{bit}"
            elif bit in nets:
                aliases[text] = nets[bit]
            else:
                nets[bit] = text
    cells = []
    for index, (label, one) in enumerate(sorted(module["cells"].items())):
        pins = {}
        for pin, at in one["connections"].items():
            if len(at) != 1 or isinstance(at[0], str):
                raise ToolError("yosys", f"pin {pin} of cell {label} ({one['type']}) is not one net: {at}")
            pins[pin] = nets.setdefault(at[0], f"n{at[0]}")
        cells.append(Cell(f"g{index}", one["type"], pins))
    return Gates(name, ports, tuple(cells), aliases)


def vector(port: Port) -> str:
    """Return a port's range in a declaration, followed by a space; empty for one bit."""
    return f"[{port.bits - 1}:0] " if port.bits > 1 else ""


def bits(port: Port) -> list[str]:
    """Return the names of a port's bits, least significant first."""
    return [f"{port.name}[{i}]" for i in range(port.bits)] if port.bits > 1 else [port.name]


def _by_number(net: str) -> int:
    return int(net[1:])
