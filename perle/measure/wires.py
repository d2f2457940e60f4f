# SPDX-License-Identifier: Apache-2.0
"""Wires between placed cells, before they are routed: lengths, capacitances, and parasitics for timing.

A net is a tree of shortest length between its pins (minimum spanning tree, distances along the axes), which
is up to half longer than the shortest possible wires, and about an eighth on average. Pins are at the centres
of their cells. Resistance and capacitance per length are those that OpenROAD uses for signals in this
process, fitted to routed designs (OpenROAD-flow-scripts, flow/platforms/ihp-sg13g2/setRC.tcl).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from perle.flow.liberty import Library
from perle.flow.netlist import Gates
from perle.flow.tools import ToolError

OHM_PER_UM, FF_PER_UM = 2.07259, 0.173072
SHORTEST_OHM = 1e-3
"""In place of a resistance of zero."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Wire:
    """The wire of a net: its pins (cell, pin), the driver first; branches between two of them, in µm."""

    pins: tuple[tuple[str, str], ...]
    branches: tuple[tuple[int, int, float], ...]

    @property
    def um(self) -> float:
        """Its length."""
        return sum(length for _, _, length in self.branches)

    @property
    def ff(self) -> float:
        """Its capacitance, without that of the pins."""
        return self.um * FF_PER_UM


def tree(points: Sequence[Point]) -> tuple[tuple[int, int, float], ...]:
    """Return a minimum spanning tree: pairs of points with their distance, from the first point outwards."""
    distance = [_apart(point, points[0]) for point in points]
    nearest = [0] * len(points)
    left = set(range(1, len(points)))
    found = []
    while left:
        new = min(left, key=lambda one: (distance[one], one))
        left.remove(new)
        found.append((nearest[new], new, distance[new]))
        for other in left:
            apart = _apart(points[other], points[new])
            if apart < distance[other]:
                distance[other], nearest[other] = apart, new
    return tuple(found)


def _apart(one: Point, other: Point) -> float:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def pins(gates: Gates, library: Library, without: Collection[str]) -> dict[str, list[tuple[str, str]]]:
    """Return the pins of each net that a cell drives, the driver first; not those of nets in `without`."""
    found: dict[str, list[tuple[str, str]]] = {}
    driven: dict[str, tuple[str, str]] = {}
    for cell in gates.cells:
        for pin, net in cell.pins.items():
            if net in without:
                continue
            if pin in library[cell.kind].outputs:
                if net in driven:
                    raise ToolError("yosys", f"two cells drive the net {net}")
                driven[net] = (cell.name, pin)
            else:
                found.setdefault(net, []).append((cell.name, pin))
    return {net: [driver, *found[net]] for net, driver in driven.items() if net in found}


def wired(nets: Mapping[str, Sequence[tuple[str, str]]], at: Mapping[str, Point]) -> dict[str, Wire]:
    """Return the wire of each net between cells placed at the given points, in µm."""
    return {net: Wire(tuple(ends), tree([at[cell] for cell, _ in ends])) for net, ends in nets.items()}


def spef(name: str, wires: Mapping[str, Wire]) -> str:
    """Return the parasitics of a module's nets in SPEF.

    A branch is a resistor with half its capacitance at either end.
    """
    lines = [
        '*SPEF "IEEE 1481-1998"',
        f'*DESIGN "{name}"',
        *(f'*{key} ""' for key in ("DATE", "VENDOR", "PROGRAM", "VERSION", "DESIGN_FLOW")),
        *("*DIVIDER /", "*DELIMITER :", "*BUS_DELIMITER [ ]"),
        *("*T_UNIT 1 NS", "*C_UNIT 1 FF", "*R_UNIT 1 OHM", "*L_UNIT 1 HENRY"),
    ]
    for net, wire in wires.items():
        ends = [":".join(pin) for pin in wire.pins]
        at_pin = [0.0] * len(ends)
        for one, other, length in wire.branches:
            at_pin[one] += length * FF_PER_UM / 2
            at_pin[other] += length * FF_PER_UM / 2
        lines += [f"*D_NET {net} {wire.ff:.5f}", "*CONN"]
        lines += [f"*I {end} {'I' if index else 'O'}" for index, end in enumerate(ends)]
        lines += ["*CAP", *_numbered(f"{end} {ff:.5f}" for end, ff in zip(ends, at_pin, strict=True)), "*RES"]
        lines += _numbered(
            f"{ends[one]} {ends[other]} {max(length * OHM_PER_UM, SHORTEST_OHM):.4f}"
            for one, other, length in wire.branches
        )
        lines.append("*END")
    return "\n".join([*lines, ""])


def _numbered(lines: Iterable[str]) -> list[str]:
    return [f"{number} {line}" for number, line in enumerate(lines, 1)]


def switched_pj(wires: Mapping[str, Wire], nets: Mapping[str, tuple[float, float]], volts: float) -> float:
    """Return the energy per cycle in pJ that charges the wires: C·V²/2 for each change of a net.

    `nets`: changes per cycle, and share of cycles at 1, of every net.
    """
    return sum(wire.ff * nets[net][0] for net, wire in wires.items()) * volts**2 / 2 / 1000
