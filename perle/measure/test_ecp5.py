# SPDX-License-Identifier: Apache-2.0
"""The ECP5: what is built, how areas are told apart, and that seeds share what does not depend on them."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from perle.cores.leaves import PRIM
from perle.cores.registry import resolve, resolve_any
from perle.flow import nextpnr, yosys
from perle.flow.tools import ToolError
from perle.flow.yosys import Netlist
from perle.measure import runner
from perle.measure.conftest import REGISTER
from perle.measure.design import Design, NoSuchPartError, design, parts
from perle.measure.target import Job, UnknownTargetError, chosen, clocked, named
from perle.measure.targets import ecp5
from perle.results import Store, names
from perle.results.parts import together

LEAF = Path(__file__).resolve().parents[1] / "cores" / "prim" / "perle_mul_reg2.sv"
GRADES = chosen("ecp5")
ROW = """\
module row #(parameter int Width = 33) (input logic clk_i, rst_ni, x_i, output logic z_o);
  logic [Width-1:0] row_q, row;
  assign row = {row_q[Width-2:0] ^ {row_q[Width-3:0], x_i}, x_i};
  assign z_o = row_q[Width-1];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) row_q <= '0;
    else row_q <= row;
  end
endmodule
"""


def prepared(spec: str, part: str | None = None) -> Design:
    config = resolve_any(spec)
    part = part or parts(config)[0]
    return GRADES[0].prepare(design(config, part), config, part)


def test_both_grades_are_of_one_device() -> None:
    assert [one.name for one in GRADES] == ["ecp5_6", "ecp5_8"]
    assert GRADES[0].settings != GRADES[1].settings
    assert all(one.seeded for one in GRADES)


def test_the_smaller_devices_have_targets_of_their_own() -> None:
    """A device's name stands for its grades, never for those of another device."""
    for name, title in (("ecp5_25", "LFE5U-25F"), ("ecp5_45", "LFE5U-45F")):
        found = chosen(name)
        assert [one.name for one in found] == [f"{name}_6", f"{name}_8"]
        assert all(title in one.title for one in found)
        assert chosen(f"{name}_8") == found[1:]
    devices = [chosen(name)[0].settings["device"] for name in ("ecp5_25_8", "ecp5_45_8", "ecp5_8")]
    assert devices == [["25k", "CABGA381", 8], ["45k", "CABGA554", 8], ["85k", "CABGA756", 8]]


def test_the_clock_to_place_for_is_part_of_the_target() -> None:
    usual = named("ecp5_8")
    fast = named("ecp5_8@250")
    assert (fast.name, fast.settings["freq"]) == ("ecp5_8@250", 250)
    assert "placed for 250 MHz" in fast.title
    assert {**fast.settings, "freq": usual.settings["freq"]} == usual.settings != fast.settings
    assert [one.name for one in chosen("ecp5_45@187.5")] == ["ecp5_45_6@187.5", "ecp5_45_8@187.5"]
    # the usual clock has the usual name, so that its results are known
    assert named("ecp5_8@300") == usual
    assert clocked(("ecp5_8",), (200, 250.5)) == ("ecp5_8@200", "ecp5_8@250.5")
    assert clocked(("ecp5_8",), ()) == ("ecp5_8",)
    assert names.device(fast.name) == names.device(usual.name)
    assert names.siblings(fast.name) == names.siblings(usual.name)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ecp5_8@", "no clock in MHz"),
        ("ecp5_8@x", "'x' is no clock in MHz"),
        ("ecp5_8@-1", "no clock in MHz"),
        ("ecp5_8@nan", "no clock in MHz"),
        ("ecp5_8@inf", "no clock in MHz"),
        ("ihp130@100", "ihp130 takes no clock; those that do: ecp5_25_6"),
        ("ecp6@100", "no target 'ecp6@100'"),
    ],
)
def test_clocks_that_cannot_be(name: str, said: str) -> None:
    for found in (chosen, named):
        with pytest.raises(UnknownTargetError, match=re.escape(said)):
            found(name)


