# SPDX-License-Identifier: Apache-2.0
"""Cells from a Liberty text, netlists, and OpenSTA's power, on a small library whose numbers are round.

With $PDK_ROOT also every combinational cell of the real library, against its `function`.
"""

from __future__ import annotations

import json
import re
import shutil
from itertools import product
from pathlib import Path

import pytest

from perle.flow import liberty, netlist, opensta, pdk, yosys
from perle.flow.liberty import LibraryCell
from perle.flow.tools import ToolError, ToolMissing
from perle.flow.verilator import lint

TABLE = 'index_1 ("0.1, 1.0"); index_2 ("0.01, 0.1");'


def edges(rise: float, fall: float) -> str:
    """Return the tables of an internal power, the same everywhere."""
    found = (f'"{value}, {value}", "{value}, {value}"' for value in (rise, fall))
    return "".join(
        f"{edge}_power (square) {{ {TABLE} values ({values}); }}"
        for edge, values in zip(("rise", "fall"), found, strict=True)
    )


def state(when: str, rise: float, fall: float) -> str:
    """Return an internal power that holds in a state, or without one."""
    condition = f'when : "{when}";' if when else ""
    return f"internal_power () {{ {condition} {edges(rise, fall)} }}\n"


def delay(related: str, more: str = "timing_sense : negative_unate;") -> str:
    """Return a timing that is the same everywhere."""
    names = ("cell_rise", "cell_fall", "rise_transition", "fall_transition")
    tables = " ".join(f'{name} (scalar) {{ values ("0.1"); }}' for name in names)
    return f'timing () {{ related_pin : "{related}"; {more} {tables} }}'


def setup(related: str, edge: str) -> str:
    """Return the check that a pin is stable, for no time, before an edge."""
    tables = " ".join(f'{name}_constraint (scalar) {{ values ("0.0"); }}' for name in ("rise", "fall"))
    return f'timing () {{ related_pin : "{related}"; timing_type : setup_{edge}; {tables} }}'


SMALL = f"""
library (small) {{
  time_unit : "1ns"; voltage_unit : "1V"; current_unit : "1uA"; leakage_power_unit : "1nW";
  capacitive_load_unit (1, pf); nom_voltage : 2.0; delay_model : table_lookup;
  operating_conditions (typ) {{ process : 1; temperature : 25; voltage : 2.0; }}
  default_operating_conditions : typ;
  input_threshold_pct_rise : 50; input_threshold_pct_fall : 50;
  output_threshold_pct_rise : 50; output_threshold_pct_fall : 50;
  slew_lower_threshold_pct_rise : 20; slew_lower_threshold_pct_fall : 20;
  slew_upper_threshold_pct_rise : 80; slew_upper_threshold_pct_fall : 80;
  power_lut_template (square) {{ variable_1 : input_transition_time; {TABLE}
    variable_2 : total_output_net_capacitance; }}
  cell (inv_1) {{ area : 2; cell_leakage_power : 3;
    pin (A) {{ direction : input; capacitance : 0.5; }}
    pin (Y) {{ direction : output; function : "!A"; {delay("A")}
      internal_power () {{ related_pin : "A"; {edges(1, 3)} }} }}
  }}
  cell (nand2b_1) {{ area : 4;
    pin (A_N) {{ direction : input; capacitance : 0.5; }}
    pin (B) {{ direction : input; capacitance : 0.5; }}
    pin (Y) {{ direction : output; function : "!(!A_N & B)"; }}
  }}
  cell (dffr_1) {{ area : 16;
    ff (IQ, IQN) {{ clocked_on : "CK"; next_state : "D"; clear : "!RESET_B"; }}
    pin (CK) {{ direction : input; capacitance : 0.5; clock : true;
      {state("D * RESET_B", 1, 2)} {state("!D * RESET_B", 3, 6)} {state("!D * !RESET_B", 70, 70)}
      {state("", 500, 500)} }}
    pin (D) {{ direction : input; capacitance : 0.5; {setup("CK", "rising")} }}
    pin (RESET_B) {{ direction : input; capacitance : 0.5; }}
    pin (Q) {{ direction : output; function : "IQ"; {delay("CK", "timing_type : rising_edge;")}
      {delay("RESET_B", "timing_type : clear; timing_sense : positive_unate;")} }}
  }}
}}
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.lib"
    path.write_text(SMALL, encoding="utf-8")
    return path


def truth(function: str, inputs: dict[str, int]) -> bool:
    """Evaluate a Liberty function."""
    text = re.sub(r"!", " not ", function).replace("*", " and ").replace("&", " and ")
    text = re.sub(r"[+|]", " or ", text)
    text = re.sub(r"\((\w+)\^(\w+)\)", r"(\1 != \2)", text.replace(" ", "\0")).replace("\0", " ")
    return bool(eval(text, {}, dict(inputs)))  # the library's own formula


def table(cells: Path, kind: str, inputs: list[str], output: str, workdir: Path) -> list[int]:
    """Evaluate a cell's Verilog for all inputs, by Yosys."""
    lines = [f"read_verilog {cells.name}", f"hierarchy -top {kind}", "flatten", "proc", f"cd {kind}"]
    lines.append(f"tee -q -o {kind}.txt eval -table {','.join(inputs)} -show {output}")
    yosys.execute(lines, workdir, timeout=60)
    text = (workdir / f"{kind}.txt").read_text(encoding="utf-8")
    return [int(value, 2) for value in re.findall(r"\|.*1'([01])\s*$", text, re.MULTILINE)]


