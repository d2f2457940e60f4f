# SPDX-License-Identifier: Apache-2.0
"""The harness around a core: SystemVerilog that connects a core's ports to `perle_harness`.

Clock and reset of the core are pins; each other one-bit port has a pin behind a register; wider ports are
transferred in words, in the order of the ports, lowest bit first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from perle.flow.yosys import Port

SOURCE = Path(__file__).with_name("perle_harness.sv")
TOP = "perle_harness_top"
WORD_BITS = 32
DIRECT = ("clk_i", "rst_ni")


@dataclass(frozen=True)
class Layout:
    """The position of a port's bits: among the pins, or among the bits transferred in words."""

    inputs: dict[str, int]
    outputs: dict[str, int]
    in_pins: dict[str, int]
    out_pins: dict[str, int]
    widths: dict[str, int]

    @property
    def in_bits(self) -> int:
        """Bits transferred to the core in words."""
        return sum(self.widths[name] for name in self.inputs)

    @property
    def out_bits(self) -> int:
        """Bits transferred from the core in words."""
        return sum(self.widths[name] for name in self.outputs)


def layout(ports: Iterable[Port]) -> Layout:
    """Return the positions of the bits of each port in the harness."""
    placed: dict[tuple[str, bool], dict[str, int]] = {
        (way, pin): {} for way in ("input", "output") for pin in (True, False)
    }
    filled = dict.fromkeys(placed, 0)
    widths = {}
    for port in ports:
        if port.name in DIRECT:
            continue
        kind = (port.direction, port.bits == 1)
        placed[kind][port.name] = filled[kind]
        filled[kind] += port.bits
        widths[port.name] = port.bits
    return Layout(
        placed["input", False], placed["output", False], placed["input", True], placed["output", True], widths
    )


def top(core: str, ports: Iterable[Port], params: Mapping[str, str] | None = None) -> str:
    """Return the text of the module TOP: the core `core` in its harness.

    `params` are the core's parameters in SystemVerilog syntax, if it is a source and not a netlist.
    """
    ports = list(ports)
    where = layout(ports)
    # A vector has at least one bit: unused ones are tied off.
    sizes = {
        "InBits": max(where.in_bits, 1),
        "OutBits": max(where.out_bits, 1),
        "InPins": max(len(where.in_pins), 1),
        "OutPins": max(len(where.out_pins), 1),
    }
    joins = [f".{port.name}({_join(port, where)})" for port in ports]
    generics = ", ".join(f".{key}({value})" for key, value in (params or {}).items())
    numbers = ", ".join(f".{key}({value})" for key, value in {**sizes, "WordBits": WORD_BITS}.items())
    empty = [
        f"  assign {name} = '0;"
        for name, there in (("from_core", where.outputs), ("from_core_pins", where.out_pins))
        if not there
    ]
    lines = [
        "// SPDX-License-Identifier: Apache-2.0",
        "//",
        f"// {core} in its harness: written by perle.measure.harness, not to be edited.",
        "",
        f"module {TOP} (",
        "  input  logic clk_i, rst_ni, hold_i, unload_i,",
        f"  input  logic [{WORD_BITS - 1}:0] data_i,",
        f"  output logic [{WORD_BITS - 1}:0] data_o,",
        f"  input  logic [{sizes['InPins'] - 1}:0] pins_i,",
        f"  output logic [{sizes['OutPins'] - 1}:0] pins_o",
        ");",
        "",
        f"  logic [{sizes['InBits'] - 1}:0] to_core;",
        f"  logic [{sizes['OutBits'] - 1}:0] from_core;",
        f"  logic [{sizes['InPins'] - 1}:0] to_core_pins;",
        f"  logic [{sizes['OutPins'] - 1}:0] from_core_pins;",
        "",
        *empty,
        f"  {core} {f'#({generics}) ' if generics else ''}u_core ({', '.join(joins)});",
        "",
        f"  perle_harness #({numbers}) u_harness (",
        "    .core_o(to_core), .core_i(from_core),",
        "    .core_pins_o(to_core_pins), .core_pins_i(from_core_pins), .*",
        "  );",
        "",
        "endmodule",
        "",
    ]
    return "\n".join(lines)


def _join(port: Port, where: Layout) -> str:
    if port.name in DIRECT:
        return port.name
    vectors = {
        "to_core": where.inputs,
        "from_core": where.outputs,
        "to_core_pins": where.in_pins,
        "from_core_pins": where.out_pins,
    }
    for vector, offsets in vectors.items():
        if port.name in offsets:
            return f"{vector}[{offsets[port.name]}+:{port.bits}]"
    raise KeyError(port.name)