def test_what_a_device_has_too_few_of_is_said_before_placing(
    tiny: Design, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small, large = (one for name in ("ecp5_25_8", "ecp5_8") for one in chosen(name))
    assert isinstance(small, ecp5.Ecp5)
    assert isinstance(large, ecp5.Ecp5)
    full = {"LUT4": 24_076, "CCU2C": 100, "TRELLIS_DPR16X4": 2, "MULT18X18D": 28, "DP16KD": 56}
    assert small.lacking(full) == ""
    assert small.lacking({**full, "TRELLIS_DPR16X4": 3}) == "24,294 of 24,288 LUTs"
    more = {"TRELLIS_FF": 25_000, "MULT18X18D": 29, "PDPW16KD": 57}
    expected = "25,000 of 24,288 flip-flops, 29 of 28 multipliers, 57 of 56 block memories"
    assert small.lacking(more) == expected
    assert large.lacking(more) == ""
    monkeypatch.setattr(nextpnr, "route", lambda *_, **__: pytest.fail("was placed"))
    monkeypatch.setitem(names.CAPACITY, "ecp5_25", {names.FF: 30})
    with pytest.raises(ToolError, match=r"LFE5U-25F: too small: \d+ of 30 flip-flops"):
        small.run(Job(resolve("orup:w64"), "mul", tiny, 1, tmp_path, 300))


def test_engines_are_those_that_fill_the_device() -> None:
    """The same command on every device; what decides about how many there are is in the identity."""
    config, found = resolve("tile:w1024"), {}
    for name in ("ecp5_8", "ecp5_45_8", "ecp5_25_8"):
        [target] = chosen(name)
        run = runner.Wanted(config, "engines", target, 1)
        built = run.prepared()
        found[name] = [one.params["Lanes"] for one in (built, *built.co_placed)]
        assert [one["Lanes"] for one in run.identity()[1]["params"]] == found[name]
        known = [one.get("Lanes") for one in run.identity()[1]["cores"]]
        assert known == ([None] * 3 if name == "ecp5_8" else found[name])
    assert found == {"ecp5_8": [24, 24, 24], "ecp5_45_8": [20, 16], "ecp5_25_8": [16]}
    assert design(config, "engine", "ecp5_25_8") == design(config, "engine")
    assert "engines" not in parts(resolve("tile:w256"))


def test_leaf_cells_are_those_of_the_device() -> None:
    built = prepared("karatsuba:w128")
    files = [path.name for path in built.files]
    assert LEAF not in built.files
    assert PRIM / LEAF.name in built.files
    assert files.index("MULT18X18D.sv") < files.index("perle_ecp5_mul.sv") < files.index(LEAF.name)
    assert len(files) == len(set(files)) == len(design(resolve("karatsuba:w128"), "mul").files) + 2


def test_a_core_without_leaf_cells_is_left_alone() -> None:
    assert prepared("iterative:w64") == design(resolve("iterative:w64"), "mul")


@pytest.mark.parametrize("spec", ["iterative:w64", "scalable:r2_w16_p8_n256", "mod_product:w254"])
def test_every_part_can_be_read(spec: str, tmp_path: Path) -> None:
    """Files and parameters of each part are complete, one wider than an integer of the tool included."""
    for part in parts(resolve_any(spec)):
        built = prepared(spec, part)
        made = yosys.synthesize(built.files, built.top, built.params, ["hierarchy -check"], tmp_path / part)
        assert {"clk_i"} < {port.name for port in made.ports(built.top)}


def test_figures_are_of_the_core_and_the_harness_is_the_difference() -> None:
    blocks = {"MULT18X18D": 1, "DP16KD": 2, "PDPW16KD": 1}
    core = {"LUT4": 10, "TRELLIS_FF": 5, "CCU2C": 2, **blocks, "TRELLIS_DPR16X4": 4}
    assert ecp5.figures(core, {"LUT4": 17, "TRELLIS_FF": 25, "CCU2C": 2}) == {
        "lut": 10,
        "ff": 5,
        "carry": 2,
        "dsp": 1,
        "bram": 3,
        "lutram": 4,
        "total_lut": 17,
        "total_ff": 25,
        "harness_lut": 7,
        "harness_ff": 20,
    }


def test_the_core_goes_into_the_harness_as_it_is(tiny: Design) -> None:
    core = ecp5.core_netlist(tiny, 300)
    whole = ecp5.whole_netlist(tiny, [core], 300)
    assert core.cells["TRELLIS_FF"] == 33
    assert core.cells["CCU2C"] == whole.cells["CCU2C"] == 17
    # Two words in, two words out, their controls, and the pin en_i.
    assert 33 + 33 + 33 < whole.cells["TRELLIS_FF"] <= 33 + 2 * 64 + 4 + 1
    assert {port.name: port.bits for port in whole.ports("perle_harness_top")} == {
        "clk_i": 1,
        "rst_ni": 1,
        "hold_i": 1,
        "unload_i": 1,
        "data_i": 32,
        "data_o": 32,
        "pins_i": 1,
        "pins_o": 1,
    }


def test_cores_beside_each_other_stay_what_they_are(tiny: Design) -> None:
    """Two of one kind and one of another, of the same name: all of each is there, under one clock."""
    other = replace(tiny, params={"Width": 50})
    core, wide = ecp5.core_netlist(tiny, 300), ecp5.core_netlist(other, 300)
    whole = ecp5.whole_netlist(tiny, [core, core, wide], 300)
    assert whole.cells["CCU2C"] == 2 * core.cells["CCU2C"] + wide.cells["CCU2C"] == 17 + 17 + 25
    ports = {port.name: port.bits for port in whole.ports("perle_harness_top")}
    assert (ports["clk_i"], ports["pins_i"], ports["pins_o"]) == (
        1,
        3,
        1,
    )  # en_i of each; nothing of one bit comes out
    # each has registers of its own for what goes in and comes out
    assert whole.cells["TRELLIS_FF"] > 3 * (33 + 33 + 50)


def test_what_is_placed_beside_a_core() -> None:
    config = resolve("lowlat:w512")
    alone, two = design(config, "mul"), design(config, "mul_pair")
    assert two == replace(alone, co_placed=(alone,))
    assert "engines" not in parts(config)
    config = resolve("stream:w512")
    several = design(config, "engines")
    assert several == replace(design(config, "engine"), co_placed=several.co_placed)
    assert len(several.co_placed) >= 1
    multipliers = [one.model.multipliers(one.params) for one in together(config, "engines")]
    assert multipliers[0] < sum(multipliers) <= 156
    prepared = GRADES[0].prepare(several, config, "engines")
    assert all(PRIM / "perle_ram.sv" in one.files for one in (prepared, *prepared.co_placed))
    with pytest.raises(NoSuchPartError, match="places nothing"):
        runner.wanted(config, "engines", chosen("xc7"), 1)


def test_names_do_not_grow_along_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bits that know their neighbours only: each would be named after the one before it."""
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path / "cache"))
    source = tmp_path / "row.sv"
    source.write_text(ROW)
    core = ecp5.core_netlist(Design("row", (source,), {"Width": 60}), 300)
    module = json.loads(core.json.read_text(encoding="utf-8"))["modules"]["row"]
    cells = [*module["cells"], *module["netnames"]]
    assert core.cells["TRELLIS_FF"] == 60
    assert max(map(len, cells)) < 250
    assert sum(name.startswith("deep_") for name in cells) >= 60
    assert {"clk_i", "rst_ni", "x_i", "z_o"} <= set(module["netnames"])


def test_seeds_and_grades_share_one_synthesis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two grades, two seeds: four places and routes, one core and one harness around it."""
    monkeypatch.setenv("PERLE_CACHE", str(tmp_path / "cache"))
    calls: Counter[str] = Counter()
    seen: list[tuple[int, int]] = []

    def synthesize(
        files: object, top: str, params: object, script: object, workdir: Path, **options: object
    ) -> Netlist:
        del files, params, script, options
        workdir.mkdir(parents=True, exist_ok=True)
        calls[top] += 1
        (workdir / "netlist.json").write_text(
            '{"modules": {"perle_iterative_mul": {"ports": {}}, '
            '"perle_harness_top": {"ports": {}, "cells": {}, "netnames": {}}}}'
        )
        (workdir / "stat.json").write_text('{"design": {"num_cells_by_type": {"LUT4": 3}}}')
        return Netlist(workdir)

    def route(netlist: Path, workdir: Path, *, speed: int, seed: int, **options: object) -> nextpnr.Routed:
        del options
        assert netlist.is_file()
        assert not list(workdir.iterdir())
        seen.append((speed, seed))
        return nextpnr.Routed({"clk": 100.0 + seed}, {}, ())

    monkeypatch.setattr(yosys, "synthesize", synthesize)
    monkeypatch.setattr(nextpnr, "route", route)
    wanted = runner.wanted(resolve("iterative:w64"), "mul", GRADES, 2)
    found = runner.campaign(wanted, Store(tmp_path / "results"), jobs=4)
    assert calls == {"perle_iterative_mul": 1, "perle_harness_top": 1}
    assert sorted(seen) == [(6, 1), (6, 2), (8, 1), (8, 2)]
    assert [one.metrics["fmax_mhz"] for one in found] == [101, 102, 101, 102]
    assert {one.error for one in found} == {""}


def test_a_synthesis_that_fails_leaves_its_log_and_no_netlist(tiny: Design, tmp_path: Path) -> None:
    tiny.files[0].write_text(REGISTER.replace("z_o + x_i", "nothing"))
    with pytest.raises(ToolError, match="nothing"):
        ecp5.core_netlist(tiny, 300)
    kept = [path.name for path in (tmp_path / "cache").iterdir() if path.name.startswith("ecp5-core")]
    assert sorted(name.rsplit(".", 1)[1] for name in kept) == ["lock", "log"]
