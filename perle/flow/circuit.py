# SPDX-License-Identifier: Apache-2.0
"""Identity of the circuit of a Yosys netlist, independent of names and source positions.

Cells are numbered in the order of a traversal backwards from the top module's outputs. Every net has one
driver and every pin a name, so two netlists have equal numberings if and only if they are the same circuit.
Cells that no output depends on follow in the order of their names.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

POSITIONS = frozenset({"src", "hdlname", "module_src"})
"""Attributes that record source positions and original names."""

NAMES = frozenset({"MEMID"})
"""Parameters that contain names: that of a memory that is not mapped yet."""

Bit = int | str


@dataclass(frozen=True)
class Circuit:
    """Digests of a netlist: `named` includes the names from the source, `shape` no names."""

    named: str
    shape: str


def read(path: Path, top: str, *more: object) -> Circuit:
    """Return the circuit of module `top`, flattened to cells; `more` counts as part of it."""
    return circuit(json.loads(path.read_text(encoding="utf-8"))["modules"][top], *more)


def circuit(module: Mapping[str, Any], *more: object) -> Circuit:
    """Return the circuit of a flat module as Yosys's write_json gives it."""
    digest = hashlib.sha256(json.dumps(more, sort_keys=True, default=str).encode())
    walk = _Walk(module)
    for line in walk.lines():
        digest.update(line.encode())
    shape = digest.hexdigest()[:16]
    for number, names in sorted(walk.names()):
        digest.update(f"{number} {names}\n".encode())
    return Circuit(digest.hexdigest()[:16], shape)


class _Walk:
    """The numbering of a module's nets and cells."""

    def __init__(self, module: Mapping[str, Any]) -> None:
        self.module = module
        self.cells: Mapping[str, Any] = module["cells"]
        self.drivers = {
            bit: name
            for name, cell in self.cells.items()
            for pin, bits in cell["connections"].items()
            if cell["port_directions"][pin] != "input"
            for bit in bits
        }
        self.nets: dict[Bit, int] = {}
        self.seen: set[str] = set()
        self.waiting: deque[str] = deque()

    def lines(self) -> Iterator[str]:
        """Yield a line per visited item; afterwards every net and cell has a number."""
        ports = sorted(self.module["ports"].items())
        for direction in ("input", "inout", "output"):
            for name, port in ports:
                if port["direction"] == direction:
                    yield f"{direction} {name} {self._bits(port['bits'])}\n"
        yield from self._met()
        for name in sorted(self.cells):
            self._meet(name)
            yield from self._met()

    def _met(self) -> Iterator[str]:
        while self.waiting:
            cell = self.cells[self.waiting.popleft()]
            decides = _without(cell, "parameters", NAMES), _without(cell, "attributes", POSITIONS)
            facts = json.dumps([cell["type"], *decides], sort_keys=True)
            pins = " ".join(f"{pin}:{self._bits(bits)}" for pin, bits in sorted(cell["connections"].items()))
            yield f"{facts} {pins}\n"

    def _bits(self, bits: Iterable[Bit]) -> str:
        return ",".join(bit if isinstance(bit, str) else str(self._net(bit)) for bit in bits)

    def _net(self, bit: int) -> int:
        if bit not in self.nets:
            self.nets[bit] = len(self.nets)
            if bit in self.drivers:
                self._meet(self.drivers[bit])
        return self.nets[bit]

    def _meet(self, name: str) -> None:
        if name not in self.seen:
            self.seen.add(name)
            self.waiting.append(name)

    def names(self) -> Iterator[tuple[int, str]]:
        """Yield the numbers of nets with their source names; names made by Yosys are left out."""
        for name, net in self.module["netnames"].items():
            if not net.get("hide_name"):
                for index, bit in enumerate(net["bits"]):
                    if bit in self.nets:
                        yield self.nets[bit], f"{name}[{index}]"


def _without(cell: Mapping[str, Any], what: str, names: frozenset[str]) -> dict[str, Any]:
    return {key: one for key, one in cell.get(what, {}).items() if key not in names}