def test_cells_of_a_library_become_verilog(small: Path, tmp_path: Path) -> None:
    cells = liberty.models(small, tmp_path / "models")
    text = cells.read_text(encoding="utf-8")
    assert re.findall(r"^module (\w+)", text, re.MULTILINE) == ["dffr_1", "inv_1", "nand2b_1"]
    lint([cells], "dffr_1", {}, ["-Wno-fatal"])
    # what a flip-flop is must not get lost: a rising edge and an asynchronous, active-low reset
    clocked = text[text.index("module dffr_1") :]
    assert re.search(r"always @\(posedge CK, (posedge|negedge) \w+\)", clocked)
    found = table(cells, "nand2b_1", ["A_N", "B"], "Y", cells.parent)
    assert found == [1, 0, 1, 1]


def test_states_of_a_pin_become_one(small: Path) -> None:
    text = liberty.averaged(small.read_text(encoding="utf-8"))
    assert "when" not in text
    assert "500" not in text
    clock = text[text.index("pin (CK)") : text.index("pin (D)")]
    assert re.findall(r'"([\d.]+, [\d.]+)"', clock.replace("0.1, 1.0", "").replace("0.01, 0.1", "")) == [
        "2, 2",
        "2, 2",
        "4, 4",
        "4, 4",
    ]
    # what depends on no state stays, word for word
    assert f'internal_power () {{ related_pin : "A"; {edges(1, 3)} }}' in text


def test_a_table_of_another_size_is_an_error() -> None:
    one = 'internal_power () { when : "A"; rise_power (x) { values ("1, 2"); } }'
    with pytest.raises(ValueError, match="differ in size"):
        liberty.averaged(one + one.replace("1, 2", "1, 2, 3").replace('"A"', '"B"'))


NETLIST = {
    "ports": {
        "a_i": {"direction": "input", "bits": [2, 3]},
        "y_o": {"direction": "output", "bits": [4, 2, "1"]},
    },
    "cells": {"u": {"type": "nand2b_1", "connections": {"A_N": [2], "B": [5], "Y": [4]}}}
    | {"v": {"type": "inv_1", "connections": {"A": [3], "Y": [5]}}},
}


def test_netlist_keeps_ports_and_needs_no_expressions(tmp_path: Path) -> None:
    path = tmp_path / "n.json"
    path.write_text(json.dumps({"modules": {"top": NETLIST}}), encoding="utf-8")
    gates = netlist.read(path, "top", "top_gates")
    text = gates.verilog()
    assert "input [1:0] a_i;" in text
    assert "nand2b_1 g0 (.A_N(a_i[0]), .B(n5), .Y(y_o[0]));" in text
    assert "assign y_o[1] = a_i[0];" in text
    assert "assign y_o[2] = 1'b1;" in text
    assert re.findall(r"wire (\w+)", text) == ["n5"]
    wide = NETLIST | {"cells": {"u": {"type": "inv_1", "connections": {"A": [2, 3], "Y": [4]}}}}
    path.write_text(json.dumps({"modules": {"top": wide}}), encoding="utf-8")
    with pytest.raises(ToolError, match="pin A of cell u"):
        netlist.read(path, "top", "x")


need_sta = pytest.mark.skipif(shutil.which("sta") is None, reason="OpenSTA is not installed: apt opensta")


