# SPDX-License-Identifier: Apache-2.0
"""A circuit is known again under other names and in another order, and only then."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from perle.flow import yosys
from perle.flow.circuit import Circuit, circuit, read

Module = dict[str, Any]


def _cell(kind: str, source: str, init: str = "0110", **pins: int) -> Module:
    return {
        "type": kind,
        "parameters": {"INIT": init},
        "attributes": {"src": source},
        "port_directions": {pin: "output" if pin in "QZ" else "input" for pin in pins},
        "connections": {pin: [bit] for pin, bit in pins.items()},
    }


MODULE: Module = {
    "ports": {
        "clk_i": {"direction": "input", "bits": [2]},
        "x_i": {"direction": "input", "bits": [3, 4]},
        "z_o": {"direction": "output", "bits": [6, "0"]},
    },
    "cells": {
        "one": _cell("LUT4", "a.sv:1", A=3, B=4, Z=5),
        "two": _cell("FF", "a.sv:2", "1", CLK=2, D=5, Q=6),
        "unread": _cell("FF", "a.sv:3", "1", CLK=2, D=6, Q=7),
    },
    "netnames": {
        "sum": {"hide_name": 0, "bits": [5]},
        "$auto$made.cc:1$2": {"hide_name": 1, "bits": [6]},
    },
}

SAME: dict[str, Callable[[Module], object]] = {
    "a source position": lambda module: module["cells"]["one"]["attributes"].update(src="b.sv:99"),
    "the order of cells": lambda module: module.update(cells=dict(reversed(module["cells"].items()))),
    "a name that synthesis made": lambda module: module["netnames"].update(
        {"$auto$made.cc:9$9": module["netnames"].pop("$auto$made.cc:1$2")}
    ),
    "the name of a memory": lambda module: module["cells"]["unread"]["parameters"].update(MEMID="other"),
    "the numbers of nets": lambda module: _renumbered(module, {5: 50, 6: 5}),
}

RENAMED: dict[str, Callable[[Module], object]] = {
    "a net": lambda module: module["netnames"].update(total=module["netnames"].pop("sum")),
}

OTHER: dict[str, Callable[[Module], object]] = {
    "a parameter": lambda module: module["cells"]["one"]["parameters"].update(INIT="1001"),
    "a type": lambda module: module["cells"]["two"].update(type="LATCH"),
    "two pins": lambda module: module["cells"]["one"]["connections"].update(A=[4], B=[3]),
    "a place": lambda module: module["cells"]["one"]["attributes"].update(BEL="X1/Y1"),
    "a cell that nothing reads": lambda module: module["cells"].pop("unread"),
    "what drives an output": lambda module: module["ports"]["z_o"].update(bits=[5, "0"]),
    "a constant": lambda module: module["ports"]["z_o"].update(bits=[6, "1"]),
    "the name of a port": lambda module: module["ports"].update(y_o=module["ports"].pop("z_o")),
}


def _renumbered(module: Module, numbers: dict[int, int]) -> None:
    places = (*module["ports"].values(), *module["netnames"].values())
    for one in places:
        one["bits"] = [numbers.get(bit, bit) for bit in one["bits"]]
    for cell in module["cells"].values():
        cell["connections"] = {
            pin: [numbers.get(bit, bit) for bit in bits] for pin, bits in cell["connections"].items()
        }


def _after(change: Callable[[Module], object]) -> Circuit:
    module = copy.deepcopy(MODULE)
    change(module)
    return circuit(module)


@pytest.mark.parametrize("what", SAME)
def test_what_decides_nothing_is_left_out(what: str) -> None:
    assert _after(SAME[what]) == circuit(MODULE)


@pytest.mark.parametrize("what", RENAMED)
def test_another_name_is_the_same_circuit_under_another_name(what: str) -> None:
    found = _after(RENAMED[what])
    assert found.shape == circuit(MODULE).shape
    assert found.named != circuit(MODULE).named


@pytest.mark.parametrize("what", OTHER)
def test_everything_else_is_another_circuit(what: str) -> None:
    assert _after(OTHER[what]).shape != circuit(MODULE).shape


def test_what_counts_besides_the_netlist() -> None:
    assert circuit(MODULE, {"lut": 1}).shape != circuit(MODULE, {"lut": 2}).shape


SOURCE = """
module counter (input logic clk_i, input logic [7:0] x_i, output logic [7:0] z_o);
  logic [7:0] sum_q;
  always_ff @(posedge clk_i) sum_q <= sum_q + x_i;
  assign z_o = sum_q;
endmodule
"""


def test_synthesis_of_a_renamed_source_gives_the_same_circuit(tmp_path: Path) -> None:
    """As `perle results stamp` uses it: by Yosys, with a comment, a rename and an operator changed."""

    def made(text: str, name: str) -> Circuit:
        path = tmp_path / f"{name}.sv"
        path.write_text(text, encoding="utf-8")
        script = ["synth_ecp5 -noiopad -top counter"]
        return read(
            yosys.synthesize([path], "counter", {}, script, tmp_path / name).json,
            "counter",
        )

    first = made(SOURCE, "first")
    assert made(f"// said\n\n{SOURCE}", "comment") == first
    renamed = made(SOURCE.replace("sum_q", "total_q"), "renamed")
    assert (renamed.shape, renamed == first) == (first.shape, False)
    assert made(SOURCE.replace("+ x_i", "- x_i"), "minus").shape != first.shape
