# SPDX-License-Identifier: Apache-2.0
"""Co-placed cores as one module: SystemVerilog in which they share only clock and reset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perle.flow.yosys import Port
from perle.measure.harness import DIRECT

TOP = "perle_co_placed"


@dataclass(frozen=True)
class Core:
    """A module and its ports."""

    name: str
    ports: tuple[Port, ...]


def ports(cores: Sequence[Core]) -> list[Port]:
    """Return the ports of TOP: clock and reset, then those of each core, after its number."""
    common = [port for port in cores[0].ports if port.name in DIRECT]
    own = [
        Port(_own(port, i), port.direction, port.bits)
        for i, core in enumerate(cores)
        for port in core.ports
        if port.name not in DIRECT
    ]
    return common + own


def top(cores: Sequence[Core]) -> str:
    """Return the text of the module TOP."""
    header = ",\n".join(
        f"  {port.direction:6} logic [{port.bits - 1}:0] {port.name}" for port in ports(cores)
    )
    placed = []
    for i, core in enumerate(cores):
        joins = [
            f".{port.name}({port.name if port.name in DIRECT else _own(port, i)})" for port in core.ports
        ]
        placed.append(f"  {core.name} u_core{i} ({', '.join(joins)});\n")
    return "\n".join(
        [
            "// SPDX-License-Identifier: Apache-2.0",
            "//",
            "// Co-placed cores: written by perle.measure.co_placed, not to be edited.",
            "",
            f"module {TOP} (\n{header}\n);\n",
            *placed,
            "endmodule\n",
        ]
    )


def _own(port: Port, number: int) -> str:
    return f"core{number}_{port.name}"