# f0 feeds the others, as registers feed a netlist whose power is taken: what inputs reach is estimated anew.
CHAIN = (
    "module n (clk_i, a_i, y_o); input clk_i; input a_i; output y_o; wire f; wire q;\n"
    "dffr_1 f0 (.CK(clk_i), .D(a_i), .RESET_B(a_i), .Q(f));\n"
    "dffr_1 g0 (.CK(clk_i), .D(f), .RESET_B(f), .Q(q)); inv_1 g1 (.A(q), .Y(y_o)); endmodule\n"
)
STILL = dict.fromkeys(("g0/D", "g0/RESET_B", "g0/Q", "g1/A", "g1/Y"), (0.0, 0.5))


def power(text: str, activity: dict[str, tuple[float, float]], folder: Path, only: str = "") -> opensta.Power:
    """Return the power of CHAIN by a library."""
    (folder / "n.v").write_text(CHAIN, encoding="utf-8")
    mean = folder / "mean.lib"
    mean.write_text(text, encoding="utf-8")
    return opensta.power(mean, [folder / "n.v"], "n", activity, folder, only=only, timeout=60)


@need_sta
def test_power_by_hand(tmp_path: Path) -> None:
    """½·C·V² and the mean of an edge's energies for a transition; a clock has two of them in a cycle."""

    def energy(changes: float, end: float) -> float:
        activity = STILL | {"g0/Q": (changes, 0.5), "g1/A": (changes, 0.5), "g1/Y": (end, 0.5)}
        found = (power(liberty.averaged(SMALL), activity, tmp_path, only) for only in ("g0", "g1"))
        return sum(one.dynamic_pj for one in found)

    clock = energy(0, 0)
    assert clock == pytest.approx(2 + 4, rel=1e-3)  # rising and falling edge of the clock, in pJ
    assert energy(1.0, 0) - clock == pytest.approx(0.5 * 0.5 * 2.0**2, rel=1e-3)  # the inverter's input
    assert energy(0.25, 0) - clock == pytest.approx(0.25 * 0.5 * 0.5 * 2.0**2, rel=1e-3)
    inside = energy(1.0, 1.0) - energy(1.0, 0)
    assert inside == pytest.approx((1 + 3) / 2, rel=1e-3)  # the inverter's own; there is nothing to charge
    assert power(liberty.averaged(SMALL), STILL, tmp_path, "g1").leakage == pytest.approx(3e-9, rel=1e-3)


@need_sta
def test_activity_that_is_estimated_anew_is_an_error(tmp_path: Path) -> None:
    """Behind a reset, as long as the library has its way to the output; right behind an input."""
    busy = STILL | {"g0/Q": (1.0, 0.5), "g1/A": (1.0, 0.5)}
    arc = delay("RESET_B", "timing_type : clear; timing_sense : positive_unate;")
    averaged = liberty.averaged(SMALL)
    assert arc not in averaged
    clocked = delay("CK", "timing_type : rising_edge;")
    with pytest.raises(ToolError, match=r"activity of \d+ pins was not taken"):
        power(averaged.replace(clocked, clocked + arc), busy, tmp_path)
    with pytest.raises(ToolError, match="activity of 1 pins was not taken, of f0/D"):
        power(averaged, busy | {"f0/D": (1.0, 0.5)}, tmp_path)


LATCHED = """module n (clk_i, a_i, y_o); input clk_i; input a_i; output y_o;
wire f; wire p; wire q; wire r; wire y;
dffr_1 f0 (.CK(clk_i), .D(a_i), .RESET_B(a_i), .Q(f)); inv_1 g0 (.A(f), .Y(r));
nand2b_1 g1 (.A_N(f), .B(clk_i), .Y(p)); latch_1 g2 (.D(r), .EN(p), .Q(q));
inv_1 g3 (.A(q), .Y(y)); dffr_1 g4 (.CK(clk_i), .D(y), .RESET_B(a_i), .Q(y_o)); endmodule
"""


