# SPDX-License-Identifier: Apache-2.0
"""The environment of a netlist of standard cells for timing and power analysis."""

from __future__ import annotations

from dataclasses import replace

from perle.flow.netlist import Gates, bits, vector
from perle.flow.yosys import Port

REGISTER = "sg13g2_dfrbpq_1"
TIE = "sg13g2_tiehi"
OUTPUTS = ("X", "Y", "GCLK")
"""Output pins of logic gates and of clock gates; those of registers are called Q."""

PAIR = "pair"
PLACES = ("u_a/", "u_b/")
"""Module with two elements in series, and the instance paths of the elements in it."""

FED = "fed"
FED_PLACE = "u/"
"""Module around a netlist, with a register at each input, and the instance path of the netlist in it."""


def in_line(gates: Gates, *, closed: bool = False) -> str:
    """Return a module of two elements: inputs x_i of the second from x_o of the first, others from registers.

    The inputs of the first one, except the clock, are open; with `closed` they come from registers too.
    """
    names = {port.name for port in gates.ports}
    head, body = _head(PAIR)
    pins: dict[str, list[str]] = {"u_a": [".clk_i(clk_i)"], "u_b": [".clk_i(clk_i)"]}
    for port in gates.ports:
        if port.name == "clk_i":
            continue
        before = f"{port.name.removesuffix('_i')}_o"
        if port.direction == "output":
            head.append(f"  wire {vector(port)}a_{port.name};")
            pins["u_a"].append(f".{port.name}(a_{port.name})")
            continue
        if before not in names or closed:
            head.append(f"  wire {vector(port)}r_{port.name};")
            body += _registers(port)
        pins["u_b"].append(f".{port.name}({f'a_{before}' if before in names else f'r_{port.name}'})")
        if closed:
            pins["u_a"].append(f".{port.name}(r_{port.name})")
    body += [f"  {gates.name} {name} ({', '.join(found)});" for name, found in pins.items()]
    return "\n".join([*head, *body, "endmodule", ""])


def fed(gates: Gates) -> str:
    """Return the module FED of a netlist, with a register at each input bit except the clock."""
    head, body = _head(FED)
    pins = [".clk_i(clk_i)"]
    for port in gates.ports:
        if port.direction == "input" and port.name != "clk_i":
            head.append(f"  wire {vector(port)}r_{port.name};")
            body += _registers(port)
            pins.append(f".{port.name}(r_{port.name})")
    body.append(f"  {gates.name} {FED_PLACE[:-1]} ({', '.join(pins)});")
    return "\n".join([*head, *body, "endmodule", ""])


def gated(gates: Gates) -> list[str]:
    """Return the outputs of gates between the clock and the enables of latches."""
    return [
        f"{cell.name}/{pin}"
        for cell in gates.cells
        for pin in cell.pins
        if "clk_i" in cell.pins.values() and pin in OUTPUTS
    ]


def _head(name: str) -> tuple[list[str], list[str]]:
    head = [f"module {name} (clk_i, d_i);", "  input clk_i;", "  input d_i;", "  wire one;"]
    return head, [f"  {TIE} u_one (.L_HI(one));"]


def _registers(port: Port) -> list[str]:
    """Return a register for each bit of an input, driving its nets r_…."""
    nets = bits(replace(port, name=f"r_{port.name}"))
    return [
        f"  {REGISTER} f_{port.name}_{i} (.CLK(clk_i), .D(d_i), .RESET_B(one), .Q({net}));"
        for i, net in enumerate(nets)
    ]
