# SPDX-License-Identifier: Apache-2.0
"""Placed cells: their wires and what these cost, buffers, and a small multiplier end to end."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from perle.cores.registry import resolve_any
from perle.flow import opensta, pdk
from perle.flow.liberty import LibraryCell
from perle.flow.netlist import Cell, Gates
from perle.flow.tools import ToolError
from perle.flow.yosys import Port
from perle.measure import gates, placed, wires
from perle.measure.design import NoSuchPartError, design
from perle.measure.target import Job, every
from perle.measure.wires import FF_PER_UM, OHM_PER_UM, Wire, tree
from perle.results import names

LIBRARY = {
    "sg13g2_inv_1": LibraryCell(5.4432, {"A": 3.0}, frozenset({"Y"})),
    "sg13g2_dfrbpq_1": LibraryCell(48.9888, {"D": 1.5, "CLK": 3.0, "RESET_B": 5.0}, frozenset({"Q"})),
    "sg13g2_nor2_1": LibraryCell(7.2576, {"A": 3.0, "B": 3.0}, frozenset({"Y"})),
    **{f"sg13g2_buf_{size}": LibraryCell(9.0, {"A": 2.0}, frozenset({"X"})) for size in (2, 4, 8, 16)},
}
GATES = Gates(
    "some",
    (Port("clk_i", "input", 1), Port("a_i", "input", 2), Port("z_o", "output", 1)),
    (
        Cell("g0", "sg13g2_inv_1", {"A": "a_i[0]", "Y": "n5"}),
        Cell("g1", "sg13g2_nor2_1", {"A": "n5", "B": "a_i[1]", "Y": "z_o"}),
        Cell("g2", "sg13g2_inv_1", {"A": "n5", "Y": "n6"}),
        Cell("g3", "sg13g2_dfrbpq_1", {"D": "n6", "CLK": "clk_i", "Q": "n7", "RESET_B": "a_i[1]"}),
        Cell("g4", "sg13g2_nor2_1", {"A": "clk_i", "B": "n7", "Y": "n8"}),
        Cell("g5", "sg13g2_inv_1", {"A": "n8", "Y": "n9"}),
    ),
    {},
)
AT = {"g0": (0.0, 0.0), "g1": (100.0, 0.0), "g2": (100.0, 40.0), "g3": (90.0, 40.0), "g4": (0.0, 9.0)}
AT["g5"] = (50.0, 50.0)

here = pytest.mark.skipif(
    not pdk.there() or shutil.which("sta") is None, reason="needs PDK_ROOT with IHP SG13G2, and OpenSTA"
)


def test_a_tree_joins_each_point_to_the_nearest_that_is_joined() -> None:
    assert tree([(0, 0), (10, 0), (12, 1), (0, -4)]) == ((0, 3, 4), (0, 1, 10), (1, 2, 3))
    assert tree([(3, 3)]) == ()
    assert [length for _, _, length in tree([(1, 1)] * 3)] == [0, 0]


def test_nets_of_inputs_and_of_clocks_have_no_wires() -> None:
    found = placed.wires(GATES, LIBRARY, AT)
    assert found == {
        "n5": Wire((("g0", "Y"), ("g1", "A"), ("g2", "A")), ((0, 1, 100.0), (1, 2, 40.0))),
        "n6": Wire((("g2", "Y"), ("g3", "D")), ((0, 1, 10.0),)),
        "n7": Wire((("g3", "Q"), ("g4", "B")), ((0, 1, 121.0),)),
    }
    twice = replace(GATES, cells=(*GATES.cells, replace(GATES.cells[0], name="g6")))
    with pytest.raises(ToolError, match="two cells drive the net n5"):
        placed.wires(twice, LIBRARY, AT)


def test_parasitics_of_a_tree() -> None:
    """Half of each branch's capacitance is at either end; a branch without length has some resistance."""
    text = wires.spef("some", {"n5": placed.wires(GATES, LIBRARY, AT)["n5"]})
    net = re.search(r"\*D_NET n5 (\S+)\n(.*?)\*END", text, re.DOTALL)
    assert net is not None
    assert float(net[1]) == pytest.approx(140 * FF_PER_UM, rel=1e-4)
    assert re.findall(r"\*I (\S+) ([IO])", net[2]) == [("g0:Y", "O"), ("g1:A", "I"), ("g2:A", "I")]
    caps = {pin: float(ff) for pin, ff in re.findall(r"^\d+ (g\d:\w) ([\d.]+)$", net[2], re.MULTILINE)}
    assert caps == pytest.approx(
        {"g0:Y": 50 * FF_PER_UM, "g1:A": 70 * FF_PER_UM, "g2:A": 20 * FF_PER_UM}, rel=1e-3
    )
    ohms = re.findall(r"^\d+ (\S+ \S+) ([\d.]+)$", net[2].partition("*RES")[2], re.MULTILINE)
    expected = {"g0:Y g1:A": 100 * OHM_PER_UM, "g1:A g2:A": 40 * OHM_PER_UM}
    assert {ends: float(ohm) for ends, ohm in ohms} == pytest.approx(expected, rel=1e-4)
    assert "g0:Y g1:A 0.0010" in wires.spef("x", {"n": Wire((("g0", "Y"), ("g1", "A")), ((0, 1, 0.0),))})