@need_sta
def test_a_latch_is_timed_as_a_register_and_its_clock_ends_at_its_gate(tmp_path: Path) -> None:
    """Paths of one inverter on either side of it take as long as between registers; no cycle opens it."""
    latch = f"""
  cell (latch_1) {{ area : 8;
    latch (IQ, IQN) {{ enable : "EN"; data_in : "D"; }}
    pin (EN) {{ direction : input; capacitance : 0.5; clock : true; {state("", 5, 5)} }}
    pin (D) {{ direction : input; capacitance : 0.5; {setup("EN", "falling")} }}
    pin (Q) {{ direction : output; function : "IQ"; {delay("EN", "timing_type : rising_edge;")}
      {delay("D", "timing_sense : positive_unate;")} }}
  }}
}}
"""
    lib = tmp_path / "latched.lib"
    text = SMALL.rstrip().removesuffix("}") + latch
    gate = 'function : "!(!A_N & B)";'
    text = text.replace(gate, gate + delay("A_N") + delay("B"))
    lib.write_text(text, encoding="utf-8")
    (tmp_path / "n.v").write_text(LATCHED, encoding="utf-8")
    timed = opensta.timing(lib, [tmp_path / "n.v"], "n", tmp_path, timeout=60)
    assert timed.period_ns == pytest.approx(0.2, abs=0.02)
    pins = ("g0/Y", "g1/Y", "g2/EN", "g2/Q", "g3/A", "g3/Y", "g4/D", "g4/Q")
    still = dict.fromkeys(pins, (0.0, 0.5))
    mean = tmp_path / "mean.lib"
    mean.write_text(liberty.averaged(lib.read_text(encoding="utf-8")), encoding="utf-8")

    def latch_power(gated: list[str]) -> float:
        given = [tmp_path / "n.v"], "n", still, tmp_path
        return opensta.power(mean, *given, gated=gated, only="g2", timeout=60).dynamic_pj

    assert latch_power(["g1/Y"]) == pytest.approx(0, abs=1e-6)
    with pytest.raises(ToolError, match=r"g1/Y|g2/EN"):
        latch_power([])


@need_sta
def test_an_error_of_opensta_is_not_passed_over(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="Error"):
        opensta.sta(["read_liberty nowhere.lib"], tmp_path, "t", timeout=60)


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PDK_ROOT", "")
    with pytest.raises(ToolMissing, match=r"PDK_ROOT: not found.*\n.*ciel enable --pdk-family ihp-sg13g2"):
        pdk.liberty("typ")
    monkeypatch.setenv("PDK_ROOT", str(tmp_path))
    assert not pdk.there()
    with pytest.raises(ToolMissing, match="slow_1p08V_125C"):
        pdk.liberty("slow")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolMissing, match="opensta"):
        opensta.sta([], tmp_path, "t", timeout=60)


@pytest.mark.skipif(not pdk.there(), reason="PDK_ROOT names no IHP SG13G2 library")
def test_every_gate_of_the_library_computes_its_function(tmp_path: Path) -> None:
    source = pdk.liberty("typ").read_text(encoding="utf-8")
    liberty.models(pdk.liberty("typ"), tmp_path)
    checks, expected = [], {}
    for head in re.finditer(r"\n  cell \((\w+)\)(.*?)(?=\n  cell \(|\Z)", source, re.DOTALL):
        kind, body = head[1], head[2]
        pins = dict(re.findall(r"\n    pin \((\w+)\) \{(.*?)(?=\n    pin \(|\Z)", body, re.DOTALL))
        functions = {
            pin: found[1] for pin, text in pins.items() if (found := re.search(r'function : "([^"]*)"', text))
        }
        if len(functions) != 1 or re.search(r"\n    (ff|latch) \(|three_state|statetable", body):
            continue
        (output, function), inputs = (
            next(iter(functions.items())),
            [pin for pin in pins if pin not in functions],
        )
        if not inputs:
            continue
        expected[kind] = [
            truth(function, dict(zip(inputs, values, strict=True)))
            for values in product((0, 1), repeat=len(inputs))
        ]
        checks += [f"tee -q -o {kind}.txt eval -table {','.join(inputs)} -show {output} {kind}"]
    assert len(expected) > 45
    yosys.execute(["read_verilog cells.v", "proc", *checks], tmp_path, timeout=120)
    for kind, values in expected.items():
        text = (tmp_path / f"{kind}.txt").read_text(encoding="utf-8")
        seen = [int(value) for value in re.findall(r"1'([01])\s*\|?\s*$", text, re.MULTILINE)]
        assert seen == values, kind


CELLS = """
library (cells) {
  nom_voltage : 1.2;
  cell (inv_1) {
    area : 5.4432;
    pin (Y) { direction : "output"; function : "!A"; max_capacitance : 0.3; }
    pin (A) {
      direction : "input";
      capacitance : 0.003;
      fall_capacitance : 0.009;
    }
  }
  cell ("fill_2") { area : 3.6288; }
}
"""


def test_cells_have_areas_inputs_and_outputs() -> None:
    assert liberty.library(CELLS) == {
        "inv_1": LibraryCell(5.4432, {"A": 3.0}, frozenset({"Y"})),
        "fill_2": LibraryCell(3.6288, {}, frozenset()),
    }
    assert liberty.library("library (none) {}") == {}


def test_the_nominal_voltage() -> None:
    assert liberty.volts(CELLS) == 1.2
    with pytest.raises(ValueError, match="no nom_voltage"):
        liberty.volts("library (none) {}")
