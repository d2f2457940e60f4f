# SPDX-License-Identifier: Apache-2.0
"""Directories of designs, and their builds; test_simulation.py tests whether designs work."""

from __future__ import annotations

import hashlib
import importlib
import math
from dataclasses import replace
from pathlib import Path

import pytest

from perle.cores.leaves import BLOCKS
from perle.cores.registry import resolve
from perle.flow import verible, verilator, yosys
from perle.flow.nextpnr import Crossing, Routed
from perle.flow.tools import DesignError, ToolMissing
from perle.soc import build, design, directory, modules, page, pll
from perle.soc.boards import Board, board, boards
from perle.soc.core import BLACKBOXES, PARAM_WORDS, RTL, TOP, Core, IllegalSocError, written

BOARDS = list(boards().values())
WAIVERS = Path(build.__file__).parents[1] / "boards" / "perle_regs.vlt"


def core_of(target: Board, spec: str = "") -> tuple[Core, pll.Clocks]:
    clocks = pll.clocks(target, 1e6 * target.core_mhz)
    chosen, _, options = (spec or target.core).partition(",lanes=")
    return Core(resolve(chosen), int(options or 1), round(clocks.core), target.link), clocks


@pytest.mark.parametrize("target", BOARDS, ids=boards())
def test_clocks_are_of_the_pll(target: Board) -> None:
    for most in (45e6, 80e6, 101e6, 133.3e6):
        got = pll.clocks(target, most)
        assert most * 0.9 < got.core <= most
        assert abs(got.sys / pll.SYS_HZ[target.link] - 1) <= pll.SYS_MARGIN + 1e-9
        assert pll.clocks(target, 1e6 * (math.ceil(got.core) / 1e6)) == got
    for core in {one.core for one in pll.settings(target) if one.core > 100e6}:
        chosen = pll.clocks(target, core)
        printed = float(page.options(chosen, design.BAUD).split()[1])
        assert pll.clocks(target, 1e6 * printed) == chosen
    with pytest.raises(DesignError, match="no clock"):
        pll.clocks(target, 1e6)


# A board whose default core takes a minute is also tested with a small one.
DESIGNS = [
    pytest.param(board("ulx3s-85f"), "orup:w64", id="ulx3s-85f-small"),
    *(
        pytest.param(one, "", id=one.name, marks=pytest.mark.wide if one.name == "ulx3s-85f" else ())
        for one in BOARDS
    ),
]


@pytest.mark.parametrize(("target", "spec"), DESIGNS)
def test_every_board_has_a_design_that_yosys_reads(target: Board, spec: str, tmp_path: Path) -> None:
    """LiteX's output is reproducible, and all parts fit together in synthesis (without mapping)."""
    pytest.importorskip("litex", reason=modules.INSTALL)
    core, clocks = core_of(target, spec)
    made = directory.generate(target, core, clocks, tmp_path / "a")
    again = directory.generate(target, core, clocks, tmp_path / "b")
    for line in (made.folder / "MANIFEST").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            digest, name = line.split("  ")
            assert hashlib.sha256((again.folder / name).read_bytes()).hexdigest() == digest
    lpf = (made.folder / "perle_soc.lpf").read_text(encoding="utf-8")
    assert f"{target.mhz:g}" in lpf
    work = tmp_path / "work"
    work.mkdir()
    (work / "perle_soc.v").write_bytes((made.folder / "perle_soc.v").read_bytes())
    boxes = [name for name in BLACKBOXES if f"rtl/{name}.sv" in made.sources]
    names = yosys.copied([made.folder / name for name in made.sources], work)
    script = [
        yosys.read(names, TOP, {}, boxes),
        "read_verilog perle_soc.v",
        "synth_ecp5 -top perle_soc -run begin:coarse",
        "tee -q -o stat.json stat -json",
    ]
    yosys.execute(script, work, timeout=300)
    assert yosys.Netlist(work).cells["EHXPLLL"] == 1