def test_a_wire_is_charged_at_every_other_change() -> None:
    wire = Wire((("g0", "Y"), ("g1", "A")), ((0, 1, 1000.0),))
    assert wires.switched_pj({"n": wire}, {"n": (0.5, 0.3)}, 1.2) == pytest.approx(0.25 * 0.173072 * 1.44)


def test_a_buffer_drives_what_is_too_much_for_an_output() -> None:
    """140 µm and two inputs are 30 fF; the driver, and nothing else, is on the other side of the buffer."""
    found = placed.wires(GATES, LIBRARY, AT)
    assert placed.buffered(GATES, found, LIBRARY, 80) == GATES
    long = replace(found["n5"], branches=((0, 1, 800.0), (1, 2, 40.0)))
    more = placed.buffered(GATES, {**found, "n5": long}, LIBRARY, 80)
    assert more.cells[6:] == (Cell("g6", "sg13g2_buf_2", {"A": "n10", "X": "n5"}),)
    assert more.cells[0].pins == {"A": "a_i[0]", "Y": "n10"}
    assert more.cells[1:6] == GATES.cells[1:]
    strong = replace(GATES, cells=(replace(GATES.cells[0], kind="sg13g2_buf_2"), *GATES.cells[1:]))
    library = {**LIBRARY, "sg13g2_buf_2": LIBRARY["sg13g2_inv_1"]}
    assert placed.buffered(strong, {"n5": long}, library, 80) == strong
    assert placed.strength("sg13g2_inv_4") == 4
    assert placed.strength("sg13g2_tiehi") == placed.STRENGTHS[-1]


def test_only_multipliers_are_placed() -> None:
    target = every()[names.SILICON_PLACED]
    element = resolve_any("scalable:r2_w16_p8_n256")
    with pytest.raises(NoSuchPartError, match="ihp130-placed places 'mul' only, not 'pe'"):
        target.prepare(design(element, "pe"), element, "pe")
    assert {"coloquinte", "PDK_ROOT"} < set(target.needs)


@here
def test_a_multiplier_end_to_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its wires cost time and energy; parasitics of another netlist are refused."""
    monkeypatch.setattr(gates, "ABC", {"if": gates.ABC["if"]})
    target, config = every()[names.SILICON_PLACED], resolve_any("iterative:w128+Width=24")
    job = Job(config, "mul", target.prepare(design(config, "mul"), config, "mul"), 0, tmp_path, 600)
    found = target.run(job)
    assert 0.2 < found[names.BARE_PERIOD] < found[names.PERIOD] < found["period_ns_slow"]
    assert 0 < found[names.WIRES_ENERGY] < 0.5 * found[names.PRODUCT_ENERGY]
    assert found["core_um2"] == pytest.approx(found[names.AREA] / placed.UTILIZATION, rel=0.05)
    assert found["wires_mm"] > 1
    parasitics, typical = tmp_path / "wires.spef", pdk.liberty("typ")
    text = parasitics.read_text(encoding="utf-8")
    parasitics.write_text(re.sub(r"\*D_NET n\d+", "*D_NET n999999", text, count=1), encoding="utf-8")
    with pytest.raises(ToolError, match=r"wires.spef, line \d+ net n999999 not found"):
        opensta.timing(
            typical,
            [tmp_path / "gates.v"],
            "perle_iterative_mul_gates",
            tmp_path,
            wires=parasitics,
            timeout=60,
        )
