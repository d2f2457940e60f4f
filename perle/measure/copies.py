# SPDX-License-Identifier: Apache-2.0
"""Several copies of a core as one: SystemVerilog that joins their clocks and resets, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable

from perle.flow.yosys import Port
from perle.measure.harness import DIRECT

TOP = "perle_copies"


def ports(core: Iterable[Port], count: int) -> list[Port]:
    """Return the ports of TOP: those in common, then those of each copy, after its number."""
    core = list(core)
    common = [port for port in core if port.name in DIRECT]
    own = [Port(_own(port, i), port.direction, port.bits) for i in range(count) for port in _apart(core)]
    return common + own


def top(name: str, core: Iterable[Port], count: int) -> str:
    """Return the text of the module TOP: `count` copies of the core `name`, whose ports are given."""
    core = list(core)
    header = ",\n".join(
        f"  {port.direction:6} logic [{port.bits - 1}:0] {port.name}" for port in ports(core, count)
    )
    copies = []
    for i in range(count):
        joins = [f".{port.name}({port.name})" for port in core if port.name in DIRECT]
        joins += [f".{port.name}({_own(port, i)})" for port in _apart(core)]
        copies.append(f"  {name} u_core{i} ({', '.join(joins)});\n")
    return "\n".join(
        [
            "// SPDX-License-Identifier: Apache-2.0",
            "//",
            f"// {count} copies of {name}: written by perle.measure.copies, not to be edited.",
            "",
            f"module {TOP} (\n{header}\n);\n",
            *copies,
            "endmodule\n",
        ]
    )


def _apart(core: Iterable[Port]) -> list[Port]:
    return [port for port in core if port.name not in DIRECT]


def _own(port: Port, copy: int) -> str:
    return f"copy{copy}_{port.name}"