@pytest.mark.parametrize(
    ("name", "transmit", "receive"),
    [("trellisboard", 1, 5), ("colorlight-i9", 0, 5), ("acorn-baseboard", 1, 0)],
)
def test_delays_of_rgmii_are_those_that_the_boards_do_not_add(name: str, transmit: int, receive: int) -> None:
    """2 ns are 80 steps; they delay the transmitter's clock, and the receiver's data and control."""
    pytest.importorskip("litex", reason=modules.INSTALL)
    target = board(name)
    made = design.generate(target, pll.clocks(target, 1e6 * target.core_mhz))
    assert made.verilog.count("(7'd80)") == transmit + receive


def test_products_of_the_design_before_are_removed(tmp_path: Path) -> None:
    pytest.importorskip("litex", reason=modules.INSTALL)
    target = board("ulx3s-85f")
    core, clocks = core_of(target, "orup:w64")
    folder = directory.generate(target, core, clocks, tmp_path / "a").folder
    old = [folder / name for name in ("perle_soc.bit", "build/routed.json")]
    (folder / "build").mkdir()
    for one in (*old, folder / "build" / "mine"):
        one.write_text("old")
    with pytest.raises(FileExistsError):
        directory.generate(target, core, clocks, folder)
    assert all(one.exists() for one in old)
    directory.generate(target, core, clocks, folder, force=True)
    assert not any(one.exists() for one in old)
    assert (folder / "build" / "mine").exists()
    text = (folder / "README.md").read_text(encoding="utf-8")
    command = f"perle soc ulx3s-85f --core orup:w64 --clock {clocks.core / 1e6:.8g} -o DIR --force --build"
    assert command in text


def test_own_hardware_has_no_warnings(tmp_path: Path) -> None:
    verible.lint(RTL.glob("*.sv"))
    for spec in ("orup:w64", "stream:w512,lanes=3"):
        core, _ = core_of(board("trellisboard"), spec)
        files = written(core.texts(device=False), tmp_path / core.config.family.name)
        verible.lint([files[-1]])
        verilator.lint([WAIVERS, *files], TOP, {})


def test_leaf_cells_are_the_devices_own() -> None:
    core, _ = core_of(board("ulx3s-85f"))
    device, portable = core.texts(device=True), core.texts(device=False)
    assert {f"rtl/{block}.sv" for block in BLOCKS} & set(device)
    assert not {f"rtl/{block}.sv" for block in BLOCKS} & set(portable)
    assert list(device)[-1] == list(portable)[-1] == f"rtl/{TOP}.sv"


def test_parameters_must_fit() -> None:
    core, _ = core_of(board("ulx3s-85f"))
    many = {f"Parameter{i}": i for i in range(30)}
    crowded = replace(core, config=replace(core.config, params={**core.config.params, **many}))
    with pytest.raises(IllegalSocError, match=str(4 * PARAM_WORDS)):
        crowded.top()


def routed(core: float, *crossings: Crossing) -> Routed:
    wanted = {"$glbnet$clkout0": 50.0, "$glbnet$clkout1": 100.0}
    return Routed({"$glbnet$clkout0": 70.0, "$glbnet$clkout1": core}, {"LUT": 3}, (), crossings, wanted)


def test_missed_clocks_and_slow_crossings_are_told() -> None:
    good = build.timing(routed(100.5), 1)
    assert good.missed == []
    assert (good.core_mhz, good.bus_mhz) == (100.5, 70.0)
    [missed] = build.timing(routed(99.0), 1).missed
    assert "clkout1 reaches 99.0 MHz, 100.0 are wanted" in missed
    to_core = Crossing("$glbnet$clkout0", "$glbnet$clkout1", 10.5)
    [slow] = build.timing(routed(120.0, to_core), 1).missed
    assert "10.5 ns" in slow
    back = Crossing("$glbnet$clkout1", "$glbnet$clkout0", 10.5)
    assert build.timing(routed(120.0, back), 1).missed == []


def test_without_litex_the_command_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> object:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(importlib, "import_module", absent)
    with pytest.raises(ToolMissing, match="not found, needed for designs"):
        modules.litex("litex")
